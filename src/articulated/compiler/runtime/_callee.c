/* The type Callee: a kernel with its entry points, for functions and for whoever wants to know if it was declined. */
#include "_call.h"

/* a size of at least 1, or an exception */
static npy_intp positive(PyObject *number)
{
    npy_intp found = PyLong_AsSsize_t(number);
    if (found < 1 && !PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "arrays are not empty; got a size of %zd", (Py_ssize_t)found);
    return found;
}

/* sizes and shapes that fit; 0 with an exception */
static int read_shapes(Callee *callee, PyObject *sizes, PyObject *shapes)
{
    for (int i = 0; i < callee->inputs; i++)
        callee->sizes[i] = positive(PyTuple_GET_ITEM(sizes, i));
    for (int k = 0; k < callee->outputs; k++) {
        PyObject *shape = PyTuple_GET_ITEM(shapes, k);
        Output *output = &callee->output[k];
        if (!PyTuple_Check(shape) || PyTuple_GET_SIZE(shape) > MOST_AXES) {
            PyErr_Format(PyExc_ValueError, "a shape is a tuple of at most %d sizes", MOST_AXES);
            return 0;
        }
        output->ndim = (int)PyTuple_GET_SIZE(shape);
        output->count = 1;
        for (int axis = 0; axis < output->ndim; axis++) {
            output->dims[axis] = positive(PyTuple_GET_ITEM(shape, axis));
            output->count *= output->dims[axis];
        }
        callee->row += output->count * callee->item;
        callee->reuses[0] = callee->reuses[0] && output->ndim; /* scalars have no memory to fill again */
    }
    return !PyErr_Occurred();
}

/* Callee(sizes, shapes, dtype, result, most): vectors of these sizes in, arrays of these shapes
   out, at most so many states in one call; result is a type of tuple for the arrays, or None for a single one */
static PyObject *callee_new(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *keys[] = {"sizes", "shapes", "dtype", "result", "most", NULL};
    PyObject *sizes, *shapes, *result;
    PyArray_Descr *descr;
    Py_ssize_t most;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O!O!O!On", keys, &PyTuple_Type, &sizes, &PyTuple_Type, &shapes,
                                     &PyArrayDescr_Type, &descr, &result, &most))
        return NULL;
    Py_ssize_t inputs = PyTuple_GET_SIZE(sizes), outputs = PyTuple_GET_SIZE(shapes);
    if (!inputs || !outputs || inputs + outputs > MOST_ARRAYS)
        return PyErr_Format(PyExc_ValueError, "a kernel takes and gives 1 to %d arrays", MOST_ARRAYS);
    if ((descr->type_num != NPY_DOUBLE && descr->type_num != NPY_FLOAT) || !PyArray_ISNBO(descr->byteorder))
        return PyErr_Format(PyExc_TypeError, "the dtype is float64 or float32; got %R", descr);
    int many = result != Py_None;
    if (many && !(PyType_Check(result) && PyType_IsSubtype((PyTypeObject *)result, &PyTuple_Type)))
        return PyErr_Format(PyExc_TypeError, "the result is a type of tuple or None; got %R", result);
    if (!many && outputs != 1)
        return PyErr_Format(PyExc_ValueError, "%zd arrays need a type of tuple", outputs);

    Callee *callee = (Callee *)type->tp_alloc(type, 0);
    if (!callee)
        return NULL;
    callee->state = PyType_GetModuleState(type);
    callee->inputs = (int)inputs;
    callee->outputs = (int)outputs;
    callee->most = most;
    callee->descr = (PyArray_Descr *)Py_NewRef(descr);
    callee->item = descr->type_num == NPY_DOUBLE ? 8 : 4;
    callee->result = many ? (PyTypeObject *)Py_NewRef(result) : NULL;
    /* a tuple that can have attributes or weak references would show that it is used again */
    callee->reuses[1] = !many || !(callee->result->tp_dictoffset || callee->result->tp_weaklistoffset);
    callee->reuses[0] = callee->reuses[1];
    if (!callee->state || !read_shapes(callee, sizes, shapes)) {
        Py_DECREF(callee);
        return NULL;
    }
    return (PyObject *)callee;
}

