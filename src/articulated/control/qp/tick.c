/* The program of a whole-body law and its solution.

   x = [accelerations, forces of the contacts / force, slacks]; forces of contacts that do not stand are absent.  Contacts
   that stay and joints without a motor are equalities; motors, ground and joint ranges are rows.  Where nothing meets
   them all, contacts and joints give way by slacks that cost far more than tasks; at last motors and ground do, too.  A
   lower level keeps what the levels above have reached, and improves their x. */
#include "tick.h"

/* steps without slacks, with some, which begin where the others have ended, and with all; and those after which the most
   violated row enters: fewer steps where rows hardly leave an x, more with the large costs of slacks */
static const int STEPS_AT_MOST[] = {200, 100, 400}, FEW[] = {40, 100, 400};
/* rows that give way: none; those about accelerations; all but the dynamics */
enum { HARD, ACCELERATIONS, ALL_BUT_DYNAMICS };
/* costs of slacks, relative to the heaviest task: the second where the first leaves too few digits */
static const double PENALTIES[] = {1e8, 1e6};
/* slacks, relative to the accelerations, that are none */
#define MISSED 1e-7

static double *blank(double *row, int n)
{
    memset(row, 0, (size_t)n * sizeof *row);
    return row;
}

static const double ONE[] = {1};
static Row unit(int column, double factor) { return (Row){ONE, factor, column, 1, -1}; }

/* Row of [M, -force Jᵀ] or of [J, 0]. */
static Row balance(const Structure *s, const Terms *t, int row, double factor)
{
    const int n = s->nv + s->contacts;
    return (Row){t->balance + (long)row * n, factor, 0, row < s->nv ? n : s->nv, -1};
}

