"""Pictures as the bytes of a file: GIF and PNG by Pillow, MP4 by PyAV."""

import io
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import MissingExtra


def gif(images: Sequence[np.ndarray], fps: float) -> bytes:
    """Pictures as a GIF with the same 255 colors in all of them, so that nothing that stands still flickers."""
    Image = _pillow()
    every = [Image.fromarray(image) for image in images]
    sample = np.concatenate(images[:: max(1, len(images) // 6)])
    palette = Image.fromarray(sample).quantize(255, method=Image.Quantize.MEDIANCUT)
    few = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in every]
    file = io.BytesIO()
    few[0].save(
        file, "GIF", save_all=True, append_images=few[1:], duration=round(100 / fps) * 10, loop=0, optimize=True
    )
    return file.getvalue()


def png(images: Sequence[np.ndarray], fps: float) -> bytes:
    """The last picture."""
    file = io.BytesIO()
    _pillow().fromarray(images[-1]).save(file, "PNG", optimize=True)
    return file.getvalue()


def mp4(images: Sequence[np.ndarray], fps: float) -> bytes:
    """H.264, as every browser and slide program plays it; an odd last row or column is left out."""
    try:
        import av
    except ModuleNotFoundError:
        raise MissingExtra("an MP4 file needs PyAV: pip install 'articulated[video]'") from None
    height, width = (2 * (n // 2) for n in images[0].shape[:2])
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=round(fps), options={"crf": "18", "preset": "medium"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for image in images:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image[:height, :width], format="rgb24")))
        container.mux(stream.encode())
    return file.getvalue()


class Format(NamedTuple):
    """A kind of file."""

    written: Callable[[Sequence[np.ndarray], float], bytes]
    rate: Callable[[float], float]  # nearest frame rate that it can have, 1/s
    moves: bool = True


#: by the ending of the file
FORMATS = {
    ".gif": Format(gif, lambda fps: 100 / max(2, round(100 / fps))),  # in hundredths of a second
    ".mp4": Format(mp4, lambda fps: float(max(1, round(fps)))),
    ".png": Format(png, float, moves=False),
}


def _pillow() -> Any:
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise MissingExtra("a picture needs Pillow: pip install 'articulated[view]'") from None
    return Image
