/* Kernels as Python functions: NumPy arrays in, NumPy arrays out, no Python between.  Anything out of the ordinary goes
   to a fallback, a Python function that takes the same arguments and gives the result or the error.  `python_call.py` is
   the same interface in Python. */
#define ARTICULATED_IMPORTS_NUMPY
#include "_call.h"

/* -- functions -------------------------------------------------------------------------- */

/* What a function is bound to, its `__self__`: a callee, a dict of callees by the name of a frame (a method of one
   frame) or under None (any other method), which are put there as they are compiled: a method is fast from then on,
   whoever holds it; or a program with loops, a tuple of its words and what they point at.  Like a tuple it never changes, so no cycle is made of these alone, and none has to be cleared
   here. */
typedef struct {
    PyObject_HEAD
    State *state;
    PyObject *target, *fallback, *name, *doc;
    Py_ssize_t inputs;
    PyMethodDef definition; /* points into name and doc */
} Binding;

typedef PyObject *Entry(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);

/* A program with loops on arrays that stay, as words: its arguments, the array that a call fills, the number of calls */
typedef int32_t (*Looped)(int64_t, void *, void *, void *, void *, void *);
enum { ADDRESS, ARGUMENTS, STRIDES, COUNTS, TABLES, LOCALS, GIVEN, CALLS, WORDS };

/* what was found, or what the fallback gives: null without an exception means that the callee declined */
static PyObject *or_fallback(Binding *self, PyObject *found, PyObject *const *args, Py_ssize_t given, PyObject *names)
{
    return found || PyErr_Occurred() ? found : PyObject_Vectorcall(self->fallback, args, given, names);
}

/* f(*arrays) or f(*arrays, out=…) */
static PyObject *call(PyObject *bound, PyObject *const *args, Py_ssize_t given, PyObject *names)
{
    Binding *self = (Binding *)bound;
    PyObject *found = NULL;
    if (!names)
        found = callee_run((Callee *)self->target, args, given, NULL);
    else if (PyTuple_GET_SIZE(names) == 1 && PyTuple_GET_ITEM(names, 0) == self->state->out)
        found = callee_run((Callee *)self->target, args, given, args[given]);
    return or_fallback(self, found, args, given, names);
}

/* the result of the callee under `key` in a table; null as from callee_run */
static PyObject *run_entry(Binding *self, PyObject *key, PyObject *const *args, Py_ssize_t given, PyObject *out)
{
    PyObject *callee = PyDict_GetItemWithError(self->target, key), *found = NULL;
    if (callee && Py_IS_TYPE(callee, self->state->callee_type)) {
        Py_INCREF(callee); /* the table may change while a batch runs without the GIL */
        found = callee_run((Callee *)callee, args, given, out);
        Py_DECREF(callee);
    }
    return found;
}

/* f(*arrays) or f(*arrays, out=…), by the callee under None */
static PyObject *call_method(PyObject *bound, PyObject *const *args, Py_ssize_t given, PyObject *names)
{
    Binding *self = (Binding *)bound;
    PyObject *found = NULL;
    if (!names)
        found = run_entry(self, Py_None, args, given, NULL);
    else if (PyTuple_GET_SIZE(names) == 1 && PyTuple_GET_ITEM(names, 0) == self->state->out)
        found = run_entry(self, Py_None, args, given, args[given]);
    return or_fallback(self, found, args, given, names);
}

/* f(*arrays, frame) with out= if wanted; the frame may be named */
static PyObject *call_by_frame(PyObject *bound, PyObject *const *args, Py_ssize_t given, PyObject *names)
{
    Binding *self = (Binding *)bound;
    PyObject *found = NULL, *out = NULL, *frame = given == self->inputs + 1 ? args[self->inputs] : NULL;
    int known = frame || given == self->inputs;
    for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); k++) {
        PyObject *name = PyTuple_GET_ITEM(names, k);
        if (name == self->state->frame && !frame)
            frame = args[given + k];
        else if (name == self->state->out)
            out = args[given + k];
        else
            known = 0;
    }
    if (known && frame && PyUnicode_CheckExact(frame))
        found = run_entry(self, frame, args, self->inputs, out);
    return or_fallback(self, found, args, given, names);
}

