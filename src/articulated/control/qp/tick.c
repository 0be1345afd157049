/* The program of a whole-body law and its solution.

   x = [accelerations, forces of the contacts that stand / force, slacks].  Contacts that stay and joints without a motor
   are equalities; motors, ground and joint ranges are rows.  Where nothing meets them all, contacts and joints give way
   by slacks that cost far more than tasks; at last motors and ground do, too.  A lower level keeps what the levels above
   have reached, and improves their x. */
#include "tick.h"

/* steps without slacks, with some, which begin where the others have ended, and with all; and those after which the most
   violated row enters: fewer steps where rows hardly leave an x, more with the large costs of slacks */
static const int STEPS_AT_MOST[] = {200, 100, 400}, FEW[] = {40, 100, 400};
/* rows that give way: none; those about accelerations; all but the dynamics */
enum { HARD, ACCELERATIONS, ALL };
/* costs of slacks, relative to the heaviest task: the second where the first leaves too few digits */
static const double PENALTIES[] = {1e8, 1e6};
/* slacks, relative to the accelerations, that are none */
#define MISSED 1e-7

typedef struct {
    int n, equalities, rows, tasks;
    double *T, *b, *w, *d, *E, *e, *G, *lower, *upper, *multipliers, *x;
    int *prefer, *number, *standing; /* of each row its place among the multipliers; the contact rows that stand */
    int k, slacks;                   /* contact rows that stand; slacks so far */
} Assembly;

static double *blank(double *row, int n)
{
    memset(row, 0, (size_t)n * sizeof *row);
    return row;
}

/* Row of [M, -force Jᵀ] or of [J, 0], of the contacts that stand. */
static void copy_balance(const Structure *s, const Assembly *p, const double *balance, int row, double factor, double *out)
{
    const double *from = balance + (long)row * (s->nv + s->contacts);
    blank(out, p->n);
    for (int j = 0; j < s->nv; j++)
        out[j] = factor * from[j];
    for (int j = 0; j < p->k; j++)
        out[s->nv + j] = factor * from[s->nv + p->standing[j]];
}

static int slack(const Structure *s, Assembly *p) { return s->nv + p->k + p->slacks++; }

static void equality(Assembly *p, double value, int first, int end)
{
    p->e[p->equalities] = value;
    p->prefer[2 * p->equalities] = first, p->prefer[2 * p->equalities + 1] = end;
    p->equalities++;
}

static void bounded(const Structure *s, Assembly *p, double lower, double upper, int number, int gives)
{
    if (gives) {
        p->G[(long)p->rows * p->n + slack(s, p)] = 1;
        if (lower > upper) /* bounds that cross pull to the middle between them */
            lower = upper = (lower + upper) / 2;
    }
    p->lower[p->rows] = lower, p->upper[p->rows] = upper;
    p->number[p->rows] = number;
    p->rows++;
}

/* Acceleration with which a contact row stays on its ground. */
static double stay(const Structure *s, const Law *law, const Terms *t, int row)
{
    const double slip = t->speed[row] - law->moving[row];
    return law->moving[s->contacts + row] - t->bias[row] - law->options[CONTACT_DAMPING] * slip;
}

/* Largest torque of a motor along (1) or against (-1) its axis: it falls with the speed that it drives. */
static double largest_torque(const Law *law, const Terms *t, int i, int side)
{
    const double driven = side * t->velocity[i] / law->no_load[i];
    return law->limit[i] * (driven <= 0 ? 1 : driven < 1 ? 1 - driven : 0);
}

