/* Least squares with equalities and two-sided rows, by a dual active set.  C99, no allocation, a bounded number of steps. */
#ifndef ARTICULATED_ACTIVE_SET_H
#define ARTICULATED_ACTIVE_SET_H

#include <math.h>
#include <string.h>

#if defined(__GLIBC__) && defined(__x86_64__) && !defined(__clang__) /* code for two processors, of which one is chosen */
#define WIDE __attribute__((target_clones("avx2", "default"), flatten))
#else
#define WIDE
#endif
#ifdef __GNUC__
#define LANES 4 /* numbers of a row that are added at once */
#else
#define LANES 1
#endif

enum { SOLVED = 0, INFEASIBLE = 1, STEPS = 2, DEFICIENT = 3, UNCONFIRMED = 4 };

/* Coefficients of `count` columns of x from `first` on, times `factor`; and the column of a slack, whose coefficient is 1,
   or -1. */
typedef struct {
    const double *a;
    double factor;
    int first, count, slack;
} Row;

/* least  1/2 sum w (T x - b)^2 + 1/2 sum d x^2   with  E x = e,  lower <= G x <= upper;  where d is infinite, x is 0.
   An equality is solved for one of its columns from `prefer[2 i]` up to `prefer[2 i + 1]` where that keeps digits. */
typedef struct {
    int n, tasks, equalities, rows;
    const Row *T, *E, *G;
    const double *b, *w, *d, *e, *lower, *upper;
    const int *prefer;
    const double *start; /* an x from which to begin, which moves the bounds that it does not meet; or NULL */
    int few;             /* steps after which the most violated row enters, not the farthest one */
    int kept;            /* equalities of the problem before, in the same memory, which had the same rows */
    double *block;       /* the problem over y, and the places of columns, as `lanes.c` has made them, or NULL */
    int *places;
} Problem;

/* numbers of a problem over y */
#define BLOCK_NUMBERS(n, tasks, rows) (((n) + 4L) * (3L * (n) + (rows) + (tasks) + 1) + (n) + 4L * (rows))

/* numbers of working memory, and integers, that a problem of this size takes */
#define ACTIVE_SET_NUMBERS(n, tasks, equalities, rows) \
    (BLOCK_NUMBERS(n, tasks, rows) + (equalities) * ((n) + 5L) + ((n) + 4L) * ((n) + 7) + 3L * ((n) + (tasks)) + 2L * (rows))
#define ACTIVE_SET_INTEGERS(n, tasks, rows) (7L * (n) + (tasks) + (rows) + 2)

/* The least x (n), the multipliers of the rows (positive at an upper bound), and the number of steps; the status.  Rows
   whose multipliers are not 0 before are tried first. */
int active_set(const Problem *problem, int most, double *numbers, int *integers, double *x, double *multipliers,
               int *steps);

#endif
