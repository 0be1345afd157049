"""Writes the pages beside it: `python docs/derivations/make.py` from the top of the repository."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import sympy

import articulated as art
from articulated.symbolic.equations.notation import rows_of
from articulated.symbolic.pages.derivation import derivation
from articulated.symbolic.pages.document import Section, words
from articulated.symbolic.pages.export import written
from articulated.symbolic.ring.convert import in_ring
from benchmarks.shortest import robots
from tests.symbolic.stanford_b11 import MISPRINTS, terms

HERE = Path(__file__).parent

WHERE = {
    "E1.1": "In the line of $m_2$. The center of mass of link 2 lies on the y axis of its frame; $z_2$ is orthogonal.",
    "E1.2": "In the line of $m_4$, the factor of $k_{411}^{2}$; the correct one is $s_2^{2} s_4^{2}$.",
    "E1.3": "In the line of $m_4$, the factor of $k_{422}^{2}$; the correct one is $c_2^{2}$.",
    "E1.4": "In the line of $m_4$, the factor of $k_{433}^{2}$; the correct one is $s_2^{2} c_4^{2}$.",
    "E1.5": "In the line of $m_4$. The center of mass of link 4 has a y component.",
    "E1.6": "In the line of $m_4$. A factor $c_2$ is missing.",
    "E1.7": "In the line of $m_5$. Compare the line of $m_6$, which has it right.",
}


def two_r() -> str:
    """The lecture's example, step by step."""
    return written("md", "The 2R arm, step by step", derivation(art.derive("2r"), style="de_luca"))


TITLES = {
    "3r": "The 3R arm",
    "bar_disc": "The bar with the disc",
    "RP": "The RP arm",
    "PR": "The PR arm",
    "cylindrical": "The cylindrical arm",
    "polar": "The polar arm",
    "PRR": "The PRR arm",
    "SCARA": "The SCARA arm",
    "wrist": "The spherical wrist",
}


def worked(name: str) -> str:
    """A robot of every course, step by step; every quantity a symbol."""
    robot = robots().get(name, name)
    return written("md", f"{TITLES[name]}, step by step", derivation(art.derive(robot)))


def stanford() -> str:
    """b11 of the Stanford arm, the slide's misprints, and all of M."""
    eq = art.derive("stanford")
    corrected = in_ring(eq.state.ring, sympy.Add(*terms(set(MISPRINTS))))
    same = eq.polynomials["M"][0, 0] == corrected
    text = (
        'art.derive("stanford") derives the whole 6 × 6 inertia matrix with every quantity a symbol. Its $b_{11}$ and '
        f"the slide's, with the seven corrections below, are {'the same, term by term' if same else 'NOT equal'}. "
        "With any one of the seven left as printed they are not (tests/symbolic/test_stanford.py). Standard D-H: "
        r"$\alpha$ = (-90, 90, 0, -90, 90, 0) degrees, $\theta_3$ = -90 degrees, $d = (r_1, r_2, q_3, 0, 0, r_6)$, "
        "$a = 0$. $k_{ijj}$ are radii of gyration about the axes of frame $i$ through its origin; $y_i$ and $z_i$ are "
        "centers of mass. $r_3$ of the slide is $q_3$."
    )
    sections = [Section("What is shown", words(text))]
    for name, (printed, correct) in MISPRINTS.items():
        rows = [(r"\text{printed}", printed), (r"\text{correct}", correct)]
        sections.append(Section(name, words(WHERE[name]), rows))
    by_mass = [(f"b_{{11}}^{{({k})}}", term) for k, term in enumerate(terms(set(MISPRINTS)), 1)]
    sections.append(Section("b_11 by masses, corrected", words("$b_{11}$ is the sum of these six."), by_mass))
    sections.append(Section("The inertia matrix as derived", ["Its upper triangle."], rows_of(eq, "M")))
    sections.append(Section("Check", [f"{eq.check()}."]))
    return written("md", "The Stanford arm, and seven misprints of its b_11", sections)


if __name__ == "__main__":
    for name, page in {"2r": two_r(), "stanford": stanford(), **{x: worked(x) for x in TITLES}}.items():
        (HERE / f"{name.lower()}.md").write_text(page, encoding="utf-8")
