# SPDX-License-Identifier: MIT
"""Calls of rare ops at their edges, which it adds to TABLE of keras_edge_calls.py."""
import numpy as np
from keras_edge_calls import TABLE, calls, quantile, second

__all__ = ["TABLE"]


@calls("deg2rad rad2deg erfc erfinv i0 fabs sinc isposinf isneginf signbit fliplr flipud")
def more_unary(r, name):
    if name in ("fliplr", "flipud"):
        return [r.any(r.pick((2, 3), (0, 3), (3,), (2, 2, 1)))], {}, {}
    x = r.any()
    if name == "i0":
        x = np.asarray(np.clip(x, -80, 80), "float32")
    return [x], {}, {}


@calls("fmax fmin fmod heaviside logaddexp2 nextafter isclose allclose")
def more_binary(r, name):
    shape = r.shape()
    tensors = [r.some(shape), r.some(second(r, shape))]
    options = {}
    if name in ("isclose", "allclose"):
        options = r.options(rtol=(0.0, 0.1), atol=(0.0, 0.5), equal_nan=(True, False))
    return tensors, {}, options


@calls(
    "bitwise_and bitwise_or bitwise_xor gcd lcm bitwise_left_shift bitwise_right_shift left_shift"
    " right_shift ldexp"
)
def whole_pairs(r, name):
    shape = r.shape()
    if name == "ldexp":
        return [r.floats(shape), r.ints(second(r, shape), -9, 9)], {}, {}
    other = second(r, shape)
    if "shift" in name:
        return [r.ints(shape), r.ints(other, 0, 8)], {}, {}
    kinds = (r.ints,) if name in ("gcd", "lcm") else (r.ints, r.ints, r.bools)
    return [r.pick(*kinds)(shape), r.pick(*kinds)(other)], {}, {}


@calls("bitwise_not bitwise_invert")
def whole(r, name):
    return [r.pick(r.ints, r.ints, r.bools)(r.shape())], {}, {}


@calls("view")
def view(r, name):
    return [r.pick(r.floats(r.shape()), r.ints(r.shape()))], {"dtype": r.pick("int32", "float32")}, {}


@calls("nansum nanprod nanmean nanvar nanstd nanmax nanmin nanargmax nanargmin nanmedian")
def nan_reduction(r, name):
    x = r.floats(r.shape(), 0)
    x = np.where(r.rng.random(x.shape) < r.pick(0.1, 0.5, 1), np.nan, x).astype("float32")
    x = r.any(x.shape) if r.flip(0.2) else x
    axis = r.axes(x.ndim)
    if "arg" in name and isinstance(axis, list):
        axis = axis[0]
    options = r.options(keepdims=(True, False))
    return [x], {}, {**options, **({"axis": axis} if r.flip(0.8) else {})}


@calls("nanquantile nanpercentile")
def nan_quantile(r, name):
    tensors, required, options = quantile(r, "quantile" if name == "nanquantile" else "percentile")
    x = tensors[0].astype("float32")
    x = np.where(r.rng.random(x.shape) < 0.4, np.nan, x).astype("float32")
    return [x, tensors[1]], required, options


@calls("nancumsum nancumprod")
def nan_running(r, name):
    x = r.some()
    options = {"axis": r.pick(None, r.axis(x.ndim))} if r.flip(0.8) else {}
    return [x], {}, options


@calls("append array_split hsplit vsplit dsplit dstack rot90 diag diagflat kron meshgrid")
def arranged(r, name):
    if name == "append":
        shape = r.shape()
        other = r.pick(shape, r.shape())
        return [r.any(shape), r.any(other)], {}, r.options(axis=(None, r.axis(len(shape)), 0))
    if name in ("dstack", "meshgrid"):
        shape = r.shape(r.whole(1, 3)) if name == "dstack" else None
        parts = [r.any(shape or (r.pick(0, 1, 3),)) for _ in range(r.whole(1, 3))]
        if name == "dstack":
            return [parts], {}, {}
        return parts, {}, r.options(indexing=("xy", "ij"))
    if name == "kron":
        return [r.any(r.shape(r.whole(0, 2))), r.any(r.shape(r.whole(0, 2)))], {}, {}
    x = r.any(r.shape(r.whole(1, 3)))
    if name == "rot90":
        return [x], {}, r.options(k=(-1, 0, 1, 2, 5), axes=([0, 1], [1, 0], [0, 2], [0, 0]))
    if name in ("diag", "diagflat"):
        return [x], {}, r.options(k=(-5, -1, 0, 1, 5))
    sections = r.pick(1, 2, 3, 0, [1], [0, 5], [2, 1])
    options = {"axis": r.axis(x.ndim)} if name == "array_split" else {}
    return [x], {"indices_or_sections": sections}, options


@calls("unravel_index")
def unravelled(r, name):
    shape = r.pick([2, 3], [6], [2, 1, 3])
    return [r.ints(r.shape(), 0, 5)], {"shape": shape}, {}