/* copy so many numbers, or zeros where there is no array; 0 if it is another array, or a number is not finite */
static int fill(double *target, Py_ssize_t count, PyObject *given)
{
    if (!given) {
        memset(target, 0, count * sizeof *target);
        return 1;
    }
    PyArrayObject *x = (PyArrayObject *)given;
    if (!PyArray_CheckExact(given) || PyArray_TYPE(x) != NPY_DOUBLE || PyArray_NDIM(x) != 1 ||
        PyArray_DIM(x, 0) != count || !PyArray_ISBEHAVED_RO(x))
        return 0;
    double sum = 0.0;
    for (Py_ssize_t k = 0; k < count; k++) {
        target[k] = *(double *)PyArray_GETPTR1(x, k);
        sum += 0.0 * target[k];
    }
    return sum == 0.0;
}

/* f() or f(array): run a program with loops on one state */
static PyObject *call_looped(PyObject *bound, PyObject *const *args, Py_ssize_t given, PyObject *names)
{
    Binding *self = (Binding *)bound;
    void **words = PyArray_DATA((PyArrayObject *)PyTuple_GET_ITEM(self->target, 0));
    if (names || given > 1 || !fill(words[GIVEN], self->inputs, given ? args[0] : NULL))
        return PyObject_Vectorcall(self->fallback, args, given, names);
    ((Looped)words[ADDRESS])(1, words[ARGUMENTS], words[STRIDES], words[COUNTS], words[TABLES], words[LOCALS]);
    ++*(int64_t *)words[CALLS];
    Py_RETURN_NONE;
}

/* The function holds the binding, and the binding all that its definition points at. */
PyObject *bound_function(State *state, PyObject *target, Py_ssize_t inputs, PyObject *fallback, PyObject *name,
                         PyObject *doc, int by_frame)
{
    const char *name_text = PyUnicode_AsUTF8(name), *doc_text = PyUnicode_AsUTF8(doc);
    if (!name_text || !doc_text)
        return NULL;
    if (!state->binding_type) /* cleared: the interpreter ends */
        return PyErr_Format(PyExc_RuntimeError, "no more functions");
    Binding *self = (Binding *)state->binding_type->tp_alloc(state->binding_type, 0);
    if (!self)
        return NULL;
    self->state = state;
    self->target = Py_NewRef(target);
    self->fallback = Py_NewRef(fallback);
    self->name = Py_NewRef(name);
    self->doc = Py_NewRef(doc);
    self->inputs = inputs;
    Entry *entry = by_frame ? call_by_frame : call_method;
    if (!PyDict_Check(target))
        entry = PyTuple_Check(target) ? call_looped : call;
    self->definition = (PyMethodDef){name_text, (PyCFunction)(void (*)(void))entry, METH_FASTCALL | METH_KEYWORDS, doc_text};
    PyObject *function = PyCFunction_NewEx(&self->definition, (PyObject *)self, NULL);
    Py_DECREF(self);
    return function;
}

/* A function is pickled as the attribute `name` of what it is bound to: there that is the fallback. */
static PyObject *binding_reduce(Binding *self, PyObject *Py_UNUSED(nothing))
{
    PyObject *types = PyImport_ImportModule("types");
    PyObject *namespace = types ? PyObject_GetAttrString(types, "SimpleNamespace") : NULL;
    Py_XDECREF(types);
    return namespace ? Py_BuildValue("N(){OO}", namespace, self->name, self->fallback) : NULL;
}

/* members are null between tp_alloc, which tracks it, and the end of bound_function: nothing can call it then */
static int binding_traverse(Binding *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->target);
    Py_VISIT(self->fallback);
    return 0;
}

static void binding_dealloc(Binding *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->target);
    Py_XDECREF(self->fallback);
    Py_XDECREF(self->name);
    Py_XDECREF(self->doc);
    type->tp_free(self);
    Py_DECREF(type);
}

/* -- the module ------------------------------------------------------------------------- */

/* kept_memory(): how many blocks, and how many bytes in all, wait for another array, and how many bytes may */
static PyObject *kept_memory(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(nothing)) { return memory_kept(); }

/* method(table, inputs, by_frame, fallback, name, doc): a function of so many arrays and, if so, a frame, by the callees
   that are or will be in the table */
