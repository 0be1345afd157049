"""Sampled signals: an even clock, zero-phase low-pass filter and derivatives; all without delay."""

from __future__ import annotations  # help shows types as they are written here

import numpy as np
from numpy.typing import NDArray

#: of the Butterworth filter that is run forth and back
ORDER = 4


def resampled(t: NDArray[np.floating], x: NDArray[np.floating], even: NDArray[np.floating]) -> NDArray[np.floating]:
    """Columns at the times of an even clock, by straight lines between samples."""
    return np.stack([np.interp(even, t, column) for column in x.T], axis=1) if x.shape[1] else x[: len(even)]


def smooth(x: NDArray[np.floating], dt: float, cutoff: float, derivative: int = 0) -> NDArray[np.floating]:
    """Signals (n, k), or their time derivatives, through a Butterworth filter forth and back; 0 Hz: no filter.

    Done with sines: without the line between its ends a signal is zero there, and goes on as its own mirror image
    turned upside down.  Its first derivative has no jump at the ends, the second has.
    """
    n = len(x) - 1
    if n < 2:
        return x * (derivative == 0)
    line = np.linspace(0, 1, n + 1)[:, None] * (x[-1] - x[0])
    rest = x - x[0] - line
    odd = np.concatenate([rest, -rest[-2:0:-1]])
    f = np.fft.rfftfreq(2 * n, dt)[:, None]
    gain = (2j * np.pi * f) ** derivative * (f < f[-1])  # no slope is known at half the sampling rate
    if cutoff:
        gain = gain / (1 + (f / cutoff) ** (2 * ORDER))
    found = np.fft.irfft(np.fft.rfft(odd, axis=0) * gain, 2 * n, axis=0)[: n + 1]
    trend = [x[0] + line, (x[-1] - x[0]) / (n * dt)]
    return found + trend[derivative] if derivative < 2 else found
