/* Memory of large arrays, kept for the next one of the same size when an array goes.  The system hands memory out page by
   page, which for a large result takes longer than to compute it.  NumPy asks for memory and returns it through
   handlers (NEP 49): an array lives and dies as any other, only where its numbers were is used again.  What is kept the
   system may take whenever it is short of memory. */
#define _GNU_SOURCE /* MADV_FREE */
#include "_call.h"

#include <stdlib.h>
#include <string.h>
#if defined(__linux__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#endif

enum {
    MOST_BLOCKS = 16,     /* kept at a time */
    LEAST_KEPT = 1 << 28, /* bytes that may be kept on any machine */
    SHARE_KEPT = 8,       /* and the part of its memory, if that is more and the system can take it */
    ALIGNED = 64,         /* where the numbers begin: whole cache lines */
    HUGE_PAGE = 1 << 21,  /* or there, if there are many of them */
    HUGE_PAGES = 1 << 22, /* bytes from which on NumPy asks for huge pages, and so do we */
};

/* what stands before the numbers of an array; at most ALIGNED bytes */
typedef struct {
    void *begin;
    size_t size; /* of the numbers */
} Block;

/* those nobody uses, oldest first; guarded by the GIL, which whoever makes or drops an array has */
static Block *kept[MOST_BLOCKS];
static int blocks;
static size_t bytes_kept, most_kept = LEAST_KEPT;

/* whole huge pages with these numbers */
static size_t huge_pages(size_t size) { return size < HUGE_PAGES ? 0 : size / HUGE_PAGE * HUGE_PAGE; }

static void *numbers_of(Block *block) { return (char *)block + ALIGNED; }
static Block *block_of(void *numbers) { return (Block *)((char *)numbers - ALIGNED); }

/* the block is no longer kept; those that are stay in order */
static Block *taken(int k)
{
    Block *block = kept[k];
    memmove(kept + k, kept + k + 1, (--blocks - k) * sizeof *kept);
    bytes_kept -= block->size;
    return block;
}

static void *block_new(size_t size)
{
    size_t step = huge_pages(size) ? HUGE_PAGE : ALIGNED;
    if (size > SIZE_MAX - ALIGNED - step)
        return NULL;
    char *begin = malloc(size + ALIGNED + step);
    if (!begin)
        return NULL;
    void *numbers = (void *)(((uintptr_t)begin + ALIGNED + step - 1) / step * step);
    *block_of(numbers) = (Block){begin, size};
#ifdef MADV_HUGEPAGE
    if (huge_pages(size))
        madvise(numbers, huge_pages(size), MADV_HUGEPAGE);
#endif
    return numbers;
}

/* -- as NumPy calls it ------------------------------------------------------------------ */

/* the block of this size that was in use last, or a new one */
static void *handler_malloc(void *Py_UNUSED(context), size_t size)
{
    for (int k = blocks; k--;)
        if (kept[k]->size == size)
            return numbers_of(taken(k));
    return block_new(size);
}

static void *handler_calloc(void *context, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    void *numbers = handler_malloc(context, count * size);
    return numbers ? memset(numbers, 0, count * size) : NULL;
}

/* The size that NumPy gives is not used: the block knows its own. */
static void handler_free(void *Py_UNUSED(context), void *numbers, size_t Py_UNUSED(size))
{
    if (!numbers)
        return;
    Block *block = block_of(numbers);
    if (block->size < LARGE || block->size > most_kept) {
        free(block->begin);
        return;
    }
    while (blocks == MOST_BLOCKS || bytes_kept + block->size > most_kept)
        free(taken(0)->begin);
#ifdef MADV_FREE
    if (huge_pages(block->size)) /* a page that is written again is ours again */
        madvise(numbers, huge_pages(block->size), MADV_FREE);
#endif
    kept[blocks++] = block;
    bytes_kept += block->size;
}

static void *handler_realloc(void *context, void *numbers, size_t size)
{
    void *other = handler_malloc(context, size);
    if (other && numbers) {
        size_t before = block_of(numbers)->size;
        memcpy(other, numbers, before < size ? before : size);
        handler_free(context, numbers, before);
    }
    return other;
}

static PyDataMem_Handler handler = {
    "articulated", 1, {NULL, handler_malloc, handler_calloc, handler_realloc, handler_free}
};

/* -- as we call it ---------------------------------------------------------------------- */

PyObject *memory_handler(void)
{
#if defined(MADV_FREE) && defined(_SC_PHYS_PAGES)
    size_t share = (size_t)sysconf(_SC_PHYS_PAGES) / SHARE_KEPT * sysconf(_SC_PAGESIZE);
    most_kept = share > LEAST_KEPT ? share : LEAST_KEPT;
#endif
    return PyCapsule_New(&handler, "mem_handler", NULL);
}

/* back to the handler that was there before, with the exception that was there before; 0 with another one if it fails */
static int restored(PyObject *before)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback); /* for want of memory, perhaps */
    PyObject *ours = PyDataMem_SetHandler(before);
    if (ours) {
        Py_DECREF(ours);
        PyErr_Restore(type, value, traceback);
        return 1;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return 0;
}

/* If somebody has set a handler of their own, it is theirs that counts.  Ours can only be there if there was no memory to
   restore the usual one. */
PyObject *memory_array(State *state, PyArray_Descr *descr, int ndim, npy_intp *shape)
{
    size_t bytes = descr->type_num == NPY_DOUBLE ? 8 : 4;
    for (int axis = 0; axis < ndim; axis++)
        bytes *= shape[axis];
    PyObject *before = bytes < LARGE ? NULL : PyDataMem_GetHandler(), *replaced = NULL;
    if (bytes >= LARGE && !before)
        return NULL;
    int switched = before && (before == PyDataMem_DefaultHandler || before == state->memory);
    if (switched && !(replaced = PyDataMem_SetHandler(state->memory))) {
        Py_DECREF(before);
        return NULL;
    }
    Py_XDECREF(replaced);
    Py_INCREF(descr); /* taken over, also on failure */
    PyObject *x = PyArray_NewFromDescr(&PyArray_Type, descr, ndim, shape, NULL, NULL, 0, NULL);
    if (switched && !restored(PyDataMem_DefaultHandler))
        Py_CLEAR(x);
    Py_XDECREF(before);
    return x;
}

/* (blocks, bytes) that are kept, and bytes that may be */
PyObject *memory_kept(void)
{
    return Py_BuildValue("inn", blocks, (Py_ssize_t)bytes_kept, (Py_ssize_t)most_kept);
}
