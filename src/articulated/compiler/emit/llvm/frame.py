"""Places of the values of a program in memory: in a slot of the stack frame, or in an array of the caller."""

from dataclasses import dataclass, field

from ...abi import Target
from ...passes.schedule import SINCOS_OPS, Stage, crossing, stages
from ...passes.trace import Program
from .types import Lanes, number

#: a place in memory: the name of a pointer and an offset in bytes
Place = tuple[str, int]


@dataclass
class Layout:
    """The frame of one state (lanes of 1) or of one per lane, and what is in it.

    Arguments and results are read and written in place, where the caller has them; or the frame holds them as
    well, transposed, one state in each lane.
    """

    program: Program
    stages: list[Stage]
    lanes: Lanes
    padding: int  # the arrays of angles, sines and cosines are padded to a multiple of this many slots
    in_place: bool  # whether arguments and results stay in the caller's arrays
    x86: bool = False  # whether it is for an x86 processor
    slots: int = 0  # of the frame
    place: dict[int, Place] = field(default_factory=dict)  # of each value that is found in memory
    targets: dict[int, list[tuple[Place, bool]]] = field(default_factory=dict)  # where to store a value, and if negated
    constants: dict[Place, float] = field(default_factory=dict)  # results that are constant
    first: list[Place] = field(default_factory=list)  # of each argument, its first number
    early: set[int] = field(default_factory=set)  # arguments that are the angles of the first stage, in order
    angles: dict[int, Place] = field(default_factory=dict)  # of each stage, an array
    sines: dict[int, tuple[Place, Place]] = field(default_factory=dict)  # of each stage, arrays of sines and cosines
    columns: list[list[int]] = field(default_factory=list)  # of each output: the slot of each column (batch)
    steps: tuple[int, ...] = ()  # bytes from one entry of an array to the next; negative: the same for all lanes
    masked: bool = False  # lanes are rows of an array of the caller, some of which are left as they are

    def __post_init__(self) -> None:
        self._place_inputs()
        for s, stage in enumerate(self.stages):
            self._place_angles(s, stage)
        if self.in_place:
            self._write_outputs()
        else:
            self._pack_outputs()
        chunks = [chunk for stage in self.stages for chunk in stage.chunks]
        base = self.slots
        for i, slot in crossing(self.program, chunks).items():
            self.place[i] = self._slot(base + slot)
            self.slots = max(self.slots, base + slot + 1)
            self.targets.setdefault(i, []).append((self.place[i], False))

    @property
    def wide(self) -> bool:
        """True if the frame holds several states, one in each lane."""
        return self.lanes.count > 1

    @property
    def arrays(self) -> range:
        """The positions of the caller's arrays: arguments, then results."""
        return range(len(self.program.inputs) + len(self.program.outputs))

    def _slot(self, k: int) -> Place:
        return ("%frame", k * self.lanes.bytes)

    def splat(self, base: str) -> bool:
        """Whether an array of the caller has one number for all lanes."""
        return self.masked and base.startswith("%arg") and self.steps[int(base[4:])] < 0

    def _step(self, k: int) -> int:
        return abs(self.steps[k]) if self.steps else self.lanes.bytes

    def _reserve(self, count: int) -> Place:
        first = self._slot(self.slots)
        self.slots += -(-count // self.padding) * self.padding
        return first

    def _place_inputs(self) -> None:
        number = {}
        for k, (name, size) in enumerate(self.program.inputs):
            number[name] = k
            self.first.append((f"%arg{k}", 0) if self.in_place else self._slot(self.slots))
            self.slots += 0 if self.in_place else size
        for i, (op, args) in enumerate(zip(self.program.ops, self.program.args, strict=True)):
            if op == "input":
                base, offset = self.first[number[args[0]]]
                self.place[i] = (base, offset + args[1] * self._step(number[args[0]]))

    def _place_angles(self, s: int, stage: Stage) -> None:
        """Arrays of angles, sines and cosines; the angles stay in their argument if they follow each other there.

        Not where the argument has one number for all lanes.
        """
        if not stage.angles:
            return
        found = [self.place.get(i) if self.program.ops[i] == "input" else None for i in stage.angles]
        array, step = found[0], self.lanes.bytes
        if array and (self.splat(array[0]) or any(p != _after(array, k * step) for k, p in enumerate(found))):
            array = None
        if array is None or (not self.wide and len(found) < self.padding):
            array = self._reserve(len(found))
            for k, i in enumerate(stage.angles):
                self.targets.setdefault(i, []).append((_after(array, k * self.lanes.bytes), False))
        elif s == 0:
            names = [name for name, _ in self.program.inputs]
            self.early = {names.index(self.program.args[i][0]) for i in stage.angles}
        self.angles[s] = array
        results = self.sines[s] = self._reserve(len(found)), self._reserve(len(found))
        order = {i: k for k, i in enumerate(stage.angles)}
        for i, (op, args) in enumerate(zip(self.program.ops, self.program.args, strict=True)):
            if op in SINCOS_OPS and args[0] in order:
                self.place[i] = _after(results[SINCOS_OPS.index(op)], order[args[0]] * self.lanes.bytes)

    def _pack_outputs(self) -> None:
        """One slot for each distinct value among the results, however many entries it fills."""
        known: dict[object, int] = {}
        for output in self.program.outputs:
            self.columns.append([])
            for entry in map(self._value, output.entries):
                key = entry if isinstance(entry, tuple) else number(entry, self.lanes.precision)  # 0 is not -0
                if key not in known:
                    known[key] = self._output_slot(entry)
                self.columns[-1].append(known[key])

    def _output_slot(self, entry: tuple[int, bool] | float) -> int:
        known = self.place.get(entry[0]) if isinstance(entry, tuple) and not entry[1] else None
        if known and known[0] == "%frame":
            return known[1] // self.lanes.bytes
        place = self._slot(self.slots)
        self.slots += 1
        if isinstance(entry, tuple):
            self.targets.setdefault(entry[0], []).append((place, entry[1]))
        else:
            self.constants[place] = entry
        return place[1] // self.lanes.bytes

    def _write_outputs(self) -> None:
        for k, output in enumerate(self.program.outputs):
            for column, entry in enumerate(map(self._value, output.entries)):
                array = len(self.program.inputs) + k
                place = (f"%arg{array}", column * self._step(array))
                if isinstance(entry, tuple):
                    self.targets.setdefault(entry[0], []).append((place, entry[1]))
                else:
                    self.constants[place] = entry

    def _value(self, entry: tuple[int, bool] | float) -> tuple[int, bool] | float:
        """The entry, as a number if its operation is a constant."""
        if isinstance(entry, tuple) and self.program.ops[entry[0]] == "const":
            value = self.program.args[entry[0]][0]
            return -value if entry[1] else value
        return entry


def _after(place: Place, offset: int) -> Place:
    return (place[0], place[1] + offset)


#: operations up to which a program is one function, and those of each function of a longer one
WHOLE, CHUNK = 2000, 200


def planned(
    program: Program, target: Target, lanes: Lanes, in_place: bool, steps: tuple[int, ...] = (), masked: bool = False
) -> Layout:
    """Plan for vectors of so many lanes; `in_place` if arguments and results stay in the caller's arrays."""
    padding = 1 if lanes.count > 1 else target.lanes(lanes.precision)
    plan = stages(program, WHOLE, CHUNK)
    return Layout(program, plan, lanes, padding, in_place, target.x86, steps=steps, masked=masked)
