/* `active_set.c`, `tick.c` and `lanes.c` for Python: one problem or many, without the GIL. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

#include "lanes.h"
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
                                 p[4], p[6], p[8], p[9], at(a + P_PREFER, k), NULL, most, 0, NULL, NULL};
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
    const size_t doubles = (size_t)ACTIVE_SET_NUMBERS(n, tasks, equalities, rows) * sizeof(double);
    const size_t said = (size_t)(tasks + equalities + rows) * sizeof(Row);
    char *work = PyMem_RawMalloc(said + doubles + (size_t)ACTIVE_SET_INTEGERS(n, tasks, rows) * sizeof(int));
    if (!work)
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS
    solve_each(z, a, states, z[4], (double *)(work + said), (int *)(work + said + doubles), (Row *)work);
    Py_END_ALLOW_THREADS
    PyMem_RawFree(work);
    Py_RETURN_NONE;
}

/* -- tick((sizes, five of the structure), eleven of the law, nine terms): (x, multipliers, tau, residual, cost, about),
   new ones or those given at last, and the worst status -- */

enum { SIZES, LEVEL, COLUMN, SOLE, ALONE, MOTOR, LAW, TERMS = LAW + 11, H, X = TERMS + 9, ABOUT = X + 5, ARGUMENTS };
static const int FIRST[] = {SIZES, LAW, TERMS, X};

static void of_state(const Argument *a, npy_intp k, Law *law, Terms *terms, Found *found)
{
    const double *l[11], *p[9];
    for (int i = 0; i < 11; i++)
        l[i] = at(a + LAW + i, k);
    for (int i = 0; i < 9; i++)
        p[i] = at(a + TERMS + i, k);
    *law = (Law){l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7], l[8], l[9], l[10]};
    *terms = (Terms){p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]};
    *found = (Found){at(a + X, k), at(a + X + 1, k), at(a + X + 2, k), at(a + X + 3, k), at(a + X + 4, k), at(a + ABOUT, k)};
}

/* Working memory of ticks: TOGETHER assemblies, one solver, and lanes with their blocks.  A tick alone takes no lanes. */
typedef struct {
    long assembly, solver, lanes, blocks, all; /* numbers */
    long integers, places, all_integers;
    long rows;
} Room;

static Room room_of(const Structure *s, npy_intp group)
{
    const int n = s->nv + s->contacts, tasks = MOST_TASKS(s->nv, s->contacts, s->tasks, s->ground, s->given);
    const int rows = MOST_ROWS(s->nv, s->contacts, s->tasks, s->ground, s->given);
    const long lanes = group > 1;
    Room room;
    room.assembly = ASSEMBLY_NUMBERS(s->nv, s->contacts, s->tasks, s->ground, s->given);
    room.integers = ASSEMBLY_INTEGERS(s->nv, s->contacts, s->tasks, s->ground, s->given);
    room.rows = TICK_ROWS(s->nv, s->contacts, s->tasks, s->ground, s->given);
    room.solver = group * room.assembly;
    room.lanes = (group - 1) * room.assembly + TICK_NUMBERS(s->nv, s->contacts, s->tasks, s->ground, s->given);
    room.blocks = room.lanes + lanes * LANES_NUMBERS(n, tasks, tasks, rows);
    room.all = room.blocks + lanes * LANES_NUMBERS(n, tasks, tasks, rows);
    room.places = (group - 1) * room.integers + TICK_INTEGERS(s->nv, s->contacts, s->tasks, s->ground, s->given);
    room.all_integers = room.places + lanes * LANES_INTEGERS(n, tasks);
    return room;
}

static void tick_each(const Structure *s, const Argument *a, npy_intp states, int group, const Room *room, double *numbers,
                      int *integers, Row *rows)
{
    Law law[TOGETHER];
    Terms terms[TOGETHER];
    Found found[TOGETHER];
    Assembly p[TOGETHER] = {{0}};
    Problem first[TOGETHER];
    for (npy_intp k = 0, count; k < states; k += count) {
        count = states - k < group ? 1 : group;
        for (npy_intp i = 0; i < count; i++) {
            of_state(a, k + i, law + i, terms + i, found + i);
            assemble(s, law + i, terms + i, numbers + i * room->assembly, integers + i * room->integers,
                     rows + i * room->rows, p + i);
            p[i].numbers = numbers + room->solver, p[i].integers = integers + group * room->integers;
            first[i] = program(p + i);
        }
        if (count > 1)
            eliminate_together(first, numbers + room->lanes, numbers + room->blocks, (room->all - room->blocks) / group,
                               integers + room->places);
        for (npy_intp i = 0; i < count; i++)
            complete(s, law + i, terms + i, p + i, first[i], found + i);
    }
}

