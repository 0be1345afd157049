"""Elimination where the entries are polynomials of known symbols: lengths that stay letters."""

from collections.abc import Iterable
from random import Random
from typing import Any

import sympy
from sympy.polys.domains import QQ
from sympy.polys.matrices import DomainMatrix

from .convert import plain
from .polynomial import Polynomial, Ring

Entry = dict[int, Any]  # monomial of known symbols → number
PRIME = (1 << 61) - 1


def reduced_over_symbols(ring: Ring, rows: list[dict[int, Entry]]) -> list[tuple[int, dict[int, sympy.Expr]]]:
    """The reduced row echelon form over quotients of polynomials: (pivot column, row), pivot one.

    Which rows are independent is found with random numbers, modulo a prime, in place of the symbols; only those are
    then eliminated with the symbols.  Too few would give a form that does not hold, which callers check.
    """
    chosen = _independent(ring, rows)
    columns = sorted({j for row in chosen for j in row})
    symbols = sorted({s for row in chosen for e in row.values() for s in _expression(ring, e).free_symbols}, key=str)
    field = QQ.frac_field(*symbols)
    entries = {
        i: {columns.index(j): x for j, e in row.items() if (x := field.from_sympy(_expression(ring, e)))}
        for i, row in enumerate(chosen)
    }  # without entries whose terms cancel: SymPy takes what is listed for not zero
    matrix = DomainMatrix(entries, (len(chosen), len(columns)), field)
    reduced, pivots = matrix.rref()
    found = reduced.to_sparse().rep.to_sdm() if hasattr(reduced.rep, "to_sdm") else reduced.rep
    out = []
    for i, k in enumerate(pivots):
        row = {columns[j]: sympy.factor_terms(field.to_sympy(x)) for j, x in dict(found)[i].items()}
        out.append((columns[k], row))
    return out


def _expression(ring: Ring, entry: Entry) -> sympy.Expr:
    exact = {m: sympy.Rational(str(c)) if isinstance(c, float) else c for m, c in entry.items()}
    return sympy.nsimplify(plain(Polynomial(ring, exact)), rational=True)


def _independent(ring: Ring, rows: Iterable[dict[int, Entry]]) -> list[dict[int, Entry]]:
    """Short rows first, each only if the ones before do not say it already."""
    random = Random(1)
    values: dict[int, int] = {}

    def residue(entry: Entry) -> int:
        total = 0
        for m, c in entry.items():
            exact = sympy.Rational(str(c))
            product = int(exact.p) * pow(int(exact.q), -1, PRIME)
            for k, e in ring.exponents(m):
                product = product * pow(values.setdefault(k, random.randrange(1, PRIME)), e, PRIME)
            total += product
        return total % PRIME

    def length(row: dict[int, Entry]) -> tuple[int, int]:
        return len(row), max(sum(e for _, e in ring.exponents(m)) for entry in row.values() for m in entry)

    done: list[tuple[int, dict[int, int]]] = []
    chosen = []
    for row in sorted(rows, key=length):
        left = {j: r for j, e in row.items() if (r := residue(e))}
        for pivot, known in done:
            if factor := left.get(pivot):
                for j, x in known.items():
                    left[j] = (left.get(j, 0) - factor * x) % PRIME
                left = {j: x for j, x in left.items() if x}
        if left:
            pivot = min(left)
            inverse = pow(left[pivot], -1, PRIME)
            done.append((pivot, {j: x * inverse % PRIME for j, x in left.items()}))
            chosen.append(row)
    return chosen
