/* Helper threads that share a batch of states with the thread that called.  They never touch Python. */
#ifndef ARTICULATED_CREW_H
#define ARTICULATED_CREW_H

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

typedef struct Crew Crew;

/* A crew nobody uses, or a new one; null without memory.  `idle` is a list of those that wait for work. */
Crew *crew_take(Crew **idle);
void crew_return(Crew **idle, Crew *crew);

/* Threads until the crew has this many helpers; how many of them it has. */
int crew_hire(Crew *crew, int helpers);

/* Through all states with so many helpers at most; other than 0 if an argument is not finite. */
int32_t crew_run(Crew *crew, const Work *work, int helpers);

/* Every idle crew ends; none of its memory is used by the caller any more. */
void crew_dismiss(Crew **idle);

/* How many helpers a crew has, and how many of them sleep; the next idle crew. */
int crew_size(const Crew *crew);
int crew_asleep(Crew *crew);
Crew *crew_next(const Crew *crew);

#endif