/* New arrays for the results of every state, whose axes are those of `h` before its last. */
static PyObject *results(PyArrayObject *h, const npy_intp (*sizes)[2])
{
    const int axes = PyArray_NDIM(h) - 1;
    npy_intp shape[NPY_MAXDIMS + 1];
    PyObject *found = PyTuple_New(ARGUMENTS - X);
    for (int i = 0; i < axes; i++)
        shape[i] = PyArray_DIM(h, i);
    for (int i = 0; found && i < ARGUMENTS - X; i++) {
        shape[axes] = sizes[i][0], shape[axes + 1] = sizes[i][1];
        PyObject *own = PyArray_SimpleNew(axes + 1 + (sizes[i][1] >= 0), shape, X + i == ABOUT ? NPY_INT : NPY_DOUBLE);
        if (!own)
            Py_CLEAR(found);
        else
            PyTuple_SET_ITEM(found, i, own);
    }
    return found;
}

static PyObject *py_tick(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    Argument a[ARGUMENTS] = {{0}};
    PyObject *arrays[ARGUMENTS];
    npy_intp states = 1, sizes[ARGUMENTS] = {8};
    for (int i = 0; i < 3; i++) {
        if (given < 3 || given > 4 || !PyTuple_Check(args[i]) || PyTuple_GET_SIZE(args[i]) != FIRST[i + 1] - FIRST[i])
            return PyErr_Format(PyExc_TypeError, "tick takes the tuples of the structure, the law and the terms");
        for (int j = FIRST[i]; j < FIRST[i + 1]; j++)
            arrays[j] = PyTuple_GET_ITEM(args[i], j - FIRST[i]);
    }
    if (!take(arrays, 0, 1, 1, 1, sizes, 1, a))
        return NULL;
    const int *z = (int *)a[SIZES].data;
    Structure s = {z[0], z[1], z[2], z[3], z[4], z[5], z[6], z[7], NULL, NULL, NULL, NULL, NULL};
    const npy_intp nv = s.nv, k = s.contacts, g = s.ground, n = nv + k, soles = s.soles ? s.soles : 1;
    const npy_intp rows = 2 * nv + k + g + s.given;
    const npy_intp expected[ARGUMENTS] = {
        8,     s.levels + 1, g, 3 * s.soles, s.tasks, s.motors,                 /* structure */
        g * k, g, g, s.tasks, nv, nv, k, 2 * k, s.given * nv, s.given, OPTIONS, /* law */
        n * n, nv, k, k, s.tasks * nv, s.tasks, 12 * soles, 2 * nv, nv,         /* terms */
        n,     s.levels * rows, s.motors, s.tasks, 1, 3,                        /* results */
    };
    const npy_intp shapes[][2] = {{n, -1}, {s.levels, rows}, {s.motors, -1}, {s.tasks, -1}, {1, -1}, {3, -1}};
    const unsigned integers = 1u << LEVEL | 1u << COLUMN | 1u << SOLE | 1u << ALONE | 1u << MOTOR | 1u << ABOUT;
    PyArrayObject *h = (PyArrayObject *)arrays[H];
    if (!is_array(arrays[H], NPY_DOUBLE) || PyArray_NDIM(h) < 1 || PyArray_NDIM(h) >= NPY_MAXDIMS)
        return PyErr_Format(PyExc_TypeError, "terms are arrays");
    for (int i = 0; i < PyArray_NDIM(h) - 1; i++)
        states *= PyArray_DIM(h, i);
    PyObject *found = given == 4 ? Py_NewRef(args[3]) : results(h, shapes);
    if (found && (!PyTuple_Check(found) || PyTuple_GET_SIZE(found) != ARGUMENTS - X)) {
        Py_DECREF(found);
        return PyErr_Format(PyExc_TypeError, "results of a tick are a tuple of six arrays");
    }
    for (int i = X; found && i < ARGUMENTS; i++)
        arrays[i] = PyTuple_GET_ITEM(found, i - X);
    const int group = states < TOGETHER ? 1 : TOGETHER;
    const Room room = room_of(&s, group);
    const size_t said = (size_t)(group * room.rows) * sizeof(Row), doubles = (size_t)room.all * sizeof(double);
    const size_t whole = said + doubles + (size_t)room.all_integers * sizeof(int);
    char *work = NULL;
    if (!found || !take(arrays, LEVEL, LAW, ARGUMENTS, integers, expected, 1, a) ||
        !take(arrays, LAW, ARGUMENTS, X, integers, expected, states, a) || !(work = PyMem_RawMalloc(whole))) {
        Py_XDECREF(found);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    s.level = (int *)a[LEVEL].data, s.column = (int *)a[COLUMN].data, s.sole = (int *)a[SOLE].data;
    s.alone = (int *)a[ALONE].data, s.motor = (int *)a[MOTOR].data;
    int worst = 0;
    Py_BEGIN_ALLOW_THREADS
    tick_each(&s, a, states, group, &room, (double *)(work + said), (int *)(work + said + doubles), (Row *)work);
    for (npy_intp i = 0; i < states; i++) {
        const int status = *(int *)at(a + ABOUT, i);
        worst = worst > status ? worst : status;
    }
    Py_END_ALLOW_THREADS
    PyMem_RawFree(work);
    return Py_BuildValue("Ni", found, worst);
}

/* -- put(targets, turns, ends, given): whether the parts of a target are plain arrays, which are copied to where they end,
   the first of them a rotation matrix if it `turns` -- */

static int is_rotation(const double *R)
{
    double off = 0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            double sum = -(i == j);
            for (int k = 0; k < 3; k++)
                sum += R[3 * i + k] * R[3 * j + k];
            off += sum * sum;
        }
    const double volume = R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) +
                          R[2] * (R[3] * R[7] - R[4] * R[6]);
    return off < 1e-12 && volume > 0;
}

