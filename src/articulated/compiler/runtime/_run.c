/* A kernel on NumPy arrays: what goes in is looked at, what comes out is found or made, the entry point is called.
   Anything but plain arrays of the right dtype and shape, and any number that is not finite, is declined. */
#include "_call.h"

#include <string.h>

enum { ONE_STATE = -1, DECLINED = -2 }; /* in place of a number of states */

/* pointers and strides for an entry point, inputs first */
typedef struct {
    char *data[MOST_ARRAYS];
    int64_t strides[MOST_ARRAYS];
} Arrays;

/* an array of NumPy's own type with the kernel's dtype and these flags */
static int is_plain(const Callee *callee, PyObject *x, int flags)
{
    return Py_IS_TYPE(x, &PyArray_Type) && PyArray_DESCR((PyArrayObject *)x) == callee->descr &&
           (PyArray_FLAGS((PyArrayObject *)x) & flags) == flags;
}

/* -- inputs ----------------------------------------------------------------------------- */

/* The number of states, ONE_STATE if there is no batch axis, or DECLINED.  Rows may be anywhere, each is contiguous. */
static npy_intp read_inputs(const Callee *callee, PyObject *const *given, Arrays *arrays)
{
    npy_intp states = ONE_STATE, item = callee->item;
    for (int i = 0; i < callee->inputs; i++) {
        if (!is_plain(callee, given[i], NPY_ARRAY_ALIGNED))
            return DECLINED;
        PyArrayObject *x = (PyArrayObject *)given[i];
        const npy_intp *dims = PyArray_DIMS(x), size = callee->sizes[i];
        int contiguous = PyArray_FLAGS(x) & NPY_ARRAY_C_CONTIGUOUS;
        arrays->data[i] = PyArray_BYTES(x);
        if (PyArray_NDIM(x) == 1) {
            if (dims[0] != size || !contiguous)
                return DECLINED;
            arrays->strides[i] = 0;
        } else if (PyArray_NDIM(x) == 2) {
            const npy_intp *strides = PyArray_STRIDES(x);
            if (dims[1] != size || (states != ONE_STATE && states != dims[0]) || !(contiguous || strides[1] == item))
                return DECLINED;
            states = dims[0];
            arrays->strides[i] = contiguous ? size * item : strides[0];
        } else
            return DECLINED;
    }
    return states;
}

/* A float that is infinite or NaN has all bits of its exponent set: one more carries into the sign. */
static int not_finite(const char *data, npy_intp count, npy_intp item)
{
    if (item == 8) {
        uint64_t any = 0, bits;
        for (npy_intp k = 0; k < count; k++) {
            memcpy(&bits, data + 8 * k, 8);
            any |= (bits & INT64_MAX) + (UINT64_C(1) << 52);
        }
        return (any >> 63) != 0;
    }
    uint32_t any = 0, bits;
    for (npy_intp k = 0; k < count; k++) {
        memcpy(&bits, data + 4 * k, 4);
        any |= (bits & INT32_MAX) + (UINT32_C(1) << 23);
    }
    return (any >> 31) != 0;
}

/* of a single state; a batch looks at its arguments itself */
static int is_unusual(const Callee *callee, const Arrays *arrays)
{
    for (int i = 0; i < callee->inputs; i++)
        if (not_finite(arrays->data[i], callee->sizes[i], callee->item))
            return 1;
    return 0;
}

/* -- outputs ---------------------------------------------------------------------------- */

/* whether the k-th array, with `rows` rows of `row` bytes, reaches into the bytes from begin to end */
static int overlaps(const Arrays *arrays, int k, npy_intp rows, npy_intp row, uintptr_t begin, uintptr_t end)
{
    intptr_t reach = arrays->strides[k] * (rows - 1);
    uintptr_t first = (uintptr_t)arrays->data[k];
    uintptr_t low = first + (reach < 0 ? reach : 0), high = first + (reach > 0 ? reach : 0) + row;
    return high > begin && low < end;
}

