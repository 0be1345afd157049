/* The text of `reduction.h` on numbers of several problems: one vector of the compiler, whatever the processor has. */
#include "lanes.h"

#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are arguments of functions that are inlined */
typedef double Number __attribute__((vector_size(TOGETHER * sizeof(double))));
typedef long long Mask __attribute__((vector_size(TOGETHER * sizeof(long long))));
typedef Number Chunk;
#define PROBLEMS TOGETHER
#define WHOLE 1
#define OF(member) ((Number){p[0].member, p[1].member, p[2].member, p[3].member})
#define FROM(a, member) const double *const a[] = {p[0].member, p[1].member, p[2].member, p[3].member}
#define AT(a, j) ((Number){a[0][j], a[1][j], a[2][j], a[3][j]})

static Number chosen(Mask which, Number a, Number b) { return (Number)((which & (Mask)a) | (~which & (Mask)b)); }
static Number larger(Number a, Number b) { return chosen(a > b, a, b); }
static Number magnitude(Number x) { return (Number)((Mask)x & ~(Mask)(-(Number){0})); }

static Number root(Number x)
{
    for (int k = 0; k < TOGETHER; k++)
        x[k] = sqrt(x[k]);
    return x;
}

static int bits(Mask which)
{
    typedef long long Half __attribute__((vector_size(TOGETHER / 2 * sizeof(long long))));
    which &= (Mask){1, 2, 4, 8};
    const Half either = ((const Half *)&which)[0] | ((const Half *)&which)[1];
    return (int)(either[0] | either[1]);
}

static int some(Number x) { return bits(x != 0); }
static int below(Number a, Number b) { return bits(a < b); }

/* as `dot` of `active_set.c` adds up; n are whole LANES */
static Number square_of(int n, const Number *x)
{
    Number a = {0}, b = a, c = a, d = a;
    for (int i = 0; i < n; i += LANES)
        a += x[i] * x[i], b += x[i + 1] * x[i + 1], c += x[i + 2] * x[i + 2], d += x[i + 3] * x[i + 3];
    return (a + c) + (b + d);
}

static int common(Number x, int *failed)
{
    const int others = ~*failed & ((1 << TOGETHER) - 1);
    const double first = x[others ? __builtin_ctz((unsigned)others) : 0];
    *failed |= bits(x != first);
    return (int)first;
}

#include "reduction.h"

static int same_rows(const Row *a, const Row *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i].factor != b[i].factor || a[i].first != b[i].first || a[i].count != b[i].count || a[i].slack != b[i].slack)
            return 0;
    return 1;
}

/* Whether two problems differ in numbers alone. */
static int alike(const Problem *a, const Problem *b)
{
    if (a->n != b->n || a->tasks != b->tasks || a->equalities != b->equalities || a->rows != b->rows)
        return 0;
    for (int j = 0; j < a->n; j++)
        if ((a->d[j] < INFINITY) != (b->d[j] < INFINITY))
            return 0;
    return !memcmp(a->prefer, b->prefer, 2 * (size_t)a->equalities * sizeof *a->prefer) && same_rows(a->T, b->T, a->tasks) &&
           same_rows(a->E, b->E, a->equalities) && same_rows(a->G, b->G, a->rows);
}

WIDE void eliminate_together(Problem *given, double *numbers, double *blocks, long apart, int *integers)
{
    const long terms = given->n + given->tasks, width = given->n + LANES;
    Number *work = (Number *)(((size_t)numbers + sizeof(Number) - 1) / sizeof(Number) * sizeof(Number));
    Number *block = work + given->equalities * (width + 1) + 3 * terms + given->n * width;
    Problem p[TOGETHER];
    Reduced r = {0};
    int failed = 0, *places = integers + 2 * given->n + terms, columns = 2 * given->n;
    for (int k = 0; k < TOGETHER; k++) {
        const int fits = alike(given, given + k);
        p[k] = given[fits ? k : 0], failed |= fits ? 0 : 1 << k;
    }
    if (2 * __builtin_popcount((unsigned)failed) > TOGETHER || (failed |= reduced(p, work, integers, places, block, &r)) == ALL)
        return;
    const long size = r.Z - r.x0 + (long)given->n * r.width;
    for (long i = 0; i < size; i++)
        for (int k = 0; k < TOGETHER; k++)
            blocks[k * apart + i] = block[i][k];
    for (int k = 0; k < TOGETHER; k++)
        if (!(failed >> k & 1)) {
            given[k].block = blocks + k * apart, given[k].places = places + k * columns;
            memmove(given[k].places, places, (size_t)columns * sizeof *places);
        }
}
#else
void eliminate_together(Problem *p, double *numbers, double *blocks, long apart, int *integers) { (void)p, (void)numbers, (void)blocks, (void)apart, (void)integers; }
#endif