static PyObject *py_put(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    if (given != 4 || !PyArray_Check(args[0]) || !PyTuple_Check(args[2]))
        return PyErr_Format(PyExc_TypeError, "put takes an array, a bool, a tuple and a target");
    const int several = PyTuple_CheckExact(args[3]), turns = args[1] == Py_True;
    const Py_ssize_t parts = several ? PyTuple_GET_SIZE(args[3]) : 1;
    int fit = is_array(args[0], NPY_DOUBLE) && PyArray_NDIM((PyArrayObject *)args[0]) == 1 && parts > 0 &&
              parts < PyTuple_GET_SIZE(args[2]);
    for (Py_ssize_t i = 0; fit && i < parts; i++) {
        const npy_intp first = PyLong_AsSsize_t(PyTuple_GET_ITEM(args[2], i));
        const npy_intp end = PyLong_AsSsize_t(PyTuple_GET_ITEM(args[2], i + 1));
        PyArrayObject *x = (PyArrayObject *)(several ? PyTuple_GET_ITEM(args[3], i) : args[3]);
        const int axes = i == 0 && turns ? 2 : 1;
        fit = PyArray_CheckExact(x) && is_array((PyObject *)x, NPY_DOUBLE) && PyArray_NDIM(x) == axes && first >= 0 &&
              PyArray_DIM(x, 0) == (axes == 2 ? 3 : end - first) && PyArray_SIZE(x) == end - first &&
              end <= PyArray_SIZE((PyArrayObject *)args[0]) && (axes == 1 || is_rotation(PyArray_DATA(x)));
        if (fit)
            memcpy((double *)PyArray_DATA((PyArrayObject *)args[0]) + first, PyArray_DATA(x), PyArray_NBYTES(x));
    }
    return PyBool_FromLong(fit);
}

static PyMethodDef methods[] = {
    {"solve", (PyCFunction)(void (*)(void))py_solve, METH_FASTCALL, "Fill x, multipliers and about of every problem."},
    {"tick", (PyCFunction)(void (*)(void))py_tick, METH_FASTCALL, "Results of every state, and the worst status."},
    {"put", (PyCFunction)(void (*)(void))py_put, METH_FASTCALL, "Copy a target of plain arrays; False if it is another."},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_native", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void)
{
    import_array();
    return PyModule_Create(&definition);
}
