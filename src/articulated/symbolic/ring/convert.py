"""Into the ring and out of it: SymPy expressions, numbers and models as polynomials."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from ...algebra import scalars
from ...algebra.scalars import Array, array
from ...algebra.spatial import Inertia, Transform
from ...joints.data import RESISTANCES
from ...model import Body, Model
from ...model.lines import LINES
from ...model.with_numbers import twin
from . import angles  # noqa: F401 (teaches `scalars` the sine of a polynomial)
from .polynomial import Polynomial, Ring, Terms, fraction, whole


def in_ring(ring: Ring, x: Any) -> Any:
    """A number or SymPy expression as a polynomial; what is no polynomial becomes a generator."""
    if isinstance(x, Polynomial):
        return x
    if not isinstance(x, sympy.Basic):
        ring.decimals = ring.decimals or (isinstance(x, float) and x != round(x))
        return fraction(x)
    if x.is_Rational:
        return whole(Fraction(int(x.p), int(x.q)))
    if x.is_Float:
        return in_ring(ring, float(x))
    if x.is_Add:
        return sum((in_ring(ring, part) for part in x.args), start=0)
    if x.is_Mul:
        out: Any = 1
        for part in x.args:
            out = out * in_ring(ring, part)
        return out
    if x.is_Pow and x.exp.is_Integer and x.exp > 0:
        return in_ring(ring, x.base) ** int(x.exp)
    if x.is_Pow and x.exp.is_Integer and x.base.is_Symbol:
        return ring.inverse(x.base) ** -int(x.exp)
    if x.is_Pow and x.exp == sympy.Rational(1, 2) and x.base.is_number:
        return _root(ring, x)
    if isinstance(x, (sympy.cos, sympy.sin)):
        angle = in_ring(ring, x.args[0])
        return scalars.cos(angle) if isinstance(x, sympy.cos) else scalars.sin(angle)
    return ring.generator(x)


def _root(ring: Ring, x: sympy.Pow) -> Any:
    """A square root of a number, as of a twist of 45 degrees: a generator whose square is known, one per prime."""
    if x.base.is_Integer and len(primes := sympy.primefactors(x.base)) > 1:
        out: Any = 1
        for prime in primes:
            out = out * in_ring(ring, sympy.sqrt(prime))
        return out
    found, square = ring.generator(x), in_ring(ring, x.base)
    ring.rule(x, square if isinstance(square, Polynomial) else Polynomial(ring, {0: square}))
    return found


Convert = Callable[[Any], Any]
SQUARES = 200  # denominators of squares of axes that are roots


def converted(model: Model, convert: Convert, inertias: Mapping[Any, Inertia] | None = None) -> Model:
    """The model with every scalar put through `convert`; `inertias` replace those of the bodies."""
    given = inertias or {b: b.inertia for b in model.bodies}
    return twin(
        model,
        lambda b: {
            "inertia": _inertia(given[b], convert),
            "placement": transform_of(b.placement, convert),
            "tail": transform_of(b.tail, convert),
            "S": each(each(b.S, _root_of) if b.joint.turns or b.joint.slides else b.S, convert),
            "joint": joint_of(b.joint, convert),
            "rest": each(b.rest, convert),
            **{name: convert(getattr(b, name)) for name in (*RESISTANCES, "multiplier", "offset")},
        },
        lambda frame: transform_of(frame.placement, convert),
        gravity=each(model.gravity, convert),
        links=tuple(link.replace(inertia=inertia_of(link.inertia, convert)) for link in model.links),
        armature=tuple(convert(x) for x in model.armature),
        **lines_of(model, convert),
    )


def _root_of(x: Any) -> Any:
    """An entry of an axis that is the root of a simple fraction, as of (1, 1, 0) when it was normalized, exactly."""
    if not isinstance(x, float) or len(repr(x)) <= 14:
        return x
    square = Fraction(x * x).limit_denominator(SQUARES)
    return (1 if x > 0 else -1) * sympy.sqrt(sympy.Rational(square)) if abs(square - x * x) < 4e-16 else x


def lines_of(model: Model, convert: Convert) -> dict[str, Any]:
    """Springs and actuators between frames with their scalars converted."""

    def of(line: Any) -> Any:
        ends = (x if isinstance(x, str) else tuple(each(x, convert)) for x in line[:2])
        return type(line)(*ends, *(x if isinstance(x, str) else convert(x) for x in line[2:]))

    return {kind: tuple(of(line) for line in getattr(model, kind)) for kind in LINES}


def each(values: Any, convert: Convert) -> Array:
    """Every entry converted."""
    given = array(values)
    out = np.empty(given.shape, object)
    for index, x in np.ndenumerate(given):
        out[index] = convert(x)
    return out


def transform_of(X: Transform, convert: Convert) -> Transform:
    """A pose with its scalars converted."""
    return Transform.computed(each(X.R, convert), each(X.p, convert))


def _inertia(inertia: Inertia, convert: Convert) -> Inertia:
    first, second = each(inertia.first, convert), each(inertia.second, convert)
    return Inertia.computed(convert(inertia.mass), first, second)


def joint_of(joint: Any, convert: Convert) -> Any:
    """A joint with its scalars converted."""
    other = joint.named(joint.name)
    for name, value in vars(joint).items():
        if value is not None and not isinstance(value, (str, tuple)):  # its name, limits, whom it follows
            entries = each(value, _root_of) if name == "axis" and (joint.turns or joint.slides) else value
            other.__dict__[name] = each(entries, convert) if isinstance(value, np.ndarray) else convert(value)
    if isinstance(joint.rest, tuple):
        other.__dict__["rest"] = tuple(map(convert, joint.rest))
    if joint.mimic:
        gear = (convert(x) for x in (joint.mimic.multiplier, joint.mimic.offset))
        other.__dict__["mimic"] = type(joint.mimic)(joint.mimic.joint, *gear)
    return other


def inertia_of(inertia: Inertia, convert: Convert) -> Inertia:
    """An inertia, about its center of mass as it was written, with its scalars converted."""
    return Inertia(convert(inertia.mass), each(inertia.com, convert), each(inertia.about_com, convert))


def parameters_of(model: Model) -> set[sympy.Symbol]:
    """The symbols a model is described with."""
    lines = [part for kind in LINES for line in getattr(model, kind) for part in line]
    found = [model.frames[x].placement.p if isinstance(x, str) and x in model.frames else x for x in lines]
    bodies = (x for b in model.bodies for x in scalars_of(b))
    return free_symbols([*model.gravity, *(x for part in found for x in np.ravel(part)), *bodies])


def scalars_of(b: Body) -> list[Any]:
    """Everything a body is described with."""
    arrays = [b.placement.R, b.placement.p, b.tail.R, b.tail.p, b.S, b.inertia.first, b.inertia.second, b.rest]
    single = [b.inertia.mass, *(getattr(b, name) for name in RESISTANCES), b.multiplier, b.offset]
    return [*single, *(x for part in arrays for x in part.ravel())]


def free_symbols(values: Iterable[Any]) -> set[sympy.Symbol]:
    """The symbols in some scalars."""
    return {s for x in values if isinstance(x, sympy.Basic) for s in x.free_symbols}


def number(x: Any, decimals: bool = False) -> sympy.Expr:
    """A coefficient as SymPy shows it best; without `decimals` a fraction stays one."""
    if isinstance(x, float):
        return sympy.Float(x, 15) if x != int(x) or abs(x) > 1e15 else sympy.Integer(int(x))
    if isinstance(x, Fraction):
        decimal = x.denominator
        for prime in (2, 5):
            while decimal % prime == 0:
                decimal //= prime
        few = decimals and decimal == 1 and x.denominator > 4
        return sympy.Float(x.numerator / x.denominator, 15) if few else sympy.Rational(x.numerator, x.denominator)
    return sympy.Integer(x)


def plain(x: Any) -> sympy.Expr:
    """A polynomial as an expanded SymPy expression."""
    return expanded(x.ring, x.terms) if isinstance(x, Polynomial) else number(x, True)


def expanded(ring: Ring, terms: Terms) -> sympy.Expr:
    """The sum of the terms."""
    powers = ((c, (ring.atoms[k] ** e for k, e in ring.exponents(m))) for m, c in terms.items())
    return sympy.Add(*(sympy.Mul(number(c, ring.decimals), *factors) for c, factors in powers))


scalars.sign.register(Polynomial, lambda x: x.ring.generator(sympy.sign(plain(x))))


@scalars.sqrt.register
def _(x: Polynomial) -> Polynomial:
    """A length: a generator whose square is known."""
    atom = sympy.sqrt(plain(x))
    found = x.ring.generator(atom)
    if atom not in x.ring.roots:
        x.ring.roots[atom] = x
        x.ring.rule(atom, x)
    return found
