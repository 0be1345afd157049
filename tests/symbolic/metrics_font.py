"""Makes the font of measures in `articulated/symbolic/pages/metrics.py`: `python -m tests.symbolic.metrics_font`.

It has a space and no other glyph.  Its MATH table tells a browser that has no font for mathematics how far indices
sink and exponents rise; the letters come from the fonts that are there.  Needs fontTools, which Matplotlib brings.
"""

import base64
from io import BytesIO
from typing import Any

#: thousandths of the size of the letters, names as in the MATH table of OpenType; indices of p and c are at one height
LENGTHS = {
    "MathLeading": 150, "AxisHeight": 250, "AccentBaseHeight": 450, "FlattenedAccentBaseHeight": 660,
    "SubscriptShiftDown": 250, "SubscriptTopMax": 350, "SubscriptBaselineDropMin": 20,
    "SuperscriptShiftUp": 360, "SuperscriptShiftUpCramped": 290, "SuperscriptBottomMin": 110,
    "SuperscriptBaselineDropMax": 250, "SubSuperscriptGapMin": 160, "SuperscriptBottomMaxWithSubscript": 350,
    "SpaceAfterScript": 50, "UpperLimitGapMin": 200, "UpperLimitBaselineRiseMin": 110, "LowerLimitGapMin": 170,
    "LowerLimitBaselineDropMin": 600, "StackTopShiftUp": 450, "StackTopDisplayStyleShiftUp": 680,
    "StackBottomShiftDown": 350, "StackBottomDisplayStyleShiftDown": 690, "StackGapMin": 120,
    "StackDisplayStyleGapMin": 280, "StretchStackTopShiftUp": 110, "StretchStackBottomShiftDown": 600,
    "StretchStackGapAboveMin": 200, "StretchStackGapBelowMin": 170, "FractionNumeratorShiftUp": 400,
    "FractionNumeratorDisplayStyleShiftUp": 680, "FractionDenominatorShiftDown": 350,
    "FractionDenominatorDisplayStyleShiftDown": 690, "FractionNumeratorGapMin": 50,
    "FractionNumDisplayStyleGapMin": 120, "FractionRuleThickness": 50, "FractionDenominatorGapMin": 50,
    "FractionDenomDisplayStyleGapMin": 120, "SkewedFractionHorizontalGap": 350, "SkewedFractionVerticalGap": 100,
    "OverbarVerticalGap": 120, "OverbarRuleThickness": 50, "OverbarExtraAscender": 50, "UnderbarVerticalGap": 120,
    "UnderbarRuleThickness": 50, "UnderbarExtraDescender": 50, "RadicalVerticalGap": 50,
    "RadicalDisplayStyleVerticalGap": 150, "RadicalRuleThickness": 50, "RadicalExtraAscender": 50,
    "RadicalKernBeforeDegree": 280, "RadicalKernAfterDegree": -560,
}  # fmt: skip
NUMBERS = {
    "ScriptPercentScaleDown": 72,
    "ScriptScriptPercentScaleDown": 55,
    "DelimitedSubFormulaMinHeight": 1300,
    "DisplayOperatorMinHeight": 1300,
    "RadicalDegreeBottomRaisePercent": 60,
}


def font() -> bytes:
    """The file."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    made = FontBuilder(1000, isTTF=True)
    nothing = TTGlyphPen(None).glyph()
    made.setupGlyphOrder([".notdef", "space"])
    made.setupCharacterMap({ord(" "): "space"})
    made.setupGlyf({".notdef": nothing, "space": nothing})
    made.setupHorizontalMetrics({".notdef": (250, 0), "space": (250, 0)})
    made.setupHorizontalHeader(ascent=800, descent=-200)
    made.setupNameTable({"familyName": "articulated metrics", "styleName": "Regular"})
    made.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200, sxHeight=450)
    made.setupPost(keepGlyphNames=False)
    made.font["head"].created = made.font["head"].modified = 0
    made.font.recalcTimestamp = False
    made.font["MATH"] = _mathematics()
    file = BytesIO()
    made.save(file)
    return file.getvalue()


def _mathematics() -> Any:
    from fontTools.ttLib import newTable
    from fontTools.ttLib.tables import otTables

    def record(name: str, **fields: Any) -> Any:
        made = getattr(otTables, name)()
        for field, value in fields.items():
            setattr(made, field, value)
        return made

    lengths = {name: record("MathValueRecord", Value=value) for name, value in LENGTHS.items()}
    none = dict.fromkeys(("MathItalicsCorrectionInfo", "MathTopAccentAttachment", "ExtendedShapeCoverage",
                          "MathKernInfo"))  # fmt: skip
    found = newTable("MATH")
    found.table = record(
        "MATH",
        Version=0x00010000,
        MathConstants=record("MathConstants", **NUMBERS, **lengths),
        MathGlyphInfo=record("MathGlyphInfo", **none),
        MathVariants=record("MathVariants", MinConnectorOverlap=20, VertGlyphCoverage=None, HorizGlyphCoverage=None,
                            VertGlyphCount=0, HorizGlyphCount=0, VertGlyphConstruction=[], HorizGlyphConstruction=[]),
    )  # fmt: skip
    return found


def module() -> str:
    """The text of `metrics.py`."""
    data = base64.b64encode(font()).decode()
    lines = "\n".join(f'    "{data[k : k + 108]}"' for k in range(0, len(data), 108))
    return f'''"""A font without letters, for browsers that have none for mathematics: how far indices sink.

Made by `python -m tests.symbolic.metrics_font`.
"""

#: TrueType, base64
METRICS = (
{lines}
)
'''


def main() -> None:
    from pathlib import Path

    import articulated.symbolic.pages as pages

    Path(pages.__file__).with_name("metrics.py").write_text(module(), encoding="utf-8")


if __name__ == "__main__":
    main()
