/* Elimination, cost and rows of several problems of the same shape, at once. */
#ifndef ARTICULATED_LANES_H
#define ARTICULATED_LANES_H

#include "active_set.h"

enum { TOGETHER = 4 };

/* numbers of working memory, and of that `blocks` of each problem; and integers */
#define LANES_NUMBERS(n, tasks, equalities, rows) ((long)TOGETHER * (ACTIVE_SET_NUMBERS(n, tasks, equalities, rows) + 1))
#define LANES_INTEGERS(n, tasks) (2L * TOGETHER * (n) + 3L * (n) + (tasks))

/* A block, and the places of columns, for those problems that can be told from the first one by numbers alone, and whose
   pivots keep digits; the others are left as they are, to be solved one by one.  Blocks are `apart`. */
void eliminate_together(Problem *p, double *numbers, double *blocks, long apart, int *integers);

#endif