static PyObject *method(PyObject *module, PyObject *args)
{
    PyObject *table, *fallback, *name, *doc;
    Py_ssize_t inputs;
    int by_frame;
    if (!PyArg_ParseTuple(args, "O!npOUU", &PyDict_Type, &table, &inputs, &by_frame, &fallback, &name, &doc))
        return NULL;
    return bound_function(PyModule_GetState(module), table, inputs, fallback, name, doc, by_frame);
}

/* looped(words, inputs, kept, fallback, name, doc): a function of one array of so many numbers; `kept` is what the words
   point at */
static PyObject *looped(PyObject *module, PyObject *args)
{
    PyObject *words, *kept, *fallback, *name, *doc;
    Py_ssize_t inputs;
    if (!PyArg_ParseTuple(args, "O!nOOUU", &PyArray_Type, &words, &inputs, &kept, &fallback, &name, &doc))
        return NULL;
    PyArrayObject *x = (PyArrayObject *)words;
    if (PyArray_TYPE(x) != NPY_INT64 || PyArray_SIZE(x) != WORDS || !PyArray_IS_C_CONTIGUOUS(x))
        return PyErr_Format(PyExc_ValueError, "a program with loops takes %d words", WORDS);
    PyObject *target = PyTuple_Pack(2, words, kept);
    PyObject *function =
        target ? bound_function(PyModule_GetState(module), target, inputs, fallback, name, doc, 0) : NULL;
    Py_XDECREF(target);
    return function;
}

/* empty(count): an array of so many doubles, none of them set, in memory of results that are gone */
static PyObject *empty(PyObject *module, PyObject *count)
{
    npy_intp size = PyNumber_AsSsize_t(count, PyExc_OverflowError);
    if (size == -1 && PyErr_Occurred())
        return NULL;
    PyArray_Descr *descr = PyArray_DescrFromType(NPY_DOUBLE);
    PyObject *x = memory_array(PyModule_GetState(module), descr, 1, &size);
    Py_DECREF(descr);
    return x;
}

static PyMethodDef binding_methods[] = {
    {"__reduce__", (PyCFunction)binding_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot binding_slots[] = {
    {Py_tp_dealloc, binding_dealloc},
    {Py_tp_traverse, binding_traverse},
    {Py_tp_methods, binding_methods},
    {0, NULL},
};
static PyType_Spec binding_spec = {
    .name = "articulated.compiler.runtime._call.Binding",
    .basicsize = sizeof(Binding),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = binding_slots,
};

/* members are null before, and those made so far are dropped by module_free if anything fails */
static int module_exec(PyObject *module)
{
    State *state = PyModule_GetState(module);
    import_array1(-1);
    state->callee_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &callee_spec, NULL);
    state->binding_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &binding_spec, NULL);
    state->out = PyUnicode_InternFromString("out");
    state->frame = PyUnicode_InternFromString("frame");
    state->memory = memory_handler();
    if (!state->callee_type || !state->binding_type || !state->out || !state->frame || !state->memory)
        return -1;
    if (PyModule_AddIntConstant(module, "MOST_ARRAYS", MOST_ARRAYS) < 0)
        return -1;
    if (PyModule_AddIntConstant(module, "MOST_AXES", MOST_AXES) < 0)
        return -1;
    return PyModule_AddType(module, state->callee_type);
}

/* the types hold the module, which holds them: a cycle that only the collector ends */
static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    State *state = PyModule_GetState(module);
    Py_VISIT(state->callee_type);
    Py_VISIT(state->binding_type);
    return 0;
}

static int module_clear(PyObject *module)
{
    State *state = PyModule_GetState(module);
    Py_CLEAR(state->callee_type);
    Py_CLEAR(state->binding_type);
    return 0;
}

/* every object of these types is gone: each would hold its type, and that the module */
static void module_free(void *module)
{
    State *state = PyModule_GetState(module);
    module_clear(module);
    Py_CLEAR(state->out);
    Py_CLEAR(state->frame);
    Py_CLEAR(state->memory);
}

static PyMethodDef functions[] = {
    {"kept_memory", kept_memory, METH_NOARGS, NULL},
    {"method", method, METH_VARARGS, NULL},
    {"looped", looped, METH_VARARGS, NULL},
    {"empty", empty, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED}, /* nor does NumPy */
#endif
    {0, NULL},
};
static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_call",
    .m_doc = "Kernels as Python functions, without Python between.",
    .m_size = sizeof(State),
    .m_methods = functions,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__call(void) { return PyModuleDef_Init(&definition); }
