/* From the least x with equalities to the least y without: elimination, cost and rows over y, and the factor of the cost.

   The text of `active_set.c`, where a Number is a double, and of `lanes.c`, where it has a double for each of PROBLEMS
   problems.  All go the way of the first one, in sizes and pivots; one that would go another way has failed.  The others are what
   they are alone, bit by bit.  The file that includes this one says what a Number is, and of a Chunk,
   which is added at once and has WHOLE Numbers; OF(member) is a member of all problems p, FROM(a, member) an array a of
   their pointers, AT(a, j) what these point to.  Conditions are bits, one for each problem. */
#define SMALL 1e-2 /* smaller beside the other coefficients of its row, a pivot loses digits; and is rounding */
#define ROUNDING 1e-9
/* primal and dual feasibility tolerances, relative to the terms that are added up */
#define ROW 1e-10
#define CONFIRMED 1e-8
enum { ALL = (1 << PROBLEMS) - 1 };
/* of a column that no equality is solved for: it is one of y, or its x is 0 */
enum { FREE = -1, ABSENT = -2 };

/* The problem in the coordinates y: x = x0 + Z y.  Rows of matrices are `width` long, whole LANES, of which the last are 0;
   J H Jᵀ = 1.  The arrays of Numbers are one block. */
typedef struct {
    int n, width; /* of y; and of the rows of matrices */
    Number *x0, *f, *H, *J, *G, *lower, *upper, *tolerance;
    Number *nearness; /* 1 / lengths of the rows of G */
    Number *Z;
    const int *place; /* among y of a column of x that is one of them, else FREE or ABSENT */
    int *which;       /* room for columns, and their factors */
    Number *factors;
} Reduced;

/* Whether what has these bits is true, for the first problem that has not failed; those for which it is otherwise fail. */
static int agree(int which, int *failed)
{
    if (which == 0 || which == ALL)
        return which;
    const int others = ~*failed & ALL, first = others & -others;
    *failed |= which & first ? ALL & ~which : which;
    return which & first;
}

static int lanes(int n) { return (n + LANES - 1) / LANES * LANES; }

/* The places of its arrays, for `n` columns of y, in a block that ends with Z. */
static void lay_out(const Problem *p, int n, const int *place, Number *block, Reduced *r)
{
    const int width = lanes(n);
    r->n = n, r->width = width, r->place = place;
    r->x0 = block, r->f = r->x0 + p->n, r->H = r->f + width, r->J = r->H + n * width, r->G = r->J + n * width;
    r->lower = r->G + p->rows * width, r->upper = r->lower + p->rows, r->tolerance = r->upper + p->rows;
    r->nearness = r->tolerance + p->rows, r->Z = r->nearness + p->rows;
}

static Number *zeros(long n, Number *x) { return memset(x, 0, (size_t)n * sizeof *x); }

/* a += factor b, of whole lanes */
static void add_lanes(int n, Number *restrict a, Number factor, const Number *restrict b)
{
    for (int i = 0; i < n; i += WHOLE)
        *(Chunk *)(a + i) += factor * *(const Chunk *)(b + i);
}

/* out += factors times rows of M, those in `which`, of whole lanes, one after the other, so that zeros change nothing;
   rows begin `width` apart */
static void gather(int rows, int n, const Number *M, int width, const int *which, const Number *factors, Number *restrict out)
{
    int i = 0;
    for (; i + 4 <= rows; i += 4) {
        const Number *a = M + (long)which[i] * width, *b = M + (long)which[i + 1] * width;
        const Number *c = M + (long)which[i + 2] * width, *d = M + (long)which[i + 3] * width;
        for (int j = 0; j < n; j += WHOLE)
            *(Chunk *)(out + j) = *(const Chunk *)(out + j) + factors[i] * *(const Chunk *)(a + j) +
                                  factors[i + 1] * *(const Chunk *)(b + j) + factors[i + 2] * *(const Chunk *)(c + j) +
                                  factors[i + 3] * *(const Chunk *)(d + j);
    }
    for (; i < rows; i++)
        add_lanes(n, out, factors[i], M + (long)which[i] * width);
}

/* -- equalities ------------------------------------------------------------------------- */

/* The column of a row of E with the largest coefficient from `first` up to `end` that is not solved for yet, or -1. */
static int largest(const Number *row, const int *solved_by, int first, int end, Number *size, int *failed)
{
    Number found = -1 + (Number){0};
    *size = (Number){0};
    for (int j = first; j < end; j++)
        if (solved_by[j] == FREE) {
            const Number own = magnitude(row[j]);
            found = chosen(own > *size, j + (Number){0}, found), *size = larger(own, *size);
        }
    return common(found, failed);
}

