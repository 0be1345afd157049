/* Dual active set of Goldfarb and Idnani (1983) in the null space of the equalities.

   x = x0 + Z y from Gauss-Jordan elimination; H = Zᵀ(Tᵀ w T + d)Z = L Lᵀ; from the least y without rows, the most
   violated row enters, rows whose multiplier would change its sign leave, until none is violated.  An answer counts
   once its residuals confirm it. */
#include "active_set.h"
#include <math.h>
#include <string.h>

/* smaller beside the other coefficients of its row, a pivot loses digits; and is rounding */
#define SMALL 1e-2
#define ROUNDING 1e-9
/* primal and dual feasibility tolerances, relative to the terms that are added up */
#define ROW 1e-10
#define CONFIRMED 1e-8
/* of the normal of a row, part beyond the active rows below which it depends on them, squared */
#define DEPENDENT 1e-18

static double dot(int n, const double *restrict a, const double *restrict b)
{
    double s[4] = {0, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int j = 0; j < 4; j++)
            s[j] += a[i + j] * b[i + j];
    for (; i < n; i++)
        s[0] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static void add(int n, double *restrict a, double factor, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] += factor * b[i];
}

/* -- equalities ------------------------------------------------------------------------- */

/* The problem in the coordinates y: x = x0 + Z y. */
typedef struct {
    int n; /* of y */
    double *x0, *Z, *H, *L, *f, *G, *lower, *upper, *tolerance;
    const int *place; /* among y of a column of x that is one of them, else -1 */
} Reduced;

/* The column of a row of E with the largest coefficient from `first` up to `end` that is not solved for yet. */
static int largest(const double *row, const int *solved_by, int first, int end, double *size)
{
    int found = -1;
    *size = 0;
    for (int j = first; j < end; j++)
        if (solved_by[j] < 0 && fabs(row[j]) > *size)
            *size = fabs(row[j]), found = j;
    return found;
}

/* Each equality solved for one column, which leaves the others: Gauss-Jordan.  `solved_by` has the row of a column, or -1.
   Rows that are combinations of those before are left out if they agree with them. */
static int eliminate(const Problem *p, double *E, int *solved_by)
{
    const int n = p->n, width = n + 1;
    for (int j = 0; j < n; j++)
        solved_by[j] = -1;
    for (int i = 0; i < p->equalities; i++) {
        memcpy(E + i * width, p->E + i * n, n * sizeof *E);
        E[i * width + n] = p->e[i];
    }
    for (int i = 0; i < p->equalities; i++) {
        double *row = E + i * width, size = 0, other, whole = fabs(p->e[i]);
        for (int j = 0; j < n; j++) {
            size = fmax(size, fabs(p->E[i * n + j]));
            whole = fmax(whole, fabs(p->E[i * n + j]));
        }
        int column = largest(row, solved_by, p->prefer[2 * i], p->prefer[2 * i + 1], &other);
        if (other < SMALL * size) {
            double any;
            const int second = largest(row, solved_by, 0, n, &any);
            if (any > other)
                column = second, other = any;
        }
        if (other <= ROUNDING * size) {
            if (fabs(row[n]) > CONFIRMED * (1 + whole))
                return DEFICIENT;
            memset(row, 0, width * sizeof *row);
            continue;
        }
        solved_by[column] = i;
        const double factor = 1 / row[column];
        for (int j = 0; j < width; j++)
            row[j] *= factor;
        for (int k = 0; k < p->equalities; k++)
            if (k != i && E[k * width + column] != 0)
                add(width, E + k * width, -E[k * width + column], row);
    }
    return SOLVED;
}