@calls("ptp moments trapezoid vander correlate cross corrcoef cdist")
def series(r, name):
    if name == "ptp":
        x = r.some()
        return [x], {}, {**r.options(keepdims=(True, False)), "axis": r.axes(x.ndim)}
    if name == "moments":
        x = r.floats(r.shape(r.whole(1, 3)), 0)
        return [x], {"axes": [r.axis(x.ndim)]}, r.options(keepdims=(True, False))
    if name == "trapezoid":
        y = r.some(r.shape(r.whole(1, 3)))
        axis = r.axis(y.ndim)
        options = {"axis": axis, **r.options(dx=(0.5, 2.0))}
        if r.flip(0.4) and -y.ndim <= axis < y.ndim:
            options = {"axis": axis, "x": r.floats(r.pick(y.shape, (y.shape[axis],)), 0)}
        return [y], {}, options
    if name == "vander":
        return [r.some((r.pick(0, 1, 3),))], {}, r.options(N=(None, 0, 2, 5), increasing=(True, False))
    if name == "correlate":
        return [r.some((r.pick(1, 3, 6),)), r.some((r.pick(1, 2, 3, 5),))], {}, r.options(
            mode=("valid", "same", "full"))
    if name == "cross":
        sizes = r.pick((3, 3), (3, 3), (2, 2), (2, 3), (4, 4))
        lead = r.pick((), (2,), (0,))
        return [r.floats(lead + sizes[:1], 0), r.floats(lead + sizes[1:], 0)], {}, {}
    if name == "corrcoef":
        return [r.floats(r.pick((3,), (2, 4), (3, 3), (1, 4)), 0)], {}, {}
    d = r.pick(1, 3)
    return [r.floats((2, d), 0), r.floats((r.pick(1, 3), d), 0)], {}, {}


@calls("psnr")
def ratio(r, name):
    shape = r.shape()
    other = shape if r.flip(0.9) else second(r, shape)
    return [r.floats(shape), r.floats(other)], {"max_val": r.pick(1, 255.0, 0.5)}, {}


@calls("fft rfft irfft extract_sequences stft istft")
def signals(r, name):
    lead = r.pick((), (2,), (2, 1))
    n = r.pick(1, 2, 3, 5, 8, 12, 16, 33)
    x = r.floats(lead + (n,), 0)
    if name == "fft":
        return [[x, r.floats(x.shape, 0)]], {}, {}
    if name == "rfft":
        return [x], {}, r.options(fft_length=(1, 2, 5, 16, 20))
    if name == "irfft":
        return [[x, r.floats(x.shape, 0)]], {}, r.options(fft_length=(2, 5, 16, 20))
    length, stride = r.pick((4, 2), (4, 1), (5, 3), (8, 4), (3, 5))
    if name == "extract_sequences":
        long = r.floats(lead + (r.pick(8, 12, 21),), 0)
        return [long], {"sequence_length": length, "sequence_stride": stride}, {}
    fft = length + r.pick(0, 0, 1, 4)
    required = {"sequence_length": length, "sequence_stride": min(stride, length), "fft_length": fft}
    options = r.options(window=("hann", "hamming", None), center=(True, False))
    if name == "stft":
        return [r.floats(lead + (r.pick(16, 21),), 0)], required, options
    frames = r.floats(lead + (r.pick(1, 4, 6), fft // 2 + 1), 0)
    return [[frames, r.floats(frames.shape, 0)]], required, options


@calls("hanning hamming blackman bartlett")
def window(r, name):
    return [], {"x": r.pick(0, 1, 2, 5, 8)}, {}


@calls("kaiser tri logspace geomspace")
def more_created(r, name):
    if name == "kaiser":
        return [], {"x": r.pick(1, 2, 5, 8), "beta": r.pick(0.0, 1.5, 14.0)}, {}
    if name == "tri":
        return [], {"N": r.pick(0, 1, 3)}, r.options(M=(None, 0, 2), k=(-5, -1, 0, 1, 5), dtype=("int32", "bool"))
    ends = r.pick((0, 2), (1, -1), (0.5, 3))
    options = r.options(num=(0, 1, 2, 5), endpoint=(True, False))
    if name == "logspace":
        return [], {"start": ends[0], "stop": ends[1]}, {**options, **r.options(base=(2, 10))}
    ends = r.pick((1, 1000), (8, 0.5), (-2, -32), (1, -1), (0, 3))
    return [], {"start": ends[0], "stop": ends[1]}, options


@calls("depthwise_conv separable_conv conv_transpose batch_normalization segment_prod")
def layers_as_ops(r, name):
    time, features = r.pick(1, 4, 6), r.pick(1, 2)
    x = r.floats((2, time, features), 0)
    padding = {"padding": r.pick("valid", "same")}
    taps, stride = r.pick(1, 2, 3), r.pick(1, 1, 2)
    if name == "segment_prod":
        return [r.floats((4, 2), 0), r.ints((4,), 0, 2)], {"num_segments": r.pick(1, 3, 4)}, {}
    if name == "batch_normalization":
        vector = lambda: np.abs(r.floats((features,), 0)) + np.float32(0.1)
        options = {key: vector() for key in ("offset", "scale") if r.flip()}
        return [x, vector(), vector()], {"axis": r.pick(-1, 2)}, {**options, **r.options(epsilon=(0.1,))}
    if name == "conv_transpose":
        options = {**padding, "strides": r.pick(1, 2, 3)}
        if r.flip(0.3):
            options["output_padding"] = r.whole(0, options["strides"] - 1)
        return [x, r.floats((taps, 3, features), 0)], {}, options
    kernel = r.floats((taps, features, r.pick(1, 2)), 0)
    options = {**padding, "strides": stride}
    if name == "depthwise_conv":
        return [x, kernel], {}, options
    return [x, kernel, r.floats((1, features * kernel.shape[2], 3), 0)], {}, options