/* A row with all its columns, but those that are absent; the largest coefficient. */
static Number spread(const Row *row, const double *const *a, const int *absent, int absences, Number *out)
{
    Number size[4], *own = out + row->first;
    int j = 0;
    zeros(4, size);
    for (int i = 0; i < row->count; i++)
        own[i] = row->factor * AT(a, i);
    for (int i = 0; i < absences; i++)
        out[absent[i]] = (Number){0};
    for (; j + 4 <= row->count; j += 4)
        for (int i = 0; i < 4; i++)
            size[i] = larger(size[i], magnitude(own[j + i]));
    for (; j < row->count; j++)
        size[0] = larger(size[0], magnitude(own[j]));
    if (row->slack >= 0)
        out[row->slack] = 1 + (Number){0}, size[0] = larger(size[0], 1 + (Number){0});
    return larger(larger(size[0], size[1]), larger(size[2], size[3]));
}

/* Each equality [e, E] solved for one column, which leaves the others: Gauss-Jordan.  `solved_by` has the row of a column,
   FREE or ABSENT; columns from `reach` on are zero so far.  Rows that are combinations of those before are left out if they
   agree with them.  `which` and `factors`: room for rows, and their factors. */
static int eliminate(const Problem *p, Number *E, int *solved, int *which, Number *factors, int *solved_by)
{
    const int n = p->n, width = lanes(n + 1);
    int count = 0, absences = 0, reach = 0, failed = 0;
    for (int j = 0; j < n; j++) {
        solved_by[j] = p->d[j] < INFINITY ? FREE : ABSENT;
        if (solved_by[j] == ABSENT)
            solved[n - ++absences] = j;
    }
    zeros((long)p->equalities * width, E);
    for (int i = 0; i < p->equalities; i++) {
        const Row *given = p->E + i;
        const int end = given->slack < 0 ? given->first + given->count : given->slack + 1;
        reach = lanes(1 + end) > reach ? lanes(1 + end) : reach;
        FROM(a, E[i].a);
        Number *row = E + i * width, size = spread(given, a, solved + n - absences, absences, row + 1);
        Number other, any;
        int used = 0;
        row[0] = OF(e[i]);
        for (int k = 0; k < count; k++)
            if (some(row[1 + solved[k]]))
                which[used] = solved_by[solved[k]], factors[used++] = -row[1 + solved[k]];
        gather(used, reach, E, width, which, factors, row);
        int column = largest(row + 1, solved_by, p->prefer[2 * i], p->prefer[2 * i + 1], &other, &failed);
        if (agree(below(other, SMALL * size), &failed)) {
            const int second = largest(row + 1, solved_by, 0, n, &any, &failed);
            if (agree(below(other, any), &failed))
                column = second, other = any;
        }
        if (!agree(below(ROUNDING * size, other), &failed)) {
            if (agree(below(CONFIRMED * (1 + larger(size, magnitude(OF(e[i])))), magnitude(row[0])), &failed))
                return ALL;
            continue;
        }
        const Number factor = 1 / row[1 + column];
        for (int j = 0; j < reach; j++)
            row[j] *= factor;
        for (int k = 0; k < count; k++) {
            Number *above = E + solved_by[solved[k]] * width;
            if (some(above[1 + column]))
                add_lanes(reach, above, -above[1 + column], row);
        }
        solved_by[column] = i, solved[count++] = column;
    }
    return failed;
}

/* x0 and Z from the eliminated rows, in a block; the places of columns in y, and the columns of y. */
static void parametrize(const Problem *p, const Number *E, const int *solved_by, int *places, Number *block, Reduced *r)
{
    const int n = p->n;
    int count = 0, *left = places + n;
    for (int j = 0; j < n; j++) {
        places[j] = solved_by[j] == FREE ? count : solved_by[j] == ABSENT ? ABSENT : FREE;
        if (solved_by[j] == FREE)
            left[count++] = j;
    }
    lay_out(p, count, places, block, r);
    zeros((long)n * r->width, r->Z);
    zeros(n, r->x0);
    for (int j = 0; j < n; j++)
        if (solved_by[j] >= 0) {
            const Number *row = E + solved_by[j] * lanes(n + 1);
            r->x0[j] = row[0];
            for (int k = 0; k < count; k++)
                r->Z[j * r->width + k] = -row[1 + left[k]];
        }
    for (int k = 0; k < count; k++)
        r->Z[left[k] * r->width + k] = 1 + (Number){0};
}

/* -- cost and rows over y ----------------------------------------------------------------- */

/* out = row Z, and row x0; the square of the row's length */
static Number reduce(const Reduced *r, const Row *row, const double *const *a, Number *out, Number *square)
{
    Number at = {0};
    int count = 0;
    zeros(r->width, out);
    *square = at;
    for (int j = 0; j <= row->count; j++) {
        const int last = j == row->count, column = last ? row->slack : row->first + j;
        if (column < 0 || r->place[column] == ABSENT)
            continue;
        const Number factor = last ? 1 + (Number){0} : row->factor * AT(a, j);
        if (!some(factor))
            continue;
        *square += factor * factor, at += factor * r->x0[column];
        if (r->place[column] >= 0)
            out[r->place[column]] += factor;
        else
            r->which[count] = column, r->factors[count++] = factor;
    }
    gather(count, r->width, r->Z, r->width, r->which, r->factors, out);
    return at;
}