/* Whether `given` is exactly what a new array for output k would be; then it is where that output goes. */
static int take_output(const Callee *callee, int k, PyObject *given, npy_intp states, Arrays *arrays)
{
    const Output *output = &callee->output[k];
    int batch = states != ONE_STATE;
    PyArrayObject *x = (PyArrayObject *)given;
    if (!is_plain(callee, given, NPY_ARRAY_CARRAY) || PyArray_NDIM(x) != output->ndim + batch)
        return 0;
    const npy_intp *dims = PyArray_DIMS(x);
    if (batch && *dims++ != states)
        return 0;
    for (int axis = 0; axis < output->ndim; axis++)
        if (dims[axis] != output->dims[axis])
            return 0;
    arrays->data[callee->inputs + k] = PyArray_BYTES(x);
    arrays->strides[callee->inputs + k] = output->count * callee->item;
    return 1;
}

/* whether output k overlaps neither an input nor an output before it */
static int is_apart(const Callee *callee, int k, npy_intp states, const Arrays *arrays)
{
    npy_intp rows = states == ONE_STATE ? 1 : states, item = callee->item;
    uintptr_t begin = (uintptr_t)arrays->data[callee->inputs + k], end = begin + rows * callee->output[k].count * item;
    for (int i = 0; i < callee->inputs; i++)
        if (overlaps(arrays, i, rows, callee->sizes[i] * item, begin, end))
            return 0;
    for (int j = 0; j < k; j++)
        if (overlaps(arrays, callee->inputs + j, rows, callee->output[j].count * item, begin, end))
            return 0;
    return 1;
}

/* those not made are null */
static void drop(int count, PyObject **results)
{
    while (count--)
        Py_XDECREF(results[count]);
}

/* The arrays of out=, held from now on: another thread may clear a list while the batch runs without the GIL.
   0 if one of them will not do. */
static int given_outputs(const Callee *callee, PyObject *out, npy_intp states, Arrays *arrays, PyObject **results)
{
    int many = callee->result != NULL, listed = many && PyList_CheckExact(out);
    if (many && !listed && !Py_IS_TYPE(out, callee->result) && !PyTuple_CheckExact(out))
        return 0;
    if (many && Py_SIZE(out) != callee->outputs)
        return 0;
    for (int k = 0; k < callee->outputs; k++) {
        PyObject *x = !many ? out : listed ? PyList_GET_ITEM(out, k) : PyTuple_GET_ITEM(out, k);
        if (!take_output(callee, k, x, states, arrays) || !is_apart(callee, k, states, arrays)) {
            drop(k, results);
            return 0;
        }
        results[k] = Py_NewRef(x);
    }
    return 1;
}

/* one new array for each output; 0 with an exception, and none of them left */
static int new_outputs(const Callee *callee, npy_intp states, Arrays *arrays, PyObject **results)
{
    npy_intp shape[MOST_AXES + 1] = {states};
    int batch = states != ONE_STATE;
    for (int k = 0; k < callee->outputs; k++) {
        const Output *output = &callee->output[k];
        memcpy(shape + batch, output->dims, output->ndim * sizeof *shape);
        PyObject *x = memory_array(callee->state, callee->descr, output->ndim + batch, shape);
        if (!x) {
            drop(k, results);
            return 0;
        }
        results[k] = x;
        arrays->data[callee->inputs + k] = PyArray_BYTES((PyArrayObject *)x);
        arrays->strides[callee->inputs + k] = output->count * callee->item;
    }
    return 1;
}

/* the arrays in a new tuple of the result's type, which takes them over; null with an exception */
static PyObject *collected(const Callee *callee, PyObject **results)
{
    if (!callee->result)
        return results[0];
    PyObject *all = callee->result->tp_alloc(callee->result, callee->outputs);
    if (!all) {
        drop(callee->outputs, results);
        return NULL;
    }
    for (int k = 0; k < callee->outputs; k++)
        PyTuple_SET_ITEM(all, k, results[k]);
    return all;
}

/* -- results used again ----------------------------------------------------------------- */

/* whether there are weak references to it */
static int held_weakly(PyObject *x)
{
    Py_ssize_t offset = Py_TYPE(x)->tp_weaklistoffset;
    return offset && *(PyObject **)((char *)x + offset) != NULL;
}

/* Whether nobody but the ring holds this result, nor anybody but the result its arrays, not even weakly. */
static int is_unshared(const Callee *callee, PyObject *result)
{
    if (!result || Py_REFCNT(result) != 1)
        return 0;
    for (int k = 0; k < callee->outputs; k++) {
        PyObject *x = callee->result ? PyTuple_GET_ITEM(result, k) : result;
        if (Py_REFCNT(x) != 1 || held_weakly(x))
            return 0;
    }
    return 1;
}

