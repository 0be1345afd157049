/* Dual active set of Goldfarb and Idnani (1983) in the null space of the equalities.

   x = x0 + Z y from Gauss-Jordan elimination; H = Zᵀ(Tᵀ w T + d)Z; from the least y without rows, the row enters
   that is farthest away, rows whose multiplier would change its sign leave, until none is violated.  From an x that
   meets the rows, a primal active set with the same factors.  An answer counts once its residuals confirm it.
   Rows of matrices over y are filled up with zeros to whole LANES. */
#include "active_set.h"

/* a Chunk is a vector of the compiler, whatever the processor has */
#ifdef __GNUC__
typedef double Chunk __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
#else
typedef double Chunk;
#endif
typedef double Number;
#define PROBLEMS 1
#define WHOLE LANES
#define OF(member) (p->member)
#define FROM(a, member) const double *const a[] = {p->member}
#define AT(a, j) (a[0][j])

static double larger(double a, double b) { return a > b ? a : b; } /* fmax is a call */
static double chosen(int which, double a, double b) { return which ? a : b; }
static double magnitude(double x) { return fabs(x); }
static double root(double x) { return sqrt(x); }
static int some(double x) { return x != 0; }
static int below(double a, double b) { return a < b; }
static int common(double x, int *failed) { return (void)failed, (int)x; }

static double sum(const Chunk *s)
{
#ifdef __GNUC__
    typedef double Pair __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));
    const Pair both = ((const Pair *)s)[0] + ((const Pair *)s)[1];
    return both[0] + both[1];
#else
    return *s;
#endif
}

static double dot(int n, const double *restrict a, const double *restrict b)
{
    Chunk s = {0};
    double rest = 0;
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        s += *(const Chunk *)(a + i) * *(const Chunk *)(b + i);
    for (; i < n; i++)
        rest += a[i] * b[i];
    return sum(&s) + rest;
}

static double square_of(int n, const double *x) { return dot(n, x, x); }

#include "reduction.h"

/* of the normal of a row, part beyond the active rows below which it depends on them, squared: rounding, far below the
   1e-18 or so that a row with a slack of large cost has there; and the cosine of a row and the step along which the
   active rows hold, below which it is at a bound by rounding */
#define DEPENDENT 1e-22
#define ALONG 1e-12
static void copy(long n, double *to, const double *from) { memcpy(to, from, (size_t)n * sizeof *to); }

static void add(int n, double *restrict a, double factor, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] += factor * b[i];
}

/* out = M x; four rows at a time, whose sums do not wait for each other */
static void times(int rows, int n, const double *restrict M, const double *restrict x, double *restrict out)
{
    int i = 0;
    for (; i + 4 <= rows; i += 4) {
        const double *a = M + (long)i * n, *b = a + n, *c = b + n, *d = c + n;
        Chunk s[4] = {{0}, {0}, {0}, {0}};
        for (int j = 0; j < n; j += LANES) {
            const Chunk *own = (const Chunk *)(x + j);
            s[0] += *(const Chunk *)(a + j) * *own, s[1] += *(const Chunk *)(b + j) * *own;
            s[2] += *(const Chunk *)(c + j) * *own, s[3] += *(const Chunk *)(d + j) * *own;
        }
        for (int k = 0; k < 4; k++)
            out[i + k] = sum(s + k);
    }
    for (; i < rows; i++)
        out[i] = dot(n, M + (long)i * n, x);
}

/* out += Mᵀ x, of whole lanes */
static void combine(int rows, int n, const double *restrict M, const double *restrict x, double *restrict out)
{
    int i = 0;
    for (; i + 4 <= rows; i += 4) {
        const double *a = M + (long)i * n, *b = a + n, *c = b + n, *d = c + n;
        for (int j = 0; j < n; j += LANES)
            *(Chunk *)(out + j) += (x[i] * *(const Chunk *)(a + j) + x[i + 1] * *(const Chunk *)(b + j)) +
                                   (x[i + 2] * *(const Chunk *)(c + j) + x[i + 3] * *(const Chunk *)(d + j));
    }
    for (; i < rows; i++)
        add_lanes(n, out, x[i], M + (long)i * n);
}

#include "projection.h"

/* -- rows that act ---------------------------------------------------------------------- */

