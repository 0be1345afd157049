/* A kernel as an external function of CasADi, which looks up symbols in a shared library: `articulated`, its derivatives
   `jac_articulated`, `adj1_articulated` and `jac_adj1_articulated`, and for each the functions that give its signature.

   Every function has a copy of this library of its own, so the tables below are those of one function.  Python
   (`externals.py`) fills a table when CasADi first asks for it, and none changes after that: an evaluation needs neither
   Python nor a lock. */
#include <stdatomic.h>
#include <stddef.h>

#ifdef _WIN32
#define SHARED __declspec(dllexport)
#else
#define SHARED __attribute__((visibility("default")))
#endif

typedef long long Int;

/* A function: its signature, the kernel, and the permutation between CasADi's columns and the kernel's rows. */
typedef struct {
    void (*one)(double *const *); /* null: there is no machine code */
    Int inputs, outputs;
    const char *const *names;      /* of inputs, then of outputs, as are these */
    const Int *const *sparsity;
    Int arrays, results;           /* of the kernel */
    const Int *counts;             /* numbers in each of them */
    const Int *sources;            /* for each array: the input it is */
    const Int *const *order;       /* for each array: the number of its input for each of its own */
    const Int *nonzeros;           /* for each output */
    const Int *const *entries;     /* for each output: the number among all results for each nonzero */
    Int numbers;                   /* of all arrays and results */
} Table;

enum { FUNCTION, JACOBIAN, GRADIENT, HESSIAN, KINDS };
static _Atomic(const Table *) tables[KINDS];
static void (*fill)(int, const Table **);

SHARED void articulated_filled_by(void (*how)(int, const Table **)) { fill = how; }

/* Filled when it is first asked for, by Python under the GIL; threads that ask at the same time get the same table. */
static const Table *table(int kind)
{
    const Table *found = atomic_load(&tables[kind]);
    if (!found && fill) {
        fill(kind, &found); /* still null if Python could not */
        atomic_store(&tables[kind], found);
    }
    return found;
}

_Static_assert(sizeof(double *) <= sizeof(Int), "addresses fit where CasADi has whole numbers");

/* Arrays and results of the kernel lie in CasADi's work vector of doubles, their addresses in that of integers.
   Returns 1 if there is no machine code. */
static int evaluate(int kind, const double **arg, double **res, Int *whole, double *w)
{
    const Table *t = table(kind);
    if (!t || !t->one)
        return 1;
    double **pointers = (double **)whole, *next = w, sum = 0.0;
    for (Int k = 0; k < t->arrays; k++) {
        const double *x = arg[t->sources[k]];
        pointers[k] = next;
        for (Int j = 0; j < t->counts[k]; j++) {
            *next = x ? x[t->order[k][j]] : 0.0; /* null stands for zeros */
            sum += 0.0 * *next++;
        }
    }
    double *results = next;
    for (Int k = t->arrays; k < t->arrays + t->results; next += t->counts[k++])
        pointers[k] = next;
    int usual = sum == 0.0; /* NaN if an argument is not finite: so are then the results */
    if (usual)
        t->one(pointers);
    for (Int k = 0; k < t->outputs; k++)
        for (Int j = 0; res[k] && j < t->nonzeros[k]; j++)
            res[k][j] = usual ? results[t->entries[k][j]] : sum;
    return 0;
}

static const Int *sparsity(int kind, Int k)
{
    static const Int nothing[] = {0, 0, 0};
    const Table *t = table(kind);
    return t ? t->sparsity[k] : nothing;
}

static const char *name(int kind, Int k)
{
    const Table *t = table(kind);
    return t ? t->names[k] : NULL;
}

static int work(int kind, Int *args, Int *results, Int *whole, Int *numbers)
{
    const Table *t = table(kind);
    *args = t ? t->inputs : 0;
    *results = t ? t->outputs : 0;
    *whole = t ? t->arrays + t->results : 0;
    *numbers = t ? t->numbers : 0;
    return !t;
}

#define EXTERNAL(FUNCTION_NAME, KIND)                                                                                   \
    SHARED int FUNCTION_NAME(const double **arg, double **res, Int *whole, double *w, int memory)                       \
    {                                                                                                                   \
        return evaluate(KIND, arg, res, whole, w);                                                                      \
    }                                                                                                                   \
    SHARED Int FUNCTION_NAME##_n_in(void) { return table(KIND) ? table(KIND)->inputs : 0; }                             \
    SHARED Int FUNCTION_NAME##_n_out(void) { return table(KIND) ? table(KIND)->outputs : 0; }                           \
    SHARED const char *FUNCTION_NAME##_name_in(Int k) { return name(KIND, k); }                                         \
    SHARED const char *FUNCTION_NAME##_name_out(Int k) { return name(KIND, FUNCTION_NAME##_n_in() + k); }               \
    SHARED const Int *FUNCTION_NAME##_sparsity_in(Int k) { return sparsity(KIND, k); }                                  \
    SHARED const Int *FUNCTION_NAME##_sparsity_out(Int k) { return sparsity(KIND, FUNCTION_NAME##_n_in() + k); }        \
    SHARED int FUNCTION_NAME##_work(Int *args, Int *results, Int *whole, Int *numbers)                                  \
    {                                                                                                                   \
        return work(KIND, args, results, whole, numbers);                                                               \
    }

EXTERNAL(articulated, FUNCTION)
EXTERNAL(jac_articulated, JACOBIAN)
EXTERNAL(adj1_articulated, GRADIENT)
EXTERNAL(jac_adj1_articulated, HESSIAN)

/* The build makes extension modules, whose linker wants this symbol; the module cannot be imported. */
SHARED void *PyInit__casadi(void) { return NULL; }