/* A result of an earlier call to be filled again; null if there is none.  Its owner may have given it another shape, or
   made it read-only, before letting it go.  It overlaps nothing: nobody has a view of it. */
static PyObject *reused(const Callee *callee, npy_intp states, Arrays *arrays)
{
    PyObject *const *ring = callee->ring[states != ONE_STATE];
    for (int r = 0; r < RING; r++) {
        PyObject *result = ring[r];
        int fits = is_unshared(callee, result);
        for (int k = 0; fits && k < callee->outputs; k++) {
            PyObject *x = callee->result ? PyTuple_GET_ITEM(result, k) : result;
            /* old NumPy lets people set x.data: what an array does not own may be somebody else's */
            fits = PyArray_CHKFLAGS((PyArrayObject *)x, NPY_ARRAY_OWNDATA) && take_output(callee, k, x, states, arrays);
        }
        if (fits)
            return Py_NewRef(result);
    }
    return NULL;
}

/* whether a result for so many states is one to keep */
static int is_kept(const Callee *callee, npy_intp states)
{
    return states == ONE_STATE ? callee->reuses[0] : callee->reuses[1] && states < LARGE / callee->row;
}

/* a new result goes into its ring, in place of the oldest there */
static void keep(PyObject **ring, PyObject *result)
{
    PyObject *oldest = ring[0];
    for (int r = 1; r < RING; r++)
        ring[r - 1] = ring[r];
    ring[RING - 1] = Py_NewRef(result);
    Py_XDECREF(oldest); /* last: what a weak reference calls then may call us */
}

/* -- the call --------------------------------------------------------------------------- */

/* The batch, without the GIL if it is large; other than 0 if it has an unusual state.  What the arrays point at, and the
   code, is held by our caller. */
static int32_t run_batch(const Callee *callee, npy_intp states, Arrays *arrays)
{
    Batch batch = callee->batch;
    if (states < UNLOCKED)
        return batch(states, arrays->data, arrays->strides);
    int32_t bad;
    Py_BEGIN_ALLOW_THREADS
    bad = batch(states, arrays->data, arrays->strides);
    Py_END_ALLOW_THREADS
    return bad;
}

/* new arrays as a result: those without axes become NumPy scalars, as with ufuncs; null with an exception */
static PyObject *new_result(Callee *callee, npy_intp states, PyObject **results)
{
    int single = states == ONE_STATE;
    for (int k = 0; single && k < callee->outputs; k++)
        if (!callee->output[k].ndim && !(results[k] = PyArray_Return((PyArrayObject *)results[k]))) {
            drop(callee->outputs, results);
            return NULL;
        }
    PyObject *found = collected(callee, results);
    if (found && is_kept(callee, states))
        keep(callee->ring[!single], found);
    return found;
}

/* with the GIL; while a batch gives it away, everything it reads and writes is held by the caller or by `results` */
PyObject *callee_run(Callee *callee, PyObject *const *given, Py_ssize_t count, PyObject *out)
{
    Arrays arrays;
    PyObject *results[MOST_ARRAYS], *whole = NULL;
    if (count != callee->inputs)
        return NULL;
    npy_intp states = read_inputs(callee, given, &arrays);
    int single = states == ONE_STATE;
    if (states == DECLINED || states == 0 || states > callee->most || (single ? !callee->one : !callee->batch))
        return NULL;
    if (single && is_unusual(callee, &arrays))
        return NULL;

    /* where the results go: from here on `results` are held, or `whole` is */
    if (out) {
        if (!given_outputs(callee, out, states, &arrays, results))
            return NULL;
    } else {
        whole = is_kept(callee, states) ? reused(callee, states, &arrays) : NULL;
        if (!whole && !new_outputs(callee, states, &arrays, results))
            return NULL;
    }

    if (single)
        callee->one(arrays.data);
    else if (run_batch(callee, states, &arrays)) {
        if (whole)
            Py_DECREF(whole);
        else
            drop(callee->outputs, results);
        return NULL;
    }

    if (whole)
        return whole;
    if (!out)
        return new_result(callee, states, results);
    if (callee->result && Py_IS_TYPE(out, callee->result)) {
        drop(callee->outputs, results);
        return Py_NewRef(out);
    }
    return collected(callee, results);
}
