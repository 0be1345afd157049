"""The texts of the readers are part of the interface: a change shows up here."""

from .messages import GOLDEN, messages


def test_messages_are_as_agreed():
    assert messages().split("\n") == GOLDEN.read_text(encoding="utf-8").split("\n")


def test_no_message_is_longer_than_a_screen():
    assert max(map(len, messages().split("\n"))) < 400