/* x0 and Z from the eliminated rows; the number of columns of Z.  At last `solved_by` has the places of columns in y. */
static int parametrize(const Problem *p, const double *E, int *solved_by, int *left, double *x0, double *Z)
{
    const int n = p->n;
    int count = 0;
    for (int j = 0; j < n; j++)
        if (solved_by[j] < 0)
            left[count++] = j;
    memset(Z, 0, (size_t)n * count * sizeof *Z);
    for (int j = 0; j < n; j++) {
        const double *row = E + solved_by[j] * (n + 1);
        x0[j] = solved_by[j] < 0 ? 0 : row[n];
        for (int k = 0; k < count && solved_by[j] >= 0; k++)
            Z[j * count + k] = -row[left[k]];
    }
    for (int j = 0; j < n; j++)
        solved_by[j] = -1;
    for (int k = 0; k < count; k++)
        Z[left[k] * count + k] = 1, solved_by[left[k]] = k;
    return count;
}

/* out = row Z, and row x0 */
static double reduce(const Problem *p, const Reduced *r, const double *row, double *out)
{
    double at = 0;
    memset(out, 0, r->n * sizeof *out);
    for (int j = 0; j < p->n; j++)
        if (r->place[j] >= 0)
            out[r->place[j]] += row[j];
        else if (row[j] != 0) {
            at += row[j] * r->x0[j];
            add(r->n, out, row[j], r->Z + j * r->n);
        }
    return at;
}

static void weigh(int n, double *H, double *f, double weight, const double *row, double residual)
{
    add(n, f, weight * residual, row);
    for (int i = 0; i < n; i++)
        if (row[i] != 0)
            add(n - i, H + i * n + i, weight * row[i], row + i);
}

/* Cost and rows in the coordinates y, and the factor of H: L by columns, upper right half of the array. */
static int project(const Problem *p, Reduced *r, double *row)
{
    const int n = r->n;
    memset(r->H, 0, (size_t)n * n * sizeof *r->H);
    memset(r->f, 0, n * sizeof *r->f);
    for (int k = 0; k < p->tasks; k++)
        if (p->w[k] > 0) {
            const double at = reduce(p, r, p->T + k * p->n, row);
            weigh(n, r->H, r->f, p->w[k], row, at - p->b[k]);
        }
    for (int j = 0; j < p->n; j++)
        if (r->place[j] >= 0)
            r->H[r->place[j] * (n + 1)] += p->d[j];
        else
            weigh(n, r->H, r->f, p->d[j], r->Z + j * n, r->x0[j]);
    for (int i = 0; i < p->rows; i++) {
        double *own = r->G + i * n;
        const double *given = p->G + i * p->n, at = reduce(p, r, given, own);
        if (dot(n, own, own) <= ROUNDING * ROUNDING * dot(p->n, given, given)) /* a combination of equalities */
            memset(own, 0, n * sizeof *own);
        r->tolerance[i] = ROW * (1 + sqrt(dot(n, own, own)) + fabs(at));
        r->lower[i] = p->lower[i] - at, r->upper[i] = p->upper[i] - at;
    }
    memcpy(r->L, r->H, (size_t)n * n * sizeof *r->L);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j; i++)
            r->H[j * n + i] = r->H[i * n + j];
        double *column = r->L + j * n;
        if (!(column[j] > 0))
            return DEFICIENT;
        const double factor = 1 / sqrt(column[j]);
        for (int i = j; i < n; i++)
            column[i] *= factor;
        for (int k = j + 1; k < n; k++)
            add(n - k, r->L + k * n + k, -column[k], column + k);
    }
    return SOLVED;
}

/* x = (L Lᵀ)⁻¹ x */
static void solve(int n, const double *L, double *x)
{
    for (int j = 0; j < n; j++) {
        x[j] /= L[j * n + j];
        add(n - j - 1, x + j + 1, -x[j], L + j * n + j + 1);
    }
    for (int j = n - 1; j >= 0; j--)
        x[j] = (x[j] - dot(n - j - 1, L + j * n + j + 1, x + j + 1)) / L[j * n + j];
}

/* -- rows that act ---------------------------------------------------------------------- */

/* The first `count` rows of J span the active rows, and J H Jᵀ = 1; R is their triangular factor, by columns. */
typedef struct {
    int n, count;
    double *J, *R, *u, *d;
    int *active, *side; /* numbers of the active rows; 1 at a lower bound, -1 at an upper one */
} Working;