/* The first `count` rows of J span the active rows, and J H Jᵀ = 1; W is the inverse of their triangular factor J Gᵀ, by
   columns, which are 0 below the diagonal. */
typedef struct {
    int n, width, count, steps;
    double *J, *W, *u, *d;
    double *values;        /* G y */
    int *active, *side;    /* numbers of the active rows; 1 at a lower bound, -1 at an upper one */
    int *on;               /* whether a row is active, or cannot be: -1 */
} Working;

/* W x, and Wᵀ x in the place of x */
static double *times_W(const Working *s, const double *x, double *out)
{
    combine(s->count, s->width, s->W, x, zeros(s->width, out));
    return out;
}
static void transposed(const Working *s, double *x)
{
    for (int j = s->count - 1; j >= 0; j--)
        x[j] = dot(j + 1, s->W + j * s->width, x);
}

/* step = Jᵀ d beyond the active rows; the square of its length in the metric */
static double beyond(const Working *s, double *step)
{
    const int k = s->count, width = s->width;
    combine(s->n - k, width, s->J + k * width, s->d + k, zeros(width, step));
    return dot(s->n - k, s->d + k, s->d + k);
}

/* A row enters by a reflection that makes d, beyond the active rows, a multiple of the first unit vector. */
static void enter(Working *s, int row, int side, double multiplier, double *step, double square)
{
    const int n = s->n, width = s->width, k = s->count;
    double *d = s->d;
    const double head = d[k] > 0 ? -sqrt(square) : sqrt(square), first = d[k] - head;
    const double length = square - d[k] * d[k] + first * first;
    double *own = times_W(s, d, s->W + k * width);
    for (int j = 0; j < k; j++)
        own[j] /= -head;
    own[k] = 1 / head;
    if (length > 0) {
        add_lanes(width, step, first - d[k], s->J + k * width);
        d[k] = first;
        for (int j = k; j < n; j++)
            add_lanes(width, s->J + j * width, -2 * d[j] / length, step);
    }
    s->active[k] = row, s->side[k] = side, s->u[k] = multiplier, s->on[row] = 1;
    s->count++;
}

static void rotate(int n, double a, double b, double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i += LANES) {
        const Chunk old = *(const Chunk *)(x + i), other = *(const Chunk *)(y + i);
        *(Chunk *)(x + i) = a * old + b * other;
        *(Chunk *)(y + i) = a * other - b * old;
    }
}

/* A row leaves, to which the first rows of J are orthogonal after rotations; what W has of it then is in its last column. */
static void leave(Working *s, int out)
{
    const int width = s->width, k = --s->count;
    s->on[s->active[out]] = 0;
    for (int j = out; j < k; j++) {
        s->active[j] = s->active[j + 1], s->side[j] = s->side[j + 1], s->u[j] = s->u[j + 1];
        double *own = s->W + j * width, *next = own + width;
        const double size = sqrt(own[out] * own[out] + next[out] * next[out]), a = next[out] / size, b = -own[out] / size;
        rotate(width, a, b, own, next);
        rotate(width, a, b, s->J + j * width, s->J + (j + 1) * width);
        const double d = s->d[j];
        s->d[j] = a * d + b * s->d[j + 1], s->d[j + 1] = a * s->d[j + 1] - b * d;
        for (int i = out; i <= j; i++)
            own[i] = own[i + 1];
        own[j + 1] = 0;
    }
}

/* By how much a row misses its bound; the side. */
static double violation(const Reduced *r, int i, double value, int *side)
{
    const double below = r->lower[i] - value, above = value - r->upper[i];
    *side = below > above ? 1 : -1;
    return larger(below, above);
}

/* One step of refinement of y and the multipliers on the active rows: H dy - N du = -slope, Nᵀ dy = what they miss.
   With dy = Jᵀ z that is z - (W⁻¹ du, 0) = -J slope and z = Wᵀ missed on the active rows. */
