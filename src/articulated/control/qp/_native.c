/* `active_set.c` and `tick.c` for Python: one problem or many, without the GIL. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

#include "tick.h"

/* An argument: an array with `size` numbers for every state, or once for all of them. */
typedef struct {
    char *data;
    npy_intp step; /* bytes from one state to the next */
} Argument;

static int is_array(PyObject *given, int type)
{
    return PyArray_Check(given) && PyArray_TYPE((PyArrayObject *)given) == type &&
           PyArray_IS_C_CONTIGUOUS((PyArrayObject *)given);
}

/* Arrays of doubles, or of integers where `integers` has their bit; the last ones, from `results` on, for every state. */
static int take(PyObject *const *given, int first, int end, int results, unsigned integers, const npy_intp *sizes,
                npy_intp states, Argument *out)
{
    for (int i = first; i < end; i++) {
        const int type = integers >> i & 1 ? NPY_INT : NPY_DOUBLE;
        const npy_intp bytes = type == NPY_INT ? sizeof(int) : sizeof(double);
        const npy_intp whole = is_array(given[i], type) ? PyArray_SIZE((PyArrayObject *)given[i]) : -1;
        if (whole != sizes[i] * states && (whole != sizes[i] || i >= results)) {
            PyErr_Format(PyExc_ValueError, "argument %d: %zd numbers for each state expected, in a contiguous array", i, sizes[i]);
            return 0;
        }
        out[i].data = PyArray_DATA((PyArrayObject *)given[i]);
        out[i].step = whole == sizes[i] * states ? sizes[i] * bytes : 0;
    }
    return 1;
}

static int states_of(PyObject *about, npy_intp size, npy_intp *states)
{
    if (!is_array(about, NPY_INT) || PyArray_SIZE((PyArrayObject *)about) % size)
        return PyErr_SetString(PyExc_ValueError, "the last argument must be an array of integers"), 0;
    *states = PyArray_SIZE((PyArrayObject *)about) / size;
    return 1;
}

static void *at(const Argument *a, npy_intp state) { return a->data + state * a->step; }

/* -- solve(sizes, T, b, w, d, E, e, G, lower, upper, prefer, x, multipliers, about) -- */

enum { P_SIZES, P_T, P_E = 5, P_G = 7, P_PREFER = 10, P_X, P_MULTIPLIERS, P_ABOUT, P_ARGUMENTS };

static Row *rows_of(const Argument *a, npy_intp state, int count, int n, Row *out)
{
    for (int i = 0; i < count; i++)
        out[i] = (Row){(const double *)at(a, state) + (npy_intp)i * n, 1, 0, n, -1};
    return out + count;
}

static void solve_each(const int *z, const Argument *a, npy_intp states, int most, double *numbers, int *integers, Row *T)
{
    for (npy_intp k = 0; k < states; k++) {
        const double *p[P_ARGUMENTS];
        for (int i = P_T; i < P_PREFER; i++)
            p[i] = at(a + i, k);
        Row *E = rows_of(a + P_T, k, z[1], z[0], T), *G = rows_of(a + P_E, k, z[2], z[0], E);
        rows_of(a + P_G, k, z[3], z[0], G);
        const Problem problem = {z[0], z[1], z[2], z[3], T, E, G, p[2], p[3],
                                 p[4], p[6], p[8], p[9], at(a + P_PREFER, k), NULL, most};
        int *about = at(a + P_ABOUT, k);
        about[0] = active_set(&problem, most, numbers, integers, at(a + P_X, k), at(a + P_MULTIPLIERS, k), about + 1);
    }
}

static PyObject *py_solve(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Argument a[P_ARGUMENTS] = {{0}};
    npy_intp states = 0, sizes[P_ARGUMENTS] = {5};
    if (given != P_ARGUMENTS)
        return PyErr_Format(PyExc_TypeError, "solve takes %d arrays", P_ARGUMENTS);
    if (!states_of(args[P_ABOUT], 2, &states) || !take(args, 0, 1, 1, 1, sizes, 1, a))
        return NULL;
    const int *z = (int *)a[P_SIZES].data, n = z[0], tasks = z[1], equalities = z[2], rows = z[3];
    const npy_intp expected[P_ARGUMENTS] = {5, (npy_intp)tasks * n, tasks, tasks, n, (npy_intp)equalities * n, equalities,
                                            (npy_intp)rows * n, rows, rows, 2 * equalities, n, rows, 2};
    if (!take(args, 1, P_ARGUMENTS, P_X, 1u << P_PREFER | 1u << P_ABOUT, expected, states, a))
        return NULL;
    const size_t doubles = (size_t)ACTIVE_SET_NUMBERS(n, equalities, rows) * sizeof(double);
    const size_t said = (size_t)(tasks + equalities + rows) * sizeof(Row);
    char *work = PyMem_RawMalloc(said + doubles + (size_t)ACTIVE_SET_INTEGERS(n, rows) * sizeof(int));
    if (!work)
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS
    solve_each(z, a, states, z[4], (double *)(work + said), (int *)(work + said + doubles), (Row *)work);
    Py_END_ALLOW_THREADS
    PyMem_RawFree(work);
    Py_RETURN_NONE;
}

