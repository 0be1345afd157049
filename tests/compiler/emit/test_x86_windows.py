"""Addresses by moving pointers: followed line by line, they lead where the operands say."""

import re

import numpy as np
import pytest

from articulated.compiler.emit.x86.windows import REACH, addressed, operand
from articulated.compiler.processors import GENERIC

REGIONS = {"frame": "rsi", "scratch": "rdx", "constants": "rcx"}
STARTS = {"frame": 1 << 20, "scratch": 1 << 24, "constants": 1 << 28}
ADDRESS = re.compile(r"(-?\d+)\(%(\w+)\)")


def followed(lines):
    """The addresses that a processor would read, and how many of them have short offsets."""
    at = {register: STARTS[region] for region, register in REGIONS.items()}
    reads, short = [], 0
    for line in lines:
        if line.startswith("subq"):
            offset, register = re.fullmatch(r"subq \$(-?\d+), %(\w+)", line).groups()
            at[register] -= int(offset)
        elif match := ADDRESS.search(line):
            address = at[match[2]] + int(match[1])
            if line.startswith("leaq"):
                at[line.rsplit("%", 1)[1]] = address
            else:
                reads.append(address)
                short += -128 <= int(match[1]) < 128
    return reads, short


def wandering(rng, steps, size, width):
    """Places that drift along every region, with jumps back now and then."""
    where, places = dict.fromkeys(REGIONS, 0.0), []
    for _ in range(steps):
        region = rng.choice(list(REGIONS))
        where[region] = rng.uniform(0, size) if rng.random() < 0.01 else min(where[region] + rng.exponential(), size)
        near = int(abs(where[region] + rng.normal(scale=4)))
        places.append((region, width * near))
    return places


@pytest.mark.parametrize("spare", [[], ["rax"], ["rax", "r8", "r9", "r10", "r11", "rdi", "rbx", "rbp"]], ids=len)
@pytest.mark.parametrize("width", [4, 8, 32])
@pytest.mark.parametrize("seed", range(4))
def test_every_operand_is_where_it_should_be(spare, width, seed):
    places = wandering(np.random.default_rng(seed), 2000, 600, width)
    lines = [f"vaddpd {operand(*place)}, %ymm1, %ymm2" for place in places]
    reads, _ = followed(addressed(lines, REGIONS, spare, GENERIC))
    assert reads == [STARTS[region] + offset for region, offset in places]


def test_most_offsets_are_short():
    places = wandering(np.random.default_rng(7), 4000, 600, 32)
    lines = [f"vmovapd {operand(*place)}, %ymm1" for place in places]
    moved = addressed(lines, REGIONS, ["rax", "r8", "r9", "r10", "r11", "rdi"], GENERIC)
    (_, short), (_, before) = followed(moved), followed(addressed(lines, REGIONS, [], GENERIC))
    assert short > 0.8 * len(lines) > 0.2 * len(lines) > before
    assert len(moved) < 1.15 * len(lines)  # a pointer is moved for several operands


def test_a_block_that_is_used_once_gets_no_pointer():
    lines = [f"vmovapd {operand('scratch', 4 * REACH * k)}, %ymm1" for k in range(50)]
    assert not any(line.startswith("leaq") for line in addressed(lines, REGIONS, ["rax", "r8"], GENERIC))


def test_lines_without_operands_stay_as_they_are():
    lines = ["vaddpd %ymm1, %ymm2, %ymm3", "vmovapd 8(%r15), %ymm0"]
    assert addressed(lines, REGIONS, ["rax"], GENERIC)[-2:] == lines