static void refine(const Reduced *r, Working *s, double *y, double *slope, double *z)
{
    const int n = r->n, width = r->width, k = s->count;
    times(n, width, r->H, y, slope);
    for (int i = 0; i < n; i++)
        slope[i] = -r->f[i] - slope[i];
    for (int i = n; i < width; i++)
        slope[i] = 0;
    for (int j = 0; j < k; j++)
        add_lanes(width, slope, s->side[j] * s->u[j], r->G + s->active[j] * width);
    times(n, width, s->J, slope, s->d);
    for (int j = 0; j < k; j++) {
        const int i = s->active[j];
        const double value = dot(width, r->G + i * width, y);
        z[j] = s->side[j] > 0 ? r->lower[i] - value : value - r->upper[i];
    }
    transposed(s, z);
    for (int j = 0; j < k; j++) {
        const double towards = s->d[j];
        s->d[j] = z[j], z[j] -= towards;
    }
    combine(n, width, s->J, s->d, y);
    combine(k, width, s->W, z, s->u);
}

/* y and multipliers of the active rows, of which those that pull leave, and all G y. */
static int settle(const Problem *p, const Reduced *r, Working *s, int most, double *y, double *slope, double *z)
{
    for (;;) {
        int pulling = -1;
        for (int pass = 0; pass < 3; pass++)
            refine(r, s, y, slope, z);
        for (int j = 0; j < s->count; j++)
            if (s->u[j] < 0 && (pulling < 0 || s->u[j] < s->u[pulling]))
                pulling = j;
        if (pulling < 0)
            break;
        if (++s->steps > most)
            return STEPS;
        leave(s, pulling);
    }
    times(p->rows, r->width, r->G, y, s->values);
    return SOLVED;
}

/* The violated row that is farthest away, or -1; after many steps the most violated one, which bounds their number. */
static int farthest(const Problem *p, const Reduced *r, const Working *s, double *restrict away, double *missed, int *side)
{
    const double *scale = s->steps < p->few ? r->nearness : NULL;
    int found = -1;
    double most = 0;
    for (int i = 0; i < p->rows; i++) { /* without branches */
        const double by = larger(r->lower[i] - s->values[i], s->values[i] - r->upper[i]);
        away[i] = by > r->tolerance[i] ? by : 0;
    }
    for (int i = 0; i < p->rows && scale; i++)
        away[i] *= scale[i];
    for (int j = 0; j < s->count; j++)
        away[s->active[j]] = 0;
    for (int i = 0; i < p->rows; i++)
        if (away[i] > most)
            most = away[i], found = i;
    if (found >= 0)
        *missed = violation(r, found, s->values[found], side);
    return found;
}

/* A row acts from now on, unless it depends on those that do. */
static int activate(const Reduced *r, Working *s, int row, int side, double *step)
{
    times(s->n, s->width, s->J, r->G + row * s->width, s->d);
    for (int j = 0; j < s->n; j++)
        s->d[j] *= side;
    const double square = beyond(s, step);
    if (s->count == s->n || !(square * r->nearness[row] > ALONG * sqrt(dot(s->width, step, step))))
        return 0;
    enter(s, row, side, 0, step, square);
    return 1;
}

/* Rows whose `multipliers` are not 0 are the first that act. */
static void begin(const Problem *p, const Reduced *r, Working *s, const double *multipliers, double *step)
{
    memset(s->on, 0, (size_t)p->rows * sizeof *s->on);
    for (int i = 0; i < p->rows; i++)
        if (multipliers[i] != 0)
            activate(r, s, i, multipliers[i] < 0 ? 1 : -1, step);
}