/* Equalities and rows.  `keep`: an x whose rows hold, which moves the bounds it does not meet. */
static void constrain(const Structure *s, const Law *law, const Terms *t, Assembly *p, int gives, const double *keep)
{
    const int nv = s->nv, n = p->n;
    const double force = law->options[FORCE];
    int motors = 0; /* legs are solved for before the base, which leaves more zeros: the first velocity with a motor */
    p->equalities = p->rows = p->slacks = 0;
    while (motors < nv - 1 && law->limit[motors] == 0)
        motors++;
    for (int i = 0; i < p->k && law->options[CONTACT_WEIGHT] < 0; i++) {
        const int row = p->standing[i];
        double *own = p->E + (long)p->equalities * n, value = stay(s, law, t, row);
        copy_balance(s, p, t->balance, nv + row, 1, own);
        if (gives >= ACCELERATIONS)
            own[slack(s, p)] = -1;
        for (int j = 0; j < nv && keep; j++)
            value = (j ? value : 0) + own[j] * keep[j];
        equality(p, value, motors, nv);
    }
    for (int i = 0; i < nv; i++)
        if (law->limit[i] == 0) {
            copy_balance(s, p, t->balance, i, 1 / force, p->E + (long)p->equalities * n);
            equality(p, -t->h[i] / force, nv, nv + p->k);
        }
    for (int i = 0; i < nv; i++)
        if (t->bounds[i] > -INFINITY || t->bounds[nv + i] < INFINITY) {
            blank(p->G + (long)p->rows * n, n)[i] = 1;
            bounded(s, p, t->bounds[i], t->bounds[nv + i], i, gives >= ACCELERATIONS);
        }
    for (int i = 0; i < s->given; i++)
        if (law->least[i] > -INFINITY) {
            memcpy(blank(p->G + (long)p->rows * n, n), law->given + (long)i * nv, (size_t)nv * sizeof *p->G);
            bounded(s, p, law->least[i], INFINITY, 2 * nv + s->contacts + s->ground + i, gives >= ACCELERATIONS);
        }
    for (int i = 0; i < nv; i++)
        if (law->limit[i] != 0 && law->limit[i] < INFINITY) {
            const double down = -largest_torque(law, t, i, -1) - t->h[i], up = largest_torque(law, t, i, 1) - t->h[i];
            copy_balance(s, p, t->balance, i, 1, p->G + (long)p->rows * n);
            bounded(s, p, down, up, nv + i, gives == ALL);
        }
    for (int i = 0; i < s->ground; i++)
        if (law->standing[s->column[i]] != 0) {
            double *own = blank(p->G + (long)p->rows * n, n);
            for (int j = 0; j < p->k; j++)
                own[nv + j] = law->ground[(long)i * s->contacts + p->standing[j]];
            for (int k = 0; k < s->soles; k++) {
                const int at = i - s->sole[3 * k];
                for (int j = 0; j < p->k && at >= 0 && at < 4; j++) {
                    const int across = p->standing[j] - s->sole[3 * k + 1];
                    if (across >= 0 && across < s->sole[3 * k + 2])
                        own[nv + j] = t->moments[(4 * k + at) * 3 + across];
                }
            }
            bounded(s, p, law->lower[i], law->upper[i], 2 * nv + s->contacts + i, gives == ALL);
        }
    for (int i = 0; keep && i < p->rows; i++) {
        double value = 0;
        for (int j = 0; j < n; j++)
            value += p->G[(long)i * n + j] * keep[j];
        p->lower[i] = fmin(p->lower[i], value), p->upper[i] = fmax(p->upper[i], value);
    }
}

/* Row of a task over x; 0 if its contact does not stand. */
static int task(const Structure *s, const Law *law, const Terms *t, const Assembly *p, int i, double *out)
{
    blank(out, p->n);
    if (s->push[i] < 0)
        memcpy(out, t->tasks + (long)i * s->nv, (size_t)s->nv * sizeof *out);
    for (int j = 0; j < p->k && s->push[i] >= 0; j++)
        if (p->standing[j] == s->push[i])
            return out[s->nv + j] = law->options[FORCE], 1;
    return s->push[i] < 0;
}