/* R⁻¹ x, and R⁻ᵀ x */
static void back(const Working *s, double *x)
{
    for (int j = s->count - 1; j >= 0; j--) {
        x[j] /= s->R[j * s->n + j];
        add(j, x, -x[j], s->R + j * s->n);
    }
}
static void forth(const Working *s, double *x)
{
    for (int j = 0; j < s->count; j++)
        x[j] = (x[j] - dot(j, s->R + j * s->n, x)) / s->R[j * s->n + j];
}

/* A row enters by a reflection that makes d, beyond the active rows, a multiple of the first unit vector. */
static void enter(Working *s, int row, int side, double multiplier, double *step, double square)
{
    const int n = s->n, k = s->count;
    double *d = s->d;
    const double head = d[k] > 0 ? -sqrt(square) : sqrt(square), first = d[k] - head;
    const double length = square - d[k] * d[k] + first * first;
    memcpy(s->R + k * n, d, k * sizeof *d);
    s->R[k * n + k] = head;
    if (length > 0) {
        add(n, step, first - d[k], s->J + k * n);
        d[k] = first;
        for (int j = k; j < n; j++)
            add(n, s->J + j * n, -2 * d[j] / length, step);
    }
    s->active[k] = row, s->side[k] = side, s->u[k] = multiplier;
    s->count++;
}

static void rotate(double a, double b, double *x, double *y)
{
    const double old = *x;
    *x = a * old + b * *y;
    *y = a * *y - b * old;
}

/* A row leaves; rotations make R triangular again. */
static void leave(Working *s, int out)
{
    const int n = s->n, k = --s->count;
    for (int j = out; j < k; j++) {
        s->active[j] = s->active[j + 1], s->side[j] = s->side[j + 1], s->u[j] = s->u[j + 1];
        memcpy(s->R + j * n, s->R + (j + 1) * n, (j + 2) * sizeof *s->R);
    }
    for (int j = out; j < k; j++) {
        double a = s->R[j * n + j], b = s->R[j * n + j + 1];
        const double size = sqrt(a * a + b * b);
        if (size == 0)
            continue;
        a /= size, b /= size;
        for (int i = j; i < k; i++)
            rotate(a, b, s->R + i * n + j, s->R + i * n + j + 1);
        for (int i = 0; i < n; i++)
            rotate(a, b, s->J + j * n + i, s->J + (j + 1) * n + i);
        rotate(a, b, s->d + j, s->d + j + 1);
    }
}

/* J = L⁻¹ */
static void invert(int n, const double *L, double *J)
{
    memset(J, 0, (size_t)n * n * sizeof *J);
    for (int j = 0; j < n; j++) {
        J[j * n + j] = 1 / L[j * n + j];
        for (int i = 0; i < j; i++)
            add(i + 1, J + j * n, -L[i * n + j] * J[j * n + j], J + i * n);
    }
}

/* By how much an inactive row misses its bound; the side. */
static double violation(const Reduced *r, int i, double value, int *side)
{
    const double below = r->lower[i] - value, above = value - r->upper[i];
    *side = below > above ? 1 : -1;
    return below > above ? below : above;
}

/* One step of refinement of y and the multipliers on the active rows: H dy - N du = -slope, Nᵀ dy = what they miss.
   With dy = Jᵀ z that is z - (R du, 0) = -J slope and Rᵀ z = missed on the active rows. */
static void refine(const Reduced *r, Working *s, double *y, double *slope, double *z)
{
    const int n = r->n, k = s->count;
    for (int i = 0; i < n; i++)
        slope[i] = -r->f[i] - dot(n, r->H + i * n, y);
    for (int j = 0; j < k; j++)
        add(n, slope, s->side[j] * s->u[j], r->G + s->active[j] * n);
    for (int j = 0; j < n; j++)
        s->d[j] = dot(n, s->J + j * n, slope);
    for (int j = 0; j < k; j++) {
        const int i = s->active[j];
        const double value = dot(n, r->G + i * n, y);
        z[j] = s->side[j] > 0 ? r->lower[i] - value : value - r->upper[i];
    }
    forth(s, z);
    for (int j = 0; j < n; j++)
        add(n, y, j < k ? z[j] : s->d[j], s->J + j * n);
    add(k, z, -1, s->d);
    back(s, z);
    add(k, s->u, 1, z);
}