/* From the y without rows to that with them; rows whose `multipliers` are not 0 enter first. */
static int descend(const Problem *p, const Reduced *r, Working *s, int most, const double *multipliers, double *y,
                   double *step, double *row, double *ratio, double *along)
{
    const int n = r->n, width = r->width;
    int settled = 1, status = SOLVED, violated = 0, side;
    times(p->rows, width, r->G, y, s->values);
    for (int i = 0; i < p->rows; i++)
        violated |= violation(r, i, s->values[i], &side) > r->tolerance[i];
    if (!violated)
        return SOLVED;
    begin(p, r, s, multipliers, step);
    if (s->count)
        status = settle(p, r, s, most, y, step, ratio);
    while (!status) {
        double left = 0, multiplier = 0;
        const int worst = farthest(p, r, s, along, &left, &side);
        if (worst < 0) {
            if (settled)
                return SOLVED;
            status = settle(p, r, s, most, y, step, ratio), settled = 1; /* refined, others may be violated */
            continue;
        }
        for (int i = 0; i < width; i++)
            row[i] = side * r->G[worst * width + i];
        times(n, width, s->J, row, s->d);
        const double whole = dot(n, s->d, s->d);
        for (;;) {
            if (++s->steps > most)
                return STEPS;
            /* the step in y, and what it does to the multipliers of the active rows */
            const double square = beyond(s, step);
            double shortest = INFINITY;
            int out = -1;
            times_W(s, s->d, ratio);
            for (int j = 0; j < s->count; j++)
                if (ratio[j] > 1e-14 && s->u[j] < shortest * ratio[j])
                    shortest = s->u[j] / ratio[j], out = j;
            const int moves = square > DEPENDENT * whole;
            const double full = moves ? left / square : INFINITY, length = shortest < full ? shortest : full;
            if (length == INFINITY) {
                if (settled || multiplier > 0) { /* with the rows before it, this one excludes every y */
                    s->active[s->count] = worst, s->side[s->count] = side, s->u[s->count++] = multiplier + ROUNDING;
                    return INFEASIBLE;
                }
                /* a row that depends on others may be violated by their rounding */
                status = settle(p, r, s, most, y, step, ratio), settled = 1;
                break;
            }
            settled = 0;
            add(s->count, s->u, -length, ratio);
            multiplier += length;
            if (moves) {
                add(width, y, length, step);
                left -= length * square;
            }
            if (full <= shortest) {
                enter(s, worst, side, multiplier, step, square);
                break;
            }
            leave(s, out);
        }
        times(p->rows, width, r->G, y, s->values);
    }
    return status;
}

/* From a y that meets the rows to the least one, while they hold: a primal active set, to which rows that leave hardly
   any room are not infeasible.  `slope` is J times the gradient, which a step scales beyond the active rows. */
static int improve(const Problem *p, const Reduced *r, Working *s, int most, const double *multipliers, double *y,
                   double *step, double *slope, double *along)
{
    const int n = r->n, width = r->width;
    int least = 0, fresh = 0; /* whether y is the least on the active rows; and whether `slope` is not carried on */
    begin(p, r, s, multipliers, step);
    times(p->rows, width, r->G, y, s->values);
    for (;;) {
        if (++s->steps > most)
            return STEPS;
        if (!fresh) {
            times(n, width, r->H, y, step);
            add(n, step, 1, r->f);
            zeros(width - n, step + n);
            times(n, width, s->J, step, slope);
        }
        fresh = 1;
        if (least) {
            int pulling = 0;
            double size = 1;
            times_W(s, slope, s->u);
            for (int j = 0; j < s->count; j++) {
                size = larger(size, fabs(s->u[j]));
                pulling = s->u[j] < s->u[pulling] ? j : pulling;
            }
            if (!s->count || s->u[pulling] >= -ROW * size)
                break;
            copy(n, s->d, slope);
            leave(s, pulling);
            copy(n, slope, s->d);
            for (int i = 0; i < p->rows; i++)
                s->on[i] = s->on[i] > 0;
        }
        copy(n, s->d, slope);
        beyond(s, step);
        times(p->rows, width, r->G, step, along);
        const double length = sqrt(dot(width, step, step));
        double shortest = 1; /* to the least y, or to the row that blocks the way */
        int blocks = -1, side = 0;
        for (int i = 0; i < p->rows; i++) {
            const double speed = -along[i];
            if (s->on[i] || fabs(speed) * r->nearness[i] <= ALONG * length)
                continue;
            const double room = larger(0, speed > 0 ? r->upper[i] - s->values[i] : s->values[i] - r->lower[i]);
            if (room < shortest * fabs(speed))
                shortest = room / fabs(speed), blocks = i, side = speed > 0 ? -1 : 1;
        }
        add(width, y, -shortest, step);
        add(p->rows, s->values, -shortest, along);
        least = blocks < 0, fresh = !least;
        add(n - s->count, slope + s->count, -shortest, s->d + s->count);
        if (blocks < 0)
            continue;
        if (activate(r, s, blocks, side, step)) { /* whose reflection is 1 - 2 d dᵀ / dᵀ d */
            const int k = s->count - 1;
            const double *d = s->d + k;
            add(n - k, slope + k, -2 * dot(n - k, d, slope + k) / dot(n - k, d, d), d);
        } else
            s->on[blocks] = -1; /* until another row leaves */
    }
    refine(r, s, y, slope, along); /* once: y = 0 is near */
    times(p->rows, width, r->G, y, s->values);
    return SOLVED;
}

