/* What the files of this extension share. */
#ifndef ARTICULATED_CALL_H
#define ARTICULATED_CALL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_25_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL articulated_call_array_api
#ifndef ARTICULATED_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#ifdef Py_GIL_DISABLED
#error "the GIL guards the reuse of results: a free-threaded Python calls kernels through Python"
#endif
_Static_assert(sizeof(npy_intp) == 8, "kernels take 64-bit strides");

enum {
    MOST_ARRAYS = 24,
    MOST_AXES = 6,
    RING = 2,      /* results kept for use again: in `x = f(q)` the last one is still held */
    LARGE = 1 << 16, /* bytes of a batch from which on its arrays are not kept, but their memory is */
    UNLOCKED = 64, /* batches from this size on run without the GIL */
};

/* The entry points of a kernel: pointers to its arrays, inputs first; for a batch also the bytes between two states
   of each.  A batch returns other than 0 if one of its arguments is not finite. */
typedef void (*One)(char **data);
typedef int32_t (*Batch)(int64_t states, char **data, const int64_t *strides);

/* of one interpreter; lives as long as the module, which every type and so every object of it holds */
typedef struct {
    PyTypeObject *callee_type, *binding_type;
    PyObject *out, *frame; /* the interned names of the two keywords */
    PyObject *memory;      /* the handler of large arrays */
} State;

typedef struct {
    int ndim;
    npy_intp count, dims[MOST_AXES];
} Output;

/* An entry point is null until it is compiled.  Code stays for as long as the callee lives, even when its entry point
   is withdrawn, so a batch may run without the GIL: whoever calls holds the callee. */
typedef struct {
    PyObject_HEAD
    State *state;
    One one;
    Batch batch;
    PyObject *code[2]; /* what keeps the machine code of each in memory */
    int inputs, outputs, reuses[2]; /* results are used again: of single states, of batches */
    npy_intp most, row, /* bytes of all results for one state */ item, sizes[MOST_ARRAYS];
    Output output[MOST_ARRAYS];
    PyArray_Descr *descr;
    PyTypeObject *result; /* the tuple that several arrays go into; null for one array */
    PyObject *ring[2][RING]; /* the last results of single states and of small batches, filled again once nobody else
                                holds them */
} Callee;

/* The result for these arrays; null with an exception, or null without one if anything is out of the ordinary.  `out`
   may be null.  The caller holds the callee, the arrays and `out`. */
PyObject *callee_run(Callee *callee, PyObject *const *given, Py_ssize_t count, PyObject *out);

/* a new array of floats, whose memory is kept for another when it goes, if it is large; null with an exception */
PyObject *memory_array(State *state, PyArray_Descr *descr, int ndim, npy_intp *shape);
PyObject *memory_handler(void); /* for NumPy */
PyObject *memory_kept(void);    /* how many blocks, and how many bytes in all, wait for another array; how many may */

extern PyType_Spec callee_spec;

/* A function `name` of what `target` is, a callee or a dict of callees: by frame, or the one under None. */
PyObject *bound_function(State *state, PyObject *target, Py_ssize_t inputs, PyObject *fallback, PyObject *name,
                         PyObject *doc, int by_frame);

#endif