/* The cost; rows about one column, and what is about each, are one term of it.  The other rows are below those of Z. */
static void project_cost(const Problem *p, Reduced *r, Number *weight, Number *slope)
{
    const int n = p->n, width = r->width;
    Number square;
    int *which = r->which, terms = 0, others = n;
    zeros((long)r->n * width, r->H);
    zeros(width, r->f);
    zeros(n, slope);
    for (int j = 0; j < n; j++)
        weight[j] = OF(d[j]);
    for (int k = 0; k < p->tasks; k++) {
        const Row *own = p->T + k;
        const Number w = OF(w[k]), wanted = OF(b[k]);
        FROM(a, T[k].a);
        if (own->count == 1 && own->slack < 0) {
            const Number factor = own->factor * AT(a, 0);
            weight[own->first] += w * factor * factor, slope[own->first] -= w * factor * wanted;
        } else if (some(w)) {
            const Number at = reduce(r, own, a, r->Z + others * width, &square);
            weight[others] = w, slope[others++] = w * (at - wanted);
        }
    }
    for (int j = 0; j < n; j++) {
        if (r->place[j] != ABSENT)
            slope[j] += weight[j] * r->x0[j];
        if (r->place[j] >= 0)
            r->H[r->place[j] * (width + 1)] += weight[j], r->f[r->place[j]] += slope[j];
        else if (r->place[j] == FREE)
            which[terms++] = j;
    }
    for (int j = n; j < others; j++)
        which[terms++] = j;
    for (int k = 0; k < terms; k++)
        r->factors[k] = slope[which[k]];
    gather(terms, width, r->Z, width, which, r->factors, r->f);
    for (int i = 0; i < r->n; i++) {
        const int first = i / LANES * LANES;
        for (int k = 0; k < terms; k++)
            r->factors[k] = weight[which[k]] * r->Z[which[k] * width + i];
        gather(terms, width - first, r->Z + first, width, which, r->factors, r->H + i * width + first);
    }
    for (int j = 0; j < r->n; j++)
        for (int i = 0; i < j; i++)
            r->H[j * width + i] = r->H[i * width + j];
}

/* Rows and their bounds over y.  A row that is a combination of equalities is zero. */
static int project_rows(const Problem *p, Reduced *r)
{
    Number *square = r->nearness, *at = r->tolerance;
    int failed = 0;
    for (int i = 0; i < p->rows; i++) {
        Number *own = r->G + i * r->width, whole;
        FROM(a, G[i].a);
        at[i] = reduce(r, p->G + i, a, own, &whole), square[i] = square_of(r->width, own);
        if (!agree(below(ROUNDING * ROUNDING * whole, square[i]), &failed))
            zeros(r->width, own), zeros(1, square + i);
    }
    for (int i = 0; i < p->rows; i++) {
        const Number size = root(square[i]);
        r->lower[i] = OF(lower[i]) - at[i], r->upper[i] = OF(upper[i]) - at[i];
        r->tolerance[i] = ROW * (1 + size + magnitude(at[i])), r->nearness[i] = 1 / size;
    }
    return failed;
}

/* H = Uᵀ U by elimination of [H, 1], which leaves [U, J] with J H Jᵀ = 1. */
static int factor(const Reduced *r, Number *U)
{
    const int n = r->n, width = r->width;
    int failed = 0;
    memcpy(U, r->H, (size_t)(n * width) * sizeof *U);
    zeros((long)n * width, r->J);
    for (int j = 0; j < n; j++) {
        Number *own = U + j * width, *inverse = r->J + j * width;
        if ((failed |= ALL & ~below((Number){0}, own[j])) == ALL)
            return failed;
        const Number scale = 1 / root(own[j]);
        const int first = j / LANES * LANES, end = lanes(j + 1);
        inverse[j] = 1 + (Number){0};
        for (int i = first; i < width; i++)
            own[i] *= scale;
        for (int i = 0; i < end; i++)
            inverse[i] *= scale;
        for (int k = j + 1; k < n; k++) {
            const Number factor = -own[k];
            add_lanes(width - first, U + k * width + first, factor, own + first);
            add_lanes(end, r->J + k * width, factor, inverse);
        }
    }
    return failed;
}

/* The places of what is computed on the way, in `work` after the equalities; the first one. */
static Number *arrange(const Problem *p, Number *work, int *integers, Reduced *r)
{
    Number *weight = work + p->equalities * (p->n + 1L + LANES);
    r->factors = weight + 2 * (p->n + p->tasks), r->which = integers + 2 * p->n;
    return weight;
}

/* The problem over y in a block, and in `places` (2 n) those of the columns among y, and the columns of y.  `work` takes
   the equalities, (n + LANES + 1) numbers each, and three times n + tasks numbers, and n rows of y; `integers` 3 n + tasks. */
static int reduced(const Problem *p, Number *work, int *integers, int *places, Number *block, Reduced *r)
{
    const long terms = p->n + p->tasks;
    Number *weight = arrange(p, work, integers, r);
    int failed = eliminate(p, work, integers + p->n, r->which, r->factors, integers);
    if (failed == ALL)
        return failed;
    parametrize(p, work, integers, places, block, r);
    project_cost(p, r, weight, weight + terms);
    failed |= project_rows(p, r);
    return failed | factor(r, r->factors + terms);
}