/* Tasks of a level, and the weights that make the solution unique. */
static void wish(const Structure *s, const Law *law, const Terms *t, Assembly *p, int level, double penalty)
{
    const int nv = s->nv, n = p->n;
    const double *option = law->options;
    p->tasks = 0;
    for (int i = s->level[level]; i < s->level[level + 1]; i++)
        if (law->weight[i] > 0 && task(s, law, t, p, i, p->T + (long)p->tasks * n))
            p->b[p->tasks] = t->wanted[i], p->w[p->tasks++] = law->weight[i];
    for (int i = 0; i < p->k && option[CONTACT_WEIGHT] > 0; i++) {
        copy_balance(s, p, t->balance, nv + p->standing[i], 1, p->T + (long)p->tasks * n);
        p->b[p->tasks] = stay(s, law, t, p->standing[i]), p->w[p->tasks++] = option[CONTACT_WEIGHT];
    }
    for (int i = 0; i < nv && option[TORQUE_WEIGHT] > 0; i++)
        if (law->limit[i] != 0) {
            copy_balance(s, p, t->balance, i, 1, p->T + (long)p->tasks * n);
            p->b[p->tasks] = -t->h[i], p->w[p->tasks++] = option[TORQUE_WEIGHT];
        }
    for (int j = 0; j < n; j++)
        p->d[j] = j < nv ? option[ACCELERATION_WEIGHT] : j < nv + p->k ? option[FORCE_WEIGHT] : penalty;
}

/* What the levels above have reached stays. */
static void hold(const Structure *s, const Law *law, const Terms *t, Assembly *p, int level, const double *x)
{
    for (int i = 0; i < s->level[level]; i++) {
        double *own = p->E + (long)p->equalities * p->n, value = 0;
        if (law->weight[i] > 0 && task(s, law, t, p, i, own)) {
            for (int j = 0; j < p->n; j++)
                value += own[j] * x[j];
            equality(p, value, s->push[i] < 0 ? 0 : s->nv, s->push[i] < 0 ? s->nv : p->n);
        }
    }
}

/* From `start`, if it is given, an x that meets the rows. */
static int solved(const Assembly *p, int gives, const double *start, double *numbers, int *integers, int *about)
{
    const Problem problem = {p->n, p->tasks, p->equalities, p->rows, p->T, p->b, p->w, p->d, p->E, p->e, p->G,
                             p->lower, p->upper, p->prefer, start, FEW[gives]};
    int steps;
    const int status = active_set(&problem, STEPS_AT_MOST[gives], numbers, integers, p->x, p->multipliers, &steps);
    about[1] += steps;
    return status;
}

static double magnitude(const double *x, int n)
{
    double found = 0;
    for (int i = 0; i < n; i++)
        found = fmax(found, fabs(x[i]));
    return found;
}

/* The first level: as it is, or with rows that give way; 1 if one has to. */
static int first_level(const Structure *s, const Law *law, const Terms *t, Assembly *p, double *numbers, int *integers,
                       int *about)
{
    double heaviest = fmax(1, law->options[CONTACT_WEIGHT]);
    int crossed = 0, joints = s->given;
    for (int i = 0; i < s->tasks; i++)
        heaviest = fmax(heaviest, law->weight[i]);
    for (int i = 0; i < s->nv; i++) {
        crossed |= t->bounds[i] > t->bounds[s->nv + i];
        joints += t->bounds[i] > -INFINITY || t->bounds[s->nv + i] < INFINITY;
    }
    for (int gives = crossed ? ACCELERATIONS : HARD; gives <= ALL; gives++)
        for (int k = 0; k < (gives ? 2 : 1); k++) {
            const int others = gives == ALL ? s->nv + s->ground : 0;
            p->n = s->nv + p->k + (gives ? p->k + joints + others : 0);
            constrain(s, law, t, p, gives, 0);
            wish(s, law, t, p, 0, PENALTIES[k] * heaviest);
            if (solved(p, gives, 0, numbers, integers, about) == SOLVED)
                return crossed || (gives && magnitude(p->x + s->nv + p->k, p->slacks) > MISSED * (1 + magnitude(p->x, s->nv)));
        }
    return 2;
}