/* From the y without rows to that with them.  `on` marks active rows, `values` are G y, `step` and `row` have room. */
static int descend(const Problem *p, const Reduced *r, Working *s, int most, double *y, double *values, double *step,
                   double *row, double *ratio, int *on, int *steps)
{
    const int n = r->n;
    int corrected = 1;
    memset(on, 0, p->rows * sizeof *on);
    s->count = 0;
    for (int begun = 0;; begun = 1) {
        int worst = -1, side = 1;
        for (int i = 0; corrected && i < p->rows; i++)
            values[i] = dot(n, r->G + i * n, y);
        double most_violated = 0;
        for (int i = 0; i < p->rows; i++) {
            int own;
            const double missed = violation(r, i, values[i], &own);
            if (!on[i] && missed > r->tolerance[i] && missed * p->unit[i] > most_violated)
                most_violated = missed * p->unit[i], worst = i, side = own;
        }
        if (worst < 0 && corrected == 1)
            break;
        if (worst < 0) { /* refined, other rows may be violated, and rows may pull */
            int pulling = -1;
            for (int pass = 0; pass < 3; pass++)
                refine(r, s, y, step, ratio);
            for (int j = 0; j < s->count; j++)
                if (s->u[j] < 0 && (pulling < 0 || s->u[j] < s->u[pulling]))
                    pulling = j;
            if (++*steps > most)
                return STEPS;
            corrected = pulling < 0 ? 1 : 2;
            if (pulling >= 0)
                on[s->active[pulling]] = 0, leave(s, pulling);
            continue;
        }
        if (!begun)
            invert(n, r->L, s->J);
        double left = side > 0 ? r->lower[worst] - values[worst] : values[worst] - r->upper[worst], multiplier = 0;
        for (int i = 0; i < n; i++)
            row[i] = side * r->G[worst * n + i];
        double whole = 0;
        for (int j = 0; j < n; j++)
            s->d[j] = dot(n, s->J + j * n, row), whole += s->d[j] * s->d[j];
        for (;;) {
            if (++*steps > most)
                return STEPS;
            /* the step in y, and what it does to the multipliers of the active rows */
            memset(step, 0, n * sizeof *step);
            double square = 0, shortest = INFINITY;
            int out = -1;
            for (int j = s->count; j < n; j++)
                square += s->d[j] * s->d[j], add(n, step, s->d[j], s->J + j * n);
            memcpy(ratio, s->d, s->count * sizeof *ratio);
            back(s, ratio);
            for (int j = 0; j < s->count; j++)
                if (ratio[j] > 1e-14 && s->u[j] < shortest * ratio[j])
                    shortest = s->u[j] / ratio[j], out = j;
            const int moves = square > DEPENDENT * whole;
            const double full = moves ? left / square : INFINITY, length = shortest < full ? shortest : full;
            if (length == INFINITY) {
                if (corrected || multiplier > 0)
                    return INFEASIBLE;
                refine(r, s, y, step, ratio); /* a row that depends on others may be violated by their rounding */
                corrected = 1;
                break;
            }
            corrected = 0;
            add(s->count, s->u, -length, ratio);
            multiplier += length;
            if (moves) {
                add(n, y, length, step);
                for (int i = 0; i < p->rows; i++)
                    values[i] += length * dot(n, r->G + i * n, step);
                left -= length * square;
            }
            if (full <= shortest) {
                on[worst] = 1;
                enter(s, worst, side, multiplier, step, square);
                break;
            }
            on[s->active[out]] = 0;
            leave(s, out);
        }
    }
    return SOLVED;
}

