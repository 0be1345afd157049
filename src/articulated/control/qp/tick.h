/* One tick of a whole-body law: its program from the terms of a state, level by level.  C99, no allocation. */
#ifndef ARTICULATED_TICK_H
#define ARTICULATED_TICK_H

#include "active_set.h"

/* Sizes: velocities, rows of all contacts, of all tasks, of the ground, numbers of soles and levels, rows on
   accelerations that are given, and motors. */
typedef struct {
    int nv, contacts, tasks, ground, soles, levels, given, motors;
    const int *level;  /* levels + 1: where the tasks of each begin */
    const int *column; /* ground: a row of the contact that each row of the ground is about */
    const int *sole;   /* 3 soles: the first of the four rows of the ground, the first column of the moment, their number */
    const int *alone;  /* tasks: the column of x that the row is about, or -1: several */
    const int *motor;  /* motors: their velocities */
} Structure;

/* the largest program of a law, with all its slacks; and the working memory that takes, first that of the Assembly */
#define MOST_COLUMNS(nv, contacts, tasks, ground, given) (3 * (nv) + 2 * (contacts) + (ground) + (given))
#define MOST_ROWS(nv, contacts, tasks, ground, given) (2 * (nv) + (ground) + (given))
#define MOST_TASKS(nv, contacts, tasks, ground, given) ((nv) + (contacts) + (tasks)) /* and equalities */
#define TICK_ROWS(...) (2 * MOST_TASKS(__VA_ARGS__) + MOST_ROWS(__VA_ARGS__))
#define ASSEMBLY_NUMBERS(nv, contacts, tasks, ground, given) \
    (2L * MOST_COLUMNS(nv, contacts, tasks, ground, given) + 3L * MOST_TASKS(nv, contacts, tasks, ground, given) + \
     3L * MOST_ROWS(nv, contacts, tasks, ground, given) + 6L * (ground))
#define ASSEMBLY_INTEGERS(...) (2L * MOST_TASKS(__VA_ARGS__) + MOST_ROWS(__VA_ARGS__))
#define TICK_NUMBERS(...) \
    (ASSEMBLY_NUMBERS(__VA_ARGS__) + ACTIVE_SET_NUMBERS(MOST_COLUMNS(__VA_ARGS__), MOST_TASKS(__VA_ARGS__), \
                                                        MOST_TASKS(__VA_ARGS__), MOST_ROWS(__VA_ARGS__)))
#define TICK_INTEGERS(...) \
    (ASSEMBLY_INTEGERS(__VA_ARGS__) + \
     ACTIVE_SET_INTEGERS(MOST_COLUMNS(__VA_ARGS__), MOST_TASKS(__VA_ARGS__), MOST_ROWS(__VA_ARGS__)))

/* Numbers that may change from tick to tick. */
typedef struct {
    const double *ground, *lower, *upper; /* on contact forces in units of `force`: (ground, contacts), and the bounds */
    const double *weight;                 /* of every row of a task */
    const double *limit, *no_load;        /* torque of every velocity, 0 where there is no motor; speed without a load */
    const double *standing;               /* contacts: 1 where the row takes part, else 0 */
    const double *moving;                 /* 2 contacts: velocities of the ground below them, and accelerations */
    const double *given, *least;          /* given a >= least: (given, nv) */
    const double *options;                /* as below */
} Law;
enum { FORCE, ACCELERATION_WEIGHT, FORCE_WEIGHT, TORQUE_WEIGHT, CONTACT_WEIGHT, CONTACT_DAMPING, OPTIONS };

/* As `kernel_terms.py` has them. */
typedef struct {
    const double *balance, *h, *bias, *speed, *tasks, *wanted, *moments, *bounds, *velocity;
} Terms;

/* What a tick has found: x = accelerations, and forces; multipliers of joints, motors, contacts, ground, and given rows,
   by level; torques of the motors, residuals of the tasks, the cost; status (0 solved, 1 nearest, 2 none, 3 terms that
   are not finite), steps, and the first level that is not confirmed. */
typedef struct {
    double *x, *multipliers, *tau, *residual, *cost;
    int *about;
} Found;

/* A program, and the working memory of its solver. */
typedef struct {
    int n, equalities, rows, tasks, slacks; /* slacks so far */
    Row *T, *E, *G;
    double *b, *w, *d, *e, *lower, *upper, *multipliers, *x;
    double *soles;        /* rows of the ground with the moments of a state */
    int *prefer, *number; /* of each row its place among the multipliers */
    double *numbers;
    int *integers;
} Assembly;

/* The program of the first level in arrays of `numbers`, `integers` and `work`; and its solution, that of other levels and
   of programs that give way, from it on: `program` is the first one, of which lanes may have eliminated a part. */
void assemble(const Structure *s, const Law *law, const Terms *terms, double *numbers, int *integers, Row *work, Assembly *p);
Problem program(const Assembly *p);
void complete(const Structure *s, const Law *law, const Terms *terms, Assembly *p, Problem program, Found *found);

void tick(const Structure *s, const Law *law, const Terms *terms, double *numbers, int *integers, Row *rows, Found *found);

#endif