/* Karush, Kuhn and Tucker's conditions, beside the sizes of the terms that are added up. */
static int confirm(const Problem *p, const Reduced *r, const Working *s, const double *y, double *slope, double *size)
{
    const int n = r->n, width = r->width;
    double steepest = 0, largest_term = 1;
    for (int k = 0; k < p->rows; k++) {
        double terms = 1;
        int side;
        const double by = violation(r, k, s->values[k], &side);
        for (int j = 0; j < n && by > CONFIRMED; j++)
            terms += fabs(r->G[k * width + j] * y[j]);
        if (!(by <= CONFIRMED * terms)) /* nor NaN */
            return UNCONFIRMED;
    }
    times(n, width, r->H, y, slope);
    add(n, slope, 1, r->f);
    for (int j = 0; j < s->count; j++)
        add(n, slope, -s->side[j] * s->u[j], r->G + s->active[j] * width);
    for (int i = 0; i < n; i++)
        steepest = larger(steepest, fabs(slope[i]));
    for (int i = 0; i < n && steepest > CONFIRMED * largest_term; i++) {
        size[i] = fabs(r->f[i]);
        for (int j = 0; j < n; j++)
            size[i] += fabs(r->H[i * width + j] * y[j]);
        for (int j = 0; j < s->count; j++)
            size[i] += fabs(s->u[j] * r->G[s->active[j] * width + i]);
        largest_term = larger(largest_term, size[i]);
    }
    return steepest <= CONFIRMED * largest_term ? SOLVED : UNCONFIRMED;
}

/* -- the whole -------------------------------------------------------------------------- */

WIDE int active_set(const Problem *p, int most, double *numbers, int *integers, double *x, double *multipliers, int *steps)
{
    const int n = p->n;
    const long width = n + LANES, terms = n + p->tasks;
    double *next = numbers;
#define TAKE(count) (next += (count), next - (count))
    double *own = TAKE(BLOCK_NUMBERS(n, p->tasks, p->rows)), *block = p->block ? p->block : own;
    double *work = TAKE(p->equalities * (width + 1) + 3 * terms);
    int *places = p->block ? p->places : integers, status = SOLVED, count = 0;
    Working s = {0};
    s.W = TAKE(width * n), s.u = TAKE(width), s.d = TAKE(width), s.values = TAKE(p->rows); /* W was the factor U before */
    double *y = TAKE(width), *step = TAKE(width), *row = TAKE(width), *ratio = TAKE(width), *along = TAKE(p->rows + width);
    Reduced r = {0};
    *steps = 0;
    integers += 2 * n;
    if (p->block || p->kept) {
        for (int j = 0; j < n; j++)
            count += places[j] >= 0;
        lay_out(p, count, places, block, &r);
    } else if (reduced(p, work, integers, places, block, &r))
        return DEFICIENT;
    if (p->start && project(p, work, integers, places, y, s.values, &r))
        return DEFICIENT;
    integers += terms + 2 * n;
    s.active = integers, s.side = s.active + n + 1, s.on = s.side + n + 1;
    s.n = r.n, s.width = r.width, s.J = r.J;
    zeros(width, y);
    if (p->start)
        status = improve(p, &r, &s, most, multipliers, y, step, row, along);
    else {
        for (int pass = 0; pass < 2; pass++) /* the second corrects the rounding of the first */
            refine(&r, &s, y, step, ratio);
        status = descend(p, &r, &s, most, multipliers, y, step, row, ratio, along);
    }
    *steps = s.steps;
    zeros(p->rows, multipliers);
    for (int j = 0; j < s.count; j++)
        multipliers[s.active[j]] = -s.side[j] * s.u[j];
    times(n, r.width, r.Z, y, x);
    add(n, x, 1, r.x0);
    return status ? status : confirm(p, &r, &s, y, step, ratio);
}