/* Karush, Kuhn and Tucker's conditions, beside the sizes of the terms that are added up. */
static int confirm(const Problem *p, const Reduced *r, const double *y, const double *multipliers, double *slope,
                   double *size)
{
    const int n = r->n;
    double steepest = 0, largest_term = 1;
    for (int i = 0; i < n; i++) {
        slope[i] = r->f[i], size[i] = fabs(r->f[i]);
        for (int j = 0; j < n; j++)
            slope[i] += r->H[i * n + j] * y[j], size[i] += fabs(r->H[i * n + j] * y[j]);
    }
    for (int k = 0; k < p->rows; k++) {
        const double *row = r->G + k * n;
        double terms = 1;
        int side;
        for (int j = 0; j < n; j++)
            terms += fabs(row[j] * y[j]);
        if (violation(r, k, dot(n, row, y), &side) > CONFIRMED * terms)
            return UNCONFIRMED;
        for (int i = 0; i < n && multipliers[k] != 0; i++)
            slope[i] += multipliers[k] * row[i], size[i] += fabs(multipliers[k] * row[i]);
    }
    for (int i = 0; i < n; i++)
        steepest = fmax(steepest, fabs(slope[i])), largest_term = fmax(largest_term, size[i]);
    return steepest <= CONFIRMED * largest_term ? SOLVED : UNCONFIRMED;
}

/* -- the whole -------------------------------------------------------------------------- */

long active_set_numbers(int n, int tasks, int equalities, int rows)
{
    (void)tasks;
    return (long)equalities * (n + 1) + 5L * n * n + (long)rows * (n + 4) + 10L * n;
}

long active_set_integers(int n, int tasks, int equalities, int rows)
{
    (void)tasks, (void)equalities;
    return 4L * n + rows;
}

int active_set(const Problem *p, int most, double *numbers, int *integers, double *x, double *multipliers, int *steps)
{
    const int n = p->n;
    double *E = numbers, *next = E + (long)p->equalities * (n + 1);
#define TAKE(count) (next += (count), next - (count))
    Reduced r = {0};
    r.x0 = TAKE(n), r.Z = TAKE((long)n * n), r.H = TAKE((long)n * n), r.L = TAKE((long)n * n), r.f = TAKE(n);
    r.G = TAKE((long)p->rows * n), r.lower = TAKE(p->rows), r.upper = TAKE(p->rows), r.tolerance = TAKE(p->rows);
    Working s = {0};
    s.J = TAKE((long)n * n), s.R = TAKE((long)n * n), s.u = TAKE(n), s.d = TAKE(n);
    double *y = TAKE(n), *values = TAKE(p->rows), *step = TAKE(n), *row = TAKE(n), *ratio = TAKE(n), *slope = TAKE(n);
    int *solved_by = integers, *left = integers + n, *on = integers + 4 * n;
    s.active = integers + 2 * n, s.side = integers + 3 * n;
    *steps = 0;

    int status = eliminate(p, E, solved_by);
    if (status)
        return status;
    r.n = s.n = parametrize(p, E, solved_by, left, r.x0, r.Z);
    r.place = solved_by;
    if ((status = project(p, &r, row)))
        return status;
    memset(y, 0, r.n * sizeof *y);
    for (int pass = 0; pass < 2; pass++) { /* the second corrects the rounding of the first */
        for (int i = 0; i < r.n; i++)
            step[i] = -r.f[i] - dot(r.n, r.H + i * r.n, y);
        solve(r.n, r.L, step);
        add(r.n, y, 1, step);
    }
    if ((status = descend(p, &r, &s, most, y, values, step, row, ratio, on, steps)))
        return status;
    memset(multipliers, 0, p->rows * sizeof *multipliers);
    for (int j = 0; j < s.count; j++)
        multipliers[s.active[j]] = -s.side[j] * s.u[j];
    for (int j = 0; j < n; j++)
        x[j] = r.x0[j] + dot(r.n, r.Z + j * r.n, y);
    return confirm(p, &r, y, multipliers, slope, ratio);
}