/* Torques, residuals and cost of x, whose forces then are in their places and in newtons. */
static void report(const Structure *s, const Law *law, const Terms *t, const Assembly *p, Found *found)
{
    const int nv = s->nv, n = nv + s->contacts;
    const double *option = law->options;
    double *x = found->x, cost = 0;
    for (int i = s->contacts - 1, j = p->k - 1; i >= 0; i--)
        x[nv + i] = j >= 0 && p->standing[j] == i ? x[nv + j--] : 0;
    for (int j = 0; j < n; j++)
        cost += option[j < nv ? ACCELERATION_WEIGHT : FORCE_WEIGHT] * x[j] * x[j];
    for (int i = 0; i < s->motors; i++) {
        found->tau[i] = t->h[s->motor[i]];
        for (int j = 0; j < n; j++)
            found->tau[i] += t->balance[(long)s->motor[i] * n + j] * x[j];
        cost += option[TORQUE_WEIGHT] * found->tau[i] * found->tau[i];
    }
    for (int j = nv; j < n; j++)
        x[j] *= option[FORCE];
    for (int i = 0; i < s->tasks; i++) {
        double value = s->push[i] < 0 ? 0 : x[nv + s->push[i]];
        for (int j = 0; j < nv; j++)
            value += t->tasks[(long)i * nv + j] * x[j];
        found->residual[i] = value - t->wanted[i];
        cost += law->weight[i] * found->residual[i] * found->residual[i];
    }
    *found->cost = cost;
}

WIDE void tick(const Structure *s, const Law *law, const Terms *t, double *numbers, int *integers, Found *found)
{
    const int nv = s->nv, rows = MOST_ROWS(nv, s->contacts, s->tasks, s->ground, s->given);
    const int tasks = MOST_TASKS(nv, s->contacts, s->tasks, s->ground, s->given), equalities = tasks;
    const long n = MOST_COLUMNS(nv, s->contacts, s->tasks, s->ground, s->given);
    const long all = 2L * nv + s->contacts + s->ground + s->given;
    double *next = numbers, size = 0;
    Assembly p = {0};
#define TAKE(count) (next += (count), next - (count))
    p.T = TAKE(n * tasks), p.b = TAKE(tasks), p.w = TAKE(tasks), p.d = TAKE(n), p.E = TAKE(n * equalities);
    p.e = TAKE(equalities), p.G = TAKE(n * rows), p.lower = TAKE(rows), p.upper = TAKE(rows);
    p.multipliers = TAKE(rows), p.x = TAKE(n);
    p.prefer = integers, p.number = p.prefer + 2 * equalities, p.standing = p.number + rows;
    integers = p.standing + s->contacts;
    for (int i = 0; i < s->contacts; i++)
        if (law->standing[i] != 0)
            p.standing[p.k++] = i;
    for (int i = 0; i < nv; i++)
        size += t->h[i] * t->h[i];
    for (int i = 0; i < s->tasks; i++)
        size += t->wanted[i] * t->wanted[i];
    blank(p.multipliers, rows);
    blank(found->multipliers, (int)(s->levels * all));
    blank(found->x, nv + s->contacts);
    found->about[1] = 0, found->about[2] = s->levels;
    found->about[0] = size < INFINITY ? first_level(s, law, t, &p, next, integers, found->about) : 3;
    for (int level = 0; found->about[0] < 2 && level < s->levels; level++) {
        if (level) {
            p.n = nv + p.k;
            constrain(s, law, t, &p, HARD, found->x);
            hold(s, law, t, &p, level, found->x);
            wish(s, law, t, &p, level, 0);
            int status = SOLVED + 1;
            for (int again = 0; again < 2 && status; again++) {
                status = solved(&p, HARD, found->x, next, integers, found->about);
                if (status) /* once more without the rows that act above */
                    blank(p.multipliers, rows);
            }
            if (status) {
                found->about[2] = found->about[2] < level ? found->about[2] : level;
                continue;
            }
        }
        memcpy(found->x, p.x, (size_t)(nv + p.k) * sizeof *p.x);
        for (int i = 0; i < p.rows; i++)
            found->multipliers[level * all + p.number[i]] = p.multipliers[i];
    }
    report(s, law, t, &p, found);
}
