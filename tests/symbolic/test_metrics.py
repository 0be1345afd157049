"""The font of measures that pages carry."""

import base64
from io import BytesIO

import pytest

from articulated.symbolic.pages.html import FORMULAS
from articulated.symbolic.pages.metrics import METRICS
from tests.symbolic.metrics_font import LENGTHS, NUMBERS

fonts = pytest.importorskip("fontTools.ttLib", reason="fontTools, which Matplotlib brings, is not installed")


def test_it_is_the_one_that_is_made_and_has_no_letters():
    font = fonts.TTFont(BytesIO(base64.b64decode(METRICS)))
    constants = font["MATH"].table.MathConstants
    assert {name: getattr(constants, name).Value for name in LENGTHS} == LENGTHS
    assert {name: getattr(constants, name) for name in NUMBERS} == NUMBERS
    assert list(font.getBestCmap()) == [ord(" ")]


def test_it_is_asked_last_before_whatever_there_is():
    assert ",articulated-metrics,math;" in FORMULAS and METRICS in FORMULAS