/* -- tick(sizes, five of the structure, eleven of the law, nine terms, x, multipliers, tau, residual, cost, about) -- */

enum { SIZES, LEVEL, COLUMN, SOLE, ALONE, MOTOR, LAW, TERMS = LAW + 11, X = TERMS + 9, ABOUT = X + 5, ARGUMENTS };

static void tick_each(const Structure *s, const Argument *a, npy_intp states, double *numbers, int *integers, Row *rows)
{
    for (npy_intp k = 0; k < states; k++) {
        const double *l[11], *p[9];
        for (int i = 0; i < 11; i++)
            l[i] = at(a + LAW + i, k);
        for (int i = 0; i < 9; i++)
            p[i] = at(a + TERMS + i, k);
        const Law law = {l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7], l[8], l[9], l[10]};
        const Terms terms = {p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]};
        Found found = {at(a + X, k), at(a + X + 1, k), at(a + X + 2, k), at(a + X + 3, k), at(a + X + 4, k), at(a + ABOUT, k)};
        tick(s, &law, &terms, numbers, integers, rows, &found);
    }
}

static PyObject *py_tick(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Argument a[ARGUMENTS] = {{0}};
    npy_intp states = 0, sizes[ARGUMENTS] = {8};
    if (given != ARGUMENTS)
        return PyErr_Format(PyExc_TypeError, "tick takes %d arrays", ARGUMENTS);
    if (!states_of(args[ABOUT], 3, &states) || !take(args, 0, 1, 1, 1, sizes, 1, a))
        return NULL;
    const int *z = (int *)a[SIZES].data;
    Structure s = {z[0], z[1], z[2], z[3], z[4], z[5], z[6], z[7], NULL, NULL, NULL, NULL, NULL};
    const npy_intp nv = s.nv, k = s.contacts, g = s.ground, n = nv + k, soles = s.soles ? s.soles : 1;
    const npy_intp expected[ARGUMENTS] = {
        8,     s.levels + 1, g, 3 * s.soles, s.tasks, s.motors,                 /* structure */
        g * k, g, g, s.tasks, nv, nv, k, 2 * k, s.given * nv, s.given, OPTIONS, /* law */
        n * n, nv, k, k, s.tasks * nv, s.tasks, 12 * soles, 2 * nv, nv,         /* terms */
        n,     s.levels * (2 * nv + k + g + s.given), s.motors, s.tasks, 1, 3,  /* results */
    };
    const unsigned integers = 1u << LEVEL | 1u << COLUMN | 1u << SOLE | 1u << ALONE | 1u << MOTOR | 1u << ABOUT;
    if (!take(args, LEVEL, LAW, ARGUMENTS, integers, expected, 1, a) ||
        !take(args, LAW, ARGUMENTS, X, integers, expected, states, a))
        return NULL;
    s.level = (int *)a[LEVEL].data, s.column = (int *)a[COLUMN].data, s.sole = (int *)a[SOLE].data;
    s.alone = (int *)a[ALONE].data, s.motor = (int *)a[MOTOR].data;
    const size_t doubles = (size_t)TICK_NUMBERS(s.nv, s.contacts, s.tasks, s.ground, s.given) * sizeof(double);
    const size_t said = (size_t)TICK_ROWS(s.nv, s.contacts, s.tasks, s.ground, s.given) * sizeof(Row);
    const size_t whole = said + doubles + (size_t)TICK_INTEGERS(s.nv, s.contacts, s.tasks, s.ground, s.given) * sizeof(int);
    char *work = PyMem_RawMalloc(whole);
    if (!work)
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS
    tick_each(&s, a, states, (double *)(work + said), (int *)(work + said + doubles), (Row *)work);
    Py_END_ALLOW_THREADS
    PyMem_RawFree(work);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"solve", (PyCFunction)(void (*)(void))py_solve, METH_FASTCALL, "Fill x, multipliers and about of every problem."},
    {"tick", (PyCFunction)(void (*)(void))py_tick, METH_FASTCALL, "Fill x, multipliers and about of every state."},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_native", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void)
{
    import_array();
    return PyModule_Create(&definition);
}
