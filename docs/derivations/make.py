"""Writes the pages beside it: `python docs/derivations/make.py` from the top of the repository."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import sympy

import articulated as art
from articulated.symbolic.derivation import Section, derivation
from articulated.symbolic.export import written
from articulated.symbolic.lifting import lifted
from tests.symbolic.stanford_b11 import MISPRINTS, terms

HERE = Path(__file__).parent

WHERE = {
    "E1.1": "m_2: the centre of mass of link 2 lies on the y axis of its frame; z_2 is orthogonal to r_2",
    "E1.2": "m_4, factor of k_411²; the correct one is s_2² s_4²",
    "E1.3": "m_4, factor of k_422²; the correct one is c_2²",
    "E1.4": "m_4, factor of k_433²; the correct one is s_2² c_4²",
    "E1.5": "m_4: the centre of mass of link 4 has a y component",
    "E1.6": "m_4: a factor c_2 is missing",
    "E1.7": "m_5: compare the line of m_6, which has it right",
}


def two_r() -> str:
    """The lecture's example, step by step."""
    return written("md", "The 2R arm, step by step", derivation(art.derive("2r")))


def stanford() -> str:
    """b11 of the Stanford arm, the slide's misprints, and all of M."""
    eq = art.derive("stanford")
    corrected = lifted(eq.state.ring, sympy.Add(*terms(set(MISPRINTS))))
    same = eq.polynomials["M"][0, 0] == corrected
    text = (
        '`art.derive("stanford")` derives the whole 6 × 6 inertia matrix with every quantity a symbol. Its b_11 and '
        f"the slide's, with the seven corrections below, are {'the same, term by term' if same else 'NOT equal'}. "
        "With any one of the seven left as printed they are not (tests/symbolic/test_stanford.py). Standard D-H: "
        "alpha = (-90, 90, 0, -90, 90, 0) degrees, theta_3 = -90 degrees, d = (r_1, r_2, q_3, 0, 0, r_6), a = 0. "
        "k_ijj are radii of gyration about the axes of frame i through its origin; y_i and z_i are centres of mass."
    )
    sections = [Section("What is shown", text, [])]
    for name, (printed, correct) in MISPRINTS.items():
        rows = [(r"\text{printed}", printed), (r"\text{correct}", correct)]
        sections.append(Section(f"{name}: {WHERE[name]}", "", rows))
    by_mass = [(f"b_{{11}}^{{({k})}}", term) for k, term in enumerate(terms(set(MISPRINTS)), 1)]
    sections.append(Section("b_11 by masses, corrected", "b_11 is the sum of these six.", by_mass))
    n = eq.M.rows
    entries = [(f"M_{{{i + 1}{j + 1}}}", eq.M[i, j]) for i in range(n) for j in range(i, n)]
    sections.append(Section("The inertia matrix as derived", "Its upper triangle.", entries))
    sections.append(Section("Check", f"{eq.check()}.", []))
    return written("md", "The Stanford arm, and seven misprints of its b_11", sections)


if __name__ == "__main__":
    for name, page in (("2r", two_r()), ("stanford", stanford())):
        (HERE / f"{name}.md").write_text(page, encoding="utf-8")
