/* One tick of a whole-body law: its program from the terms of a state, level by level.  C99, no allocation. */
#ifndef ARTICULATED_TICK_H
#define ARTICULATED_TICK_H

#include "active_set.h"

/* Sizes: velocities, rows of all contacts, of all tasks, of the ground, and numbers of soles and levels. */
typedef struct {
    int nv, contacts, tasks, ground, soles, levels;
    const int *level;       /* levels + 1: where the tasks of each begin */
    const int *column;      /* ground: a row of the contact that each row of the ground is about */
    const int *sole;        /* 2 soles: the first of the four rows of the ground, the first column of the moment */
} Structure;

/* the largest program of a law, with all its slacks; and the working memory that takes */
#define MOST_COLUMNS(nv, contacts, ground) (3 * (nv) + 2 * (contacts) + (ground))
#define MOST_ROWS(nv, ground) (2 * (nv) + (ground))
#define MOST_TASKS(nv, contacts, tasks) ((nv) + (contacts) + (tasks)) /* and equalities */
#define TICK_NUMBERS(nv, contacts, tasks, ground) \
    (MOST_COLUMNS(nv, contacts, ground) * (2L * MOST_TASKS(nv, contacts, tasks) + MOST_ROWS(nv, ground) + 2) + \
     3L * MOST_TASKS(nv, contacts, tasks) + 3L * MOST_ROWS(nv, ground) + \
     ACTIVE_SET_NUMBERS(MOST_COLUMNS(nv, contacts, ground), MOST_TASKS(nv, contacts, tasks), MOST_ROWS(nv, ground)))
#define TICK_INTEGERS(nv, contacts, tasks, ground) \
    (2L * MOST_TASKS(nv, contacts, tasks) + MOST_ROWS(nv, ground) + (contacts) + \
     ACTIVE_SET_INTEGERS(MOST_COLUMNS(nv, contacts, ground), MOST_ROWS(nv, ground)))

/* Numbers that may change from tick to tick. */
typedef struct {
    const double *ground, *lower, *upper; /* on contact forces in units of `force`: (ground, contacts), and the bounds */
    const double *weight;                 /* of every row of a task */
    const double *limit;                  /* torque of every velocity; 0 where there is no motor */
    const double *standing;               /* contacts: 1 where the row takes part, else 0 */
    const double *options;                /* as below */
} Law;
enum { FORCE, ACCELERATION_WEIGHT, FORCE_WEIGHT, TORQUE_WEIGHT, CONTACT_WEIGHT, CONTACT_DAMPING, OPTIONS };

/* As `kernel_terms.py` has them. */
typedef struct {
    const double *balance, *h, *bias, *speed, *tasks, *wanted, *moments, *bounds;
} Terms;

/* What a tick has found: x = accelerations and forces in units of `force`; multipliers of joints, motors, contacts, and
   ground, by level; status (0 solved, 1 nearest, 2 none), steps, and the first level that is not confirmed. */
typedef struct {
    double *x, *multipliers;
    int *about;
} Found;

void tick(const Structure *s, const Law *law, const Terms *terms, double *numbers, int *integers, Found *found);

#endif