static double value(const Row *row, const double *x)
{
    const double *a = row->a, *own = x + row->first;
    double sum[4] = {0}; /* which do not wait for each other */
    int j = 0;
    for (; j + 4 <= row->count; j += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[j + k] * own[j + k];
    for (; j < row->count; j++)
        sum[0] += a[j] * own[j];
    return row->factor * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

static int slack(const Structure *s, Assembly *p) { return s->nv + s->contacts + p->slacks++; }

static void equality(Assembly *p, Row row, double value, int first, int end)
{
    p->E[p->equalities] = row, p->e[p->equalities] = value;
    p->prefer[2 * p->equalities] = first, p->prefer[2 * p->equalities + 1] = end;
    p->equalities++;
}

static void bounded(const Structure *s, Assembly *p, Row row, double lower, double upper, int number, int gives)
{
    if (gives) {
        row.slack = slack(s, p);
        if (lower > upper) /* bounds that cross pull to the middle between them */
            lower = upper = (lower + upper) / 2;
    }
    p->G[p->rows] = row, p->lower[p->rows] = lower, p->upper[p->rows] = upper;
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

/* Row of the ground on the forces of its contact, of which there are at most six. */
static Row pressing(const Structure *s, const Law *law, const Terms *t, const Assembly *p, int i)
{
    const int first = s->column[i], count = s->contacts - first < 6 ? s->contacts - first : 6;
    Row row = {law->ground + (long)i * s->contacts + first, 1, s->nv + first, count, -1};
    for (int k = 0; k < s->soles; k++) {
        const int at = i - s->sole[3 * k];
        if (at >= 0 && at < 4) {
            double *own = p->soles + 6L * i;
            memcpy(own, row.a, (size_t)count * sizeof *own);
            memcpy(own + s->sole[3 * k + 1] - first, t->moments + (4L * k + at) * 3, (size_t)s->sole[3 * k + 2] * sizeof *own);
            row.a = own;
        }
    }
    return row;
}

/* Equalities and rows.  `slip`: an x as whose contacts accelerate, or NULL: they stay. */
static void constrain(const Structure *s, const Law *law, const Terms *t, Assembly *p, int gives, const double *slip)
{
    const int nv = s->nv, end = nv + s->contacts, softly = gives >= ACCELERATIONS;
    const double force = law->options[FORCE];
    int motors = 0; /* legs are solved for before the base, which leaves more zeros: the first velocity with a motor */
    p->equalities = p->rows = p->slacks = 0;
    while (motors < nv - 1 && law->limit[motors] == 0)
        motors++;
    for (int i = 0; i < s->contacts && law->options[CONTACT_WEIGHT] < 0; i++)
        if (law->standing[i] != 0) {
            Row row = balance(s, t, nv + i, 1);
            if (softly)
                row.slack = slack(s, p);
            equality(p, row, slip ? value(&row, slip) : stay(s, law, t, i), motors, nv);
        }
    for (int i = 0; i < nv; i++)
        if (law->limit[i] == 0)
            equality(p, balance(s, t, i, 1 / force), -t->h[i] / force, nv, end);
    for (int i = 0; i < nv; i++)
        if (t->bounds[i] > -INFINITY || t->bounds[nv + i] < INFINITY)
            bounded(s, p, unit(i, 1), t->bounds[i], t->bounds[nv + i], i, softly);
    for (int i = 0; i < s->given; i++)
        if (law->least[i] > -INFINITY) {
            const Row row = {law->given + (long)i * nv, 1, 0, nv, -1};
            bounded(s, p, row, law->least[i], INFINITY, 2 * nv + s->contacts + s->ground + i, softly);
        }
    for (int i = 0; i < nv; i++)
        if (law->limit[i] != 0 && law->limit[i] < INFINITY) {
            const double down = -largest_torque(law, t, i, -1) - t->h[i], up = largest_torque(law, t, i, 1) - t->h[i];
            bounded(s, p, balance(s, t, i, 1), down, up, nv + i, gives == ALL_BUT_DYNAMICS);
        }
    for (int i = 0; i < s->ground; i++)
        if (law->standing[s->column[i]] != 0)
            bounded(s, p, pressing(s, law, t, p, i), law->lower[i], law->upper[i], 2 * nv + s->contacts + i, gives == ALL_BUT_DYNAMICS);
}

/* Row of a task over x; 0 if it has no weight or its contact does not stand. */
static int task(const Structure *s, const Law *law, const Terms *t, int i, Row *out)
{
    const int column = s->alone[i], pushes = column >= s->nv;
    *out = column < 0 ? (Row){t->tasks + (long)i * s->nv, 1, 0, s->nv, -1} : unit(column, pushes ? law->options[FORCE] : 1);
    return law->weight[i] > 0 && (!pushes || law->standing[column - s->nv] != 0);
}

static void wanted(Assembly *p, Row row, double value, double weight)
{
    p->T[p->tasks] = row, p->b[p->tasks] = value, p->w[p->tasks] = weight;
    p->tasks++;
}

/* Tasks of a level, and the weights that make the solution unique. */
static void wish(const Structure *s, const Law *law, const Terms *t, Assembly *p, int level, double penalty)
{
    const int nv = s->nv, end = nv + s->contacts;
    const double *option = law->options;
    Row row;
    p->tasks = 0;
    for (int i = s->level[level]; i < s->level[level + 1]; i++)
        if (task(s, law, t, i, &row))
            wanted(p, row, t->wanted[i], law->weight[i]);
    for (int i = 0; i < s->contacts && option[CONTACT_WEIGHT] > 0; i++)
        if (law->standing[i] != 0)
            wanted(p, balance(s, t, nv + i, 1), stay(s, law, t, i), option[CONTACT_WEIGHT]);
    for (int i = 0; i < nv && option[TORQUE_WEIGHT] > 0; i++)
        if (law->limit[i] != 0)
            wanted(p, balance(s, t, i, 1), -t->h[i], option[TORQUE_WEIGHT]);
    for (int j = 0; j < p->n; j++)
        p->d[j] = j < nv ? option[ACCELERATION_WEIGHT] : j < end ? option[FORCE_WEIGHT] : penalty;
    for (int j = nv; j < end; j++)
        if (law->standing[j - nv] == 0)
            p->d[j] = INFINITY;
}

/* What the level above has reached stays, as what those above it had. */
static void hold(const Structure *s, const Law *law, const Terms *t, Assembly *p, int level, const double *x)
{
    const int nv = s->nv;
    Row row;
    for (int i = s->level[level - 1]; i < s->level[level]; i++)
        if (task(s, law, t, i, &row))
            equality(p, row, value(&row, x), s->alone[i] < nv ? 0 : nv, s->alone[i] < nv ? nv : p->n);
}

Problem program(const Assembly *p)
{
    return (Problem){p->n, p->tasks, p->equalities, p->rows, p->T, p->E, p->G, p->b, p->w, p->d, p->e, p->lower, p->upper,
                     p->prefer, NULL, FEW[HARD], 0, NULL, NULL};
}

static int solved(const Assembly *p, Problem program, int gives, int *about)
{
    int steps;
    program.few = FEW[gives];
    const int status = active_set(&program, STEPS_AT_MOST[gives], p->numbers, p->integers, p->x, p->multipliers, &steps);
    about[1] += steps;
    return status;
}

static double greatest(const double *x, int n)
{
    double found = 0;
    for (int i = 0; i < n; i++)
        found = fmax(found, fabs(x[i]));
    return found;
}

/* The first level: as it is, or with rows that give way; 1 if one has to. */
static int first_level(const Structure *s, const Law *law, const Terms *t, Assembly *p, Problem first, int *about)
{
    double heaviest = fmax(1, law->options[CONTACT_WEIGHT]);
    int crossed = 0, joints = s->given, end = s->nv + s->contacts;
    for (int i = 0; i < s->tasks; i++)
        heaviest = fmax(heaviest, law->weight[i]);
    for (int i = 0; i < s->nv; i++) {
        crossed |= t->bounds[i] > t->bounds[s->nv + i];
        joints += t->bounds[i] > -INFINITY || t->bounds[s->nv + i] < INFINITY;
    }
    if (!crossed && solved(p, first, HARD, about) == SOLVED)
        return 0;
    for (int gives = ACCELERATIONS; gives <= ALL_BUT_DYNAMICS; gives++)
        for (int k = 0; k < 2; k++) {
            p->n = end + s->contacts + joints + (gives == ALL_BUT_DYNAMICS ? s->nv + s->ground : 0);
            constrain(s, law, t, p, gives, NULL);
            wish(s, law, t, p, 0, PENALTIES[k] * heaviest);
            if (solved(p, program(p), gives, about) == SOLVED)
                return crossed || greatest(p->x + end, p->slacks) > MISSED * (1 + greatest(p->x, s->nv));
        }
    return 2;
}

/* Torques, residuals and cost of x, whose forces then are in newtons. */
static void report(const Structure *s, const Law *law, const Terms *t, Found *found)
{
    const int nv = s->nv, n = nv + s->contacts;
    const double *option = law->options;
    double *x = found->x, cost = 0;
    for (int j = 0; j < n; j++)
        cost += option[j < nv ? ACCELERATION_WEIGHT : FORCE_WEIGHT] * x[j] * x[j];
    for (int i = 0; i < s->motors; i++) {
        const Row row = balance(s, t, s->motor[i], 1);
        found->tau[i] = t->h[s->motor[i]] + value(&row, x);
        cost += option[TORQUE_WEIGHT] * found->tau[i] * found->tau[i];
    }
    for (int i = 0; i < s->tasks; i++) {
        Row row;
        task(s, law, t, i, &row);
        found->residual[i] = value(&row, x) - t->wanted[i];
        cost += law->weight[i] * found->residual[i] * found->residual[i];
    }
    for (int i = nv; i < n; i++)
        x[i] *= option[FORCE];
    *found->cost = cost;
}

WIDE void assemble(const Structure *s, const Law *law, const Terms *t, double *numbers, int *integers, Row *work, Assembly *p)
{
    const int nv = s->nv, rows = MOST_ROWS(nv, s->contacts, s->tasks, s->ground, s->given);
    const int tasks = MOST_TASKS(nv, s->contacts, s->tasks, s->ground, s->given), equalities = tasks;
    const long n = MOST_COLUMNS(nv, s->contacts, s->tasks, s->ground, s->given);
    double *next = numbers;
#define TAKE(count) (next += (count), next - (count))
    p->b = TAKE(tasks), p->w = TAKE(tasks), p->d = TAKE(n), p->e = TAKE(equalities), p->lower = TAKE(rows);
    p->upper = TAKE(rows), p->multipliers = TAKE(rows), p->x = TAKE(n), p->soles = TAKE(6L * s->ground), p->numbers = next;
    p->T = work, p->E = work + tasks, p->G = p->E + equalities;
    p->prefer = integers, p->number = p->prefer + 2 * equalities, p->integers = p->number + rows;
    p->n = nv + s->contacts;
    blank(p->multipliers, rows);
    constrain(s, law, t, p, HARD, NULL);
    wish(s, law, t, p, 0, 0);
}

WIDE void complete(const Structure *s, const Law *law, const Terms *t, Assembly *p, Problem first, Found *found)
{
    const int nv = s->nv, end = nv + s->contacts;
    const long all = 2L * nv + s->contacts + s->ground + s->given;
    double size = 0;
    for (int i = 0; i < nv; i++)
        size += t->h[i] * t->h[i];
    for (int i = 0; i < s->tasks; i++)
        size += t->wanted[i] * t->wanted[i];
    blank(found->multipliers, (int)(s->levels * all));
    blank(found->x, end);
    found->about[1] = 0, found->about[2] = s->levels;
    found->about[0] = size < INFINITY ? first_level(s, law, t, p, first, found->about) : 3;
    const int gave = p->n > end; /* rows, in the answer of the first level */
    int kept = gave ? 0 : p->equalities; /* of those that the problem over y has */
    for (int level = 0; found->about[0] < 2 && level < s->levels; level++) {
        if (level) {
            p->n = end;
            if (level == 1 && gave)
                constrain(s, law, t, p, HARD, found->x);
            hold(s, law, t, p, level, found->x);
            wish(s, law, t, p, level, 0);
            Problem own = program(p);
            own.start = found->x;
            int status = SOLVED + 1;
            for (int again = 0; again < 2 && status; again++) {
                own.kept = kept, own.block = kept ? first.block : NULL, own.places = first.places;
                first.block = own.block;
                status = solved(p, own, HARD, found->about);
                kept = status == DEFICIENT ? 0 : p->equalities;
                if (status) /* once more without the rows that act above */
                    blank(p->multipliers, p->rows);
            }
            if (status) {
                found->about[2] = found->about[2] < level ? found->about[2] : level;
                continue;
            }
        }
        memcpy(found->x, p->x, (size_t)end * sizeof *p->x);
        for (int i = 0; i < p->rows; i++)
            found->multipliers[level * all + p->number[i]] = p->multipliers[i];
    }
    report(s, law, t, found);
}

void tick(const Structure *s, const Law *law, const Terms *t, double *numbers, int *integers, Row *work, Found *found)
{
    Assembly p = {0};
    assemble(s, law, t, numbers, integers, work, &p);
    complete(s, law, t, &p, program(&p), found);
}
