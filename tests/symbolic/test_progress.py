"""Long derivations say so, and an interrupt ends them cleanly."""

import time

import pytest

from articulated.symbolic.equations import progress


def test_long_work_says_what_it_does(monkeypatch, capsys):
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    said, patience = "", time.monotonic() + 60
    with progress.progress("counting"):
        while "…" not in said and time.monotonic() < patience:
            time.sleep(0.001)
            said += capsys.readouterr().err
    assert (said + capsys.readouterr().err).split("\n")[:2] == ["counting …", "counting: done"]


def test_short_work_is_silent(capsys):
    with progress.progress("counting"):
        pass
    assert capsys.readouterr().err == ""


def test_an_interrupt_ends_it():
    with pytest.raises(KeyboardInterrupt), progress.progress("counting"):
        raise KeyboardInterrupt


def test_work_within_work_is_silent(monkeypatch, capsys):
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    with progress.progress("counting"), progress.progress("adding"):
        time.sleep(0.2)
    assert "adding" not in capsys.readouterr().err
    with progress.progress("adding"):
        time.sleep(0.2)
    assert "adding" in capsys.readouterr().err
