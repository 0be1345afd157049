/* Threads that share a batch of states with the thread that called.  They never touch Python. */
#ifndef ARTICULATED_THREAD_POOL_H
#define ARTICULATED_THREAD_POOL_H

#include <stdint.h>

enum { MOST_ARRAYS = 24 };

/* The entry points of a kernel: pointers to its arrays, inputs first; for a batch also the bytes between two states
   of each.  A batch returns other than 0 if one of its arguments is not finite. */
typedef void (*One)(char **data);
typedef int32_t (*Batch)(int64_t states, char **data, const int64_t *strides);

/* A batch to be shared: whoever is free takes the next `share` states. */
typedef struct {
    Batch batch;
    int64_t states, share;
    int arrays;
    char **data;
    const int64_t *strides;
} Work;

typedef struct Pool Pool;

/* A pool nobody uses, or a new one; null without memory.  `idle` is a list of those that wait for work. */
Pool *pool_take(Pool **idle);
void pool_return(Pool **idle, Pool *pool);

/* Threads until the pool has this many workers; how many of them it has. */
int pool_grow(Pool *pool, int workers);

/* Through all states with so many workers at most; other than 0 if an argument is not finite. */
int32_t pool_run(Pool *pool, const Work *work, int workers);

/* Every idle pool ends; none of its memory is used by the caller any more. */
void pool_end_all(Pool **idle);

/* How many workers a pool has, and how many of them sleep; the next idle pool. */
int pool_size(const Pool *pool);
int pool_asleep(Pool *pool);
Pool *pool_next(const Pool *pool);

#endif
