/* From the least x of a level to the problem of the next one: equalities are added, y = 0 is that x.

   Part of `active_set.c`, in the memory of the problem over y that the level above has left. */

/* The equalities after those that are kept, over y, each solved for one of its columns: Gauss-Jordan; their number. */
static int eliminate_more(const Problem *p, const Reduced *r, const int *columns, double *E, int *solved)
{
    const int width = r->width;
    int count = 0;
    for (int i = p->kept; i < p->equalities; i++) {
        const double *const a[] = {p->E[i].a};
        double *row = E + count * width, square, sizes[2] = {0};
        int largest[2] = {0}; /* of all columns, and of the preferred ones */
        reduce(r, p->E + i, a, row, &square);
        for (int k = 0; k < count; k++)
            add_lanes(width, row, -row[solved[k]], E + k * width);
        for (int j = 0; j < r->n; j++)
            for (int own = columns[j] >= p->prefer[2 * i] && columns[j] < p->prefer[2 * i + 1]; own >= 0; own--)
                if (fabs(row[j]) > sizes[own])
                    sizes[own] = fabs(row[j]), largest[own] = j;
        const int own = sizes[1] >= SMALL * sqrt(square), column = largest[own];
        if (sizes[own] <= ROUNDING * sqrt(square))
            continue;
        const double factor = 1 / row[column];
        for (int j = 0; j < width; j++)
            row[j] *= factor;
        row[column] = 1;
        for (int k = 0; k < count; k++)
            add_lanes(width, E + k * width, -E[k * width + column], row);
        solved[count++] = column;
    }
    return count;
}

/* The y that are solved for leave; the last of the others take their places, which are `moves`: from and to. */
static int leave_out(int n, const int *solved, int count, int *places, int *columns, int (*moves)[2])
{
    int last = n - count, moved = 0;
    for (int k = 0; k < count; k++)
        places[columns[solved[k]]] = FREE, columns[solved[k]] = -1;
    for (int k = 0; k < count; k++)
        if (solved[k] < n - count) {
            while (columns[last] < 0)
                last++;
            moves[moved][0] = last, moves[moved++][1] = solved[k];
            places[columns[last]] = solved[k], columns[solved[k]] = columns[last++];
        }
    return moved;
}

/* What becomes of a row over y: `count` equalities E, solved for columns, are subtracted, and those columns left out. */
typedef struct {
    int above, width, n, count, moved; /* widths of the row before and after, numbers of what is left */
    const double *E;
    const int *solved, (*moves)[2];
} Rest;

/* The row before is nobody's then; its place may be that of the row, or behind it. */
static void project_row(const Rest *rest, double *row, double *own)
{
    for (int k = 0; k < rest->count; k++)
        if (row[rest->solved[k]] != 0)
            add_lanes(rest->above, row, -row[rest->solved[k]], rest->E + k * rest->above);
    for (int k = 0; k < rest->moved; k++)
        row[rest->moves[k][1]] = row[rest->moves[k][0]];
    memmove(own, row, (size_t)rest->n * sizeof *own);
    zeros(rest->width - rest->n, own + rest->n);
}

/* The problem over the y that are left, from x = `start`, whose bounds it moves where it does not meet them.  `work`,
   `integers` and `places` as of `reduced`; `y` and `values` take numbers of the columns and of the rows. */
static int project(const Problem *p, double *work, int *integers, int *places, double *y, double *values, Reduced *r)
{
    const Reduced above = *r;
    int *solved = integers, *columns = places + p->n, (*moves)[2] = (int(*)[2])(integers + p->n);
    double *weight = arrange(p, work, integers, r);
    zeros(r->width, y);
    for (int k = 0; k < r->n; k++)
        y[k] = p->start[columns[k]] - r->x0[columns[k]];
    times(p->rows, r->width, r->G, y, values);
    const int count = eliminate_more(p, r, columns, work, solved);
    const int moved = leave_out(r->n, solved, count, places, columns, moves);
    lay_out(p, r->n - count, places, r->x0, r);
    copy(p->n, r->x0, p->start);
    const Rest rest = {above.width, r->width, r->n, count, moved, work, solved, (const int(*)[2])moves};
    for (int i = 0; i < p->rows; i++)
        project_row(&rest, above.G + i * above.width, r->G + i * r->width);
    for (int i = 0; i < p->rows; i++)
        r->lower[i] = fmin(above.lower[i] - values[i], 0);
    for (int i = 0; i < p->rows; i++)
        r->upper[i] = fmax(above.upper[i] - values[i], 0);
    for (int i = 0; i < p->rows; i++) {
        const double square = square_of(r->width, r->G + i * r->width), length = 1 / above.nearness[i];
        r->nearness[i] = 1 / sqrt(square);
        if (square <= ROUNDING * ROUNDING * length * length) /* a combination of equalities */
            zeros(r->width, r->G + i * r->width), r->nearness[i] = INFINITY;
    }
    for (int j = 0; j < p->n; j++)
        project_row(&rest, above.Z + j * above.width, r->Z + j * r->width);
    project_cost(p, r, weight, weight + p->n + p->tasks);
    return factor(r, r->factors + p->n + p->tasks);
}
