"""A program as one C99 file: a batch loop that users can take to a controller.

It uses the sine, cosine and square root of the C library, so that it runs wherever C does, and no
fused multiply-add; a compiler with -ffp-contract=fast contracts them again where the processor has
one.  Its results agree with the library's up to rounding.
"""

from ..passes.trace import Program

#: each operation as an expression of its operands
C = {
    "neg": "-{0}", "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "{0} / {1}",
    "fma": "{0} * {1} + {2}", "fms": "{0} * {1} - {2}", "fnma": "{2} - {0} * {1}",
    "sqrt": "sqrt({0})", "sin": "sin({0})", "cos": "cos({0})", "sine": "sin({0})", "cosine": "cos({0})",
    "atan2": "atan2({0}, {1})", "sign": "(double)(({0} > 0) - ({0} < 0))", "held": "{0}",
    "less": "{0} < {1}", "select": "{0} ? {1} : {2}",
}  # fmt: skip


def source(program: Program, name: str) -> str:
    """`void name(long n, const double *argument, …, double *out)`: n rows of every array, one after the other."""
    inputs = [(argument, size) for argument, size in program.inputs]
    outputs = [(title, len(o.entries)) for title, o in zip(output_names(program), program.outputs, strict=True)]
    parameters = ["long n", *(f"const double *{a}" for a, _ in inputs), *(f"double *{o}" for o, _ in outputs)]
    shapes = [f"{title} ({size})" for title, size in (*inputs, *outputs)]
    steps = ", ".join(f"{title} += {size}" for title, size in (*inputs, *outputs))
    return "\n".join(
        [
            f"/* {name}: n states, arrays row by row: {', '.join(shapes)} numbers a row. */",
            "#include <math.h>",
            "",
            f"void {name}({', '.join(parameters)});",
            "",
            f"void {name}({', '.join(parameters)})",
            "{",
            "    long state;",
            f"    for (state = 0; state < n; ++state{', ' + steps if steps else ''}) {{",
            *body_lines(program, output_names(program)),
            "    }",
            "}",
            "",
        ]
    )


def output_names(program: Program) -> list[str]:
    """The names of the results: out, or out0, out1, …"""
    count = len(program.outputs)
    return ["out"] if count == 1 else [f"out{k}" for k in range(count)]


def body_lines(program: Program, titles: list[str]) -> list[str]:
    """The statements of a program that fills arrays with these names."""
    lines, names = [], []
    for i, (op, args) in enumerate(zip(program.ops, program.args, strict=True)):
        if op == "input":
            names.append(f"{args[0]}[{args[1]}]")
        elif op == "const":
            names.append(number(args[0]))
        else:
            names.append(f"t{i}")
            kind = "int" if op == "less" else "double"
            lines.append(f"        const {kind} t{i} = {C[op].format(*(names[k] for k in args))};")
    for title, output in zip(titles, program.outputs, strict=True):
        for column, entry in enumerate(output.entries):
            value = f"{'-' if entry[1] else ''}{names[entry[0]]}" if isinstance(entry, tuple) else number(entry)
            lines.append(f"        {title}[{column}] = {value};")
    return lines


def number(x: float) -> str:
    """A number as C reads it."""
    if x != x or x in (float("inf"), -float("inf")):
        return "NAN" if x != x else ("INFINITY" if x > 0 else "(-INFINITY)")
    text = repr(float(x))
    text = text if any(mark in text for mark in ".e") else f"{text}.0"
    return f"({text})" if x < 0 else text