/* callee.add(entry, address, code): the entry point for one state (0) or a batch (1), and what keeps it in memory */
static PyObject *callee_add(Callee *callee, PyObject *args)
{
    int entry;
    unsigned long long address;
    PyObject *code;
    if (!PyArg_ParseTuple(args, "iKO", &entry, &address, &code))
        return NULL;
    if ((entry != 0 && entry != 1) || !address || callee->code[entry])
        return PyErr_Format(PyExc_ValueError, "no entry point %d, or there is one already", entry);
    callee->code[entry] = Py_NewRef(code);
    if (entry)
        callee->batch = (Batch)(uintptr_t)address;
    else
        callee->one = (One)(uintptr_t)address;
    Py_RETURN_NONE;
}

/* callee.withdraw(): no entry points from now on; the code stays for calls under way */
static PyObject *callee_withdraw(Callee *callee, PyObject *Py_UNUSED(nothing))
{
    callee->one = NULL;
    callee->batch = NULL;
    Py_RETURN_NONE;
}

/* callee.attempt(arrays, out): the result, or None if anything is out of the ordinary */
static PyObject *callee_attempt(Callee *callee, PyObject *args)
{
    PyObject *arrays, *out = Py_None, *found;
    if (!PyArg_ParseTuple(args, "O!|O", &PyTuple_Type, &arrays, &out))
        return NULL;
    found = callee_run(callee, PySequence_Fast_ITEMS(arrays), PyTuple_GET_SIZE(arrays), out == Py_None ? NULL : out);
    return found || PyErr_Occurred() ? found : Py_NewRef(Py_None);
}

/* tracked since tp_alloc, so members may still be null */
static int callee_traverse(Callee *callee, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(callee));
    Py_VISIT(callee->result);
    for (int entry = 0; entry < 2; entry++)
        Py_VISIT(callee->code[entry]);
    for (int r = 0; r < RING; r++) {
        Py_VISIT(callee->ring[0][r]);
        Py_VISIT(callee->ring[1][r]);
    }
    return 0;
}

/* Only what a call can do without: something else in a dying cycle may call once more. */
static int callee_clear(Callee *callee)
{
    for (int r = 0; r < RING; r++) {
        Py_CLEAR(callee->ring[0][r]);
        Py_CLEAR(callee->ring[1][r]);
    }
    return 0;
}

/* nobody holds the callee, so nobody runs its code */
static void callee_dealloc(Callee *callee)
{
    PyTypeObject *type = Py_TYPE(callee);
    PyObject_GC_UnTrack(callee);
    callee_clear(callee);
    for (int entry = 0; entry < 2; entry++)
        Py_CLEAR(callee->code[entry]);
    Py_CLEAR(callee->result);
    Py_CLEAR(callee->descr);
    type->tp_free(callee);
    Py_DECREF(type);
}

/* callee.function(fallback, name, doc) */
static PyObject *callee_function(Callee *callee, PyObject *args)
{
    PyObject *fallback, *name, *doc;
    if (!PyArg_ParseTuple(args, "OUU", &fallback, &name, &doc))
        return NULL;
    return bound_function(callee->state, (PyObject *)callee, callee->inputs, fallback, name, doc, 0);
}

static PyMethodDef callee_methods[] = {
    {"add", (PyCFunction)callee_add, METH_VARARGS, NULL},
    {"withdraw", (PyCFunction)callee_withdraw, METH_NOARGS, NULL},
    {"attempt", (PyCFunction)callee_attempt, METH_VARARGS, NULL},
    {"function", (PyCFunction)callee_function, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot callee_slots[] = {
    {Py_tp_new, callee_new},         {Py_tp_dealloc, callee_dealloc}, {Py_tp_traverse, callee_traverse},
    {Py_tp_clear, callee_clear},     {Py_tp_methods, callee_methods}, {0, NULL},
};
PyType_Spec callee_spec = {
    .name = "articulated.compiler.runtime._call.Callee",
    .basicsize = sizeof(Callee),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = callee_slots,
};
