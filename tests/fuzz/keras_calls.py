# SPDX-License-Identifier: MIT
"""keras_calls.py FILE [--seed N] [--count M] [--only OP]: random calls of the ops that
maskflow/recurrent leaves out, a line each, with their results in Keras, the gradients of their
float32 tensors by PyTorch, and the architecture of a model that makes the call.
tests/fixtures/ops/calls.jsonl.gz has some, as the README of tests/fixtures says;
tests/support/op_calls.js repeats them."""
import argparse
import json

import keras
import numpy as np
import torch
from keras import ops
from keras_edge_calls import Random as EdgeRandom
from keras_rare_calls import TABLE
from recorded_file import recorded_file

SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0)


class Random(EdgeRandom):
    def shape(self, rank=None, low=1):
        rank = self.whole(1, 3) if rank is None else rank
        return tuple(self.whole(low, 4) for _ in range(rank))

    def floats(self, shape, special=0.0, ties=False):
        x = self.rng.standard_normal(shape) * 2
        x = np.round(x, 0 if ties else 2).astype("float32")
        chosen = self.rng.random(shape) < special
        return np.where(chosen, self.rng.choice(SPECIAL, shape), x).astype("float32")

    def ints(self, shape, low=-4, high=4):
        return self.rng.integers(low, high + 1, shape).astype("int32")

    def any(self, shape, special=0.0):
        """A tensor of any dtype."""
        kind = self.pick("float", "float", "int", "bool")
        if kind == "float":
            return self.floats(shape, special, self.flip())
        return self.ints(shape) if kind == "int" else self.rng.random(shape) > 0.5

    def axis(self, rank):
        return self.whole(-rank, rank - 1)


def case(op, tensors, required=None, options=None):
    return {"op": op, "tensors": tensors, "required": required or {}, "options": options or {}}


UNARY = (
    "arccos arccosh arcsin arcsinh arctan arctanh cbrt cosh exp2 log10 log2 sinh tan trunc"
    " stop_gradient"
).split()


def elementwise(r):
    for op in UNARY:
        # PyTorch's derivative of the cube root of 0 is NaN.
        special = 0 if op == "cbrt" else r.pick(0, 0.3)
        x = r.floats(r.shape(), special) * r.pick(0.3, 1, 4)
        yield case(op, [np.float32(x + 0.001) if op == "cbrt" else x.astype("float32")])
    for op in ("arctan2", "hypot", "logaddexp", "divide_no_nan"):
        shape = r.shape()
        other = r.pick(shape, shape[-1:], (1,) * len(shape))
        yield case(op, [r.floats(shape, r.pick(0, 0.3), True), r.floats(other, r.pick(0, 0.3), True)])
    options = r.pick({}, {"nan": 2.5}, {"nan": 1.0, "posinf": 7.0, "neginf": -3.0})
    yield case("nan_to_num", [r.floats(r.shape(), 0.6)], {}, options)


def arrangements(r):
    x = r.any(r.shape())
    yield case("diff", [x], {}, r.pick({}, {"axis": r.axis(x.ndim), "n": r.whole(0, 3)}))
    shape = r.shape()
    for op in ("hstack", "vstack"):
        yield case(op, [[r.floats(shape) for _ in range(r.whole(1, 3))]])
    yield case("ravel", [r.any(shape)])
    yield case("size", [r.any(shape)])
    x = r.any(r.shape(r.whole(2, 3)))
    axes = r.pick({}, {"axis1": -1, "axis2": 0}, {"axis1": 1, "axis2": 0})
    for op in ("diagonal", "trace"):
        yield case(op, [x], {}, {"offset": r.whole(-2, 2), **axes})
    count = r.whole(2, 5)
    inputs = r.ints(r.shape(r.whole(1, 2)), 0, count - 1)
    yield case("multi_hot", [inputs], {"num_classes": count})


def products(r):
    n = r.whole(1, 4)
    yield case("dot", r.pick(
        [r.floats((n,)), r.floats((n,))],
        [r.floats((2, n)), r.floats((n, 3))],
        [r.floats((2, 3, n)), r.floats((n,))],
        [r.ints((2, n)), r.ints((n, 2))],
        [r.floats(()), r.floats((2,))],
    ))
    yield case("inner", [r.floats((n,)), r.floats((n,))])
    yield case("inner", [r.floats((2, n)), r.floats((3, n))])
    yield case("vdot", [r.floats((n,)), r.floats((n,))])
    yield case("tensordot", [r.floats((2, n, 3)), r.floats((n, 3, 2))], {}, {})
    yield case("tensordot", [r.floats((2, n, 3)), r.floats((3, n))], {}, {"axes": [[1, 2], [1, 0]]})
    yield case("tensordot", [r.floats((2, n)), r.floats((n, 3))], {}, {"axes": r.pick(0, 1)})
    heads, kv, size = r.pick((2, 2), (4, 2), (2, 1)) + (r.whole(1, 3),)
    t, s = r.whole(1, 3), r.whole(1, 3)
    # PyTorch's derivative of a query that sees no key assumes weights of 1.
    seen = r.rng.random((2, heads, t, s)) > 0.4
    seen[..., 0] = True
    options = r.pick(
        {}, {"is_causal": True}, {"scale": 0.7},
        {"mask": seen[:, :1]},
        {"bias": r.floats((2, heads, t, s))},
        {"mask": seen, "is_causal": t == s, "scale": 0.3},
    )
    yield case("dot_product_attention", [
        r.floats((2, t, heads, size)), r.floats((2, s, kv, size)), r.floats((2, s, kv, size))
    ], {}, options)


def statistics(r):
    x = r.floats(r.shape(), r.pick(0, 0, 0.2))
    yield case("average", [x], {}, r.pick({}, {"axis": r.axis(x.ndim)}))
    x = r.floats((2, 3))
    yield case("average", [x], {}, {"axis": -1, "weights": r.pick(
        np.abs(r.floats((3,))) + 0.1, np.abs(r.floats((2, 3))) + 0.1)})
    x = r.pick(r.floats(r.shape(), 0), r.floats(r.shape(), 0, True), r.ints(r.shape()))
    yield case("cumprod", [x], {}, r.pick({}, {"axis": r.axis(x.ndim)}))
    shape = r.shape(r.whole(2, 3), 2)
    # Keras with PyTorch normalizes other axes than the last ones wrongly.
    axis = r.pick(-1, [-2, -1])
    inner = (
        (shape[axis],) if isinstance(axis, int) else tuple(shape[a] for a in axis)
    )
    for op, names in (("layer_normalization", ("gamma", "beta")), ("rms_normalization", ("scale",))):
        options = {} if axis == -1 and r.flip() else {"axis": axis}
        options |= {name: r.floats(inner) for name in names if r.flip(0.7)}
        if r.flip(0.4):
            options["epsilon"] = 0.1
        yield case(op, [r.floats(shape)], {}, options)


def sorting(r):
    for op in ("sort", "argsort"):
        x = r.floats(r.shape(), r.pick(0, 0.2), r.flip()) if r.flip(0.7) else r.ints(r.shape())
        yield case(op, [x], {}, r.pick({}, {"axis": r.axis(x.ndim)}, {"axis": None}))
    x = r.floats(r.shape(low=2))
    yield case("top_k", [x], {"k": r.whole(1, x.shape[-1])})
    classes = r.whole(2, 5)
    predictions = r.floats((4, classes), 0, r.flip())
    yield case("in_top_k", [r.ints((4,), 0, classes - 1), predictions], {"k": r.whole(1, classes)})
    limits = np.sort(r.floats((r.whole(1, 5),), 0, True))
    for side in ({}, {"side": "right"}):
        yield case("searchsorted", [limits, r.floats(r.shape(), 0, True)], {}, side)
    yield case("digitize", [r.floats(r.shape(), 0, True), limits])
    elements = r.ints(r.shape())
    yield case("isin", [elements, r.ints((3,))], {}, {"invert": r.flip()})
    yield case("isin", [r.floats(r.shape(), 0.2, True), r.floats(r.shape(), 0.2, True)])
    x = r.floats(r.shape(), r.pick(0, 0, 0.2), r.flip())
    axis = r.pick(None, r.axis(x.ndim), list(range(x.ndim)))
    options = {"axis": axis, "keepdims": r.flip()}
    yield case("median", [x], {}, options)
    q = r.pick(np.float32(0.3), np.array([0, 0.25, 1], "float32"), np.array([0.61], "float32"))
    method = r.pick({}, {"method": r.pick("linear", "lower", "higher", "midpoint", "nearest")})
    yield case("quantile", [x, q], {}, {**options, **method})
    yield case("percentile", [x, q * 100], {}, {**options, **method})


def scattering(r):
    rows, columns = r.whole(1, 4), r.whole(1, 4)
    count = r.whole(1, 4)
    row = r.ints((count, 1), 0, rows - 1)
    element = np.concatenate([row, r.ints((count, 1), 0, columns - 1)], axis=1)
    values = r.pick(r.floats, r.ints)
    yield case("scatter", [row, r.floats((count, columns))], {"shape": [rows, columns]})
    yield case("scatter", [element, values((count,))], {"shape": [rows, columns]})
    base = r.floats((rows, columns))
    order = r.rng.permutation(rows)[:count].reshape(-1, 1).astype("int32")
    yield case("scatter_update", [base, order, r.floats((len(order), columns))])
    for reduction in ("add", "max", "min", "mul"):
        updates = r.floats((count,))
        yield case("scatter_update", [base, element, updates], {}, {"reduction": reduction})
    block = (r.whole(1, rows), r.whole(1, columns))
    start = np.array([r.whole(0, rows - block[0]), r.whole(0, columns - block[1])], "int32")
    yield case("slice_update", [base, start, r.floats(block)])
    for op in ("segment_sum", "segment_max", "segment_min"):
        data = r.floats(r.shape(r.whole(1, 3)), 0, r.flip())
        yield case(op, [data, r.ints(data.shape[:1], -1, 4)], {"num_segments": r.whole(1, 5)})


def windows(r):
    time, features = r.whole(4, 8), r.whole(1, 3)
    x = r.floats((2, time, features))
    padding = {"padding": r.pick("valid", "same")}
    taps = r.whole(1, 3)
    stride = r.pick({}, {"strides": r.whole(1, 2)}, {"dilation_rate": r.whole(1, 2)})
    if taps * 2 - 1 > time:
        stride = {}
    yield case("conv", [x, r.floats((taps, features, 2))], {}, {**padding, **stride})
    more = r.pick({}, {"strides": r.whole(1, 2)})
    yield case("max_pool", [x], {"pool_size": r.whole(1, 3)}, {**padding, **more})
    # With PyTorch, padding "same" repeats the last step instead of leaving it out.
    yield case("average_pool", [x], {"pool_size": r.whole(1, 3)}, more)


def losses(r):
    probabilities = r.rng.random((3, 4)).astype("float32") * 0.98 + 0.01
    logits = r.floats((3, 4))
    axis = r.pick({}, {"axis": -1})
    for output, form in ((probabilities, {}), (logits, {"from_logits": True})):
        targets = (r.rng.random((3, 4)) > 0.5).astype("float32")
        yield case("binary_crossentropy", [targets, output], {}, form)
        yield case("categorical_crossentropy", [targets, output], {}, {**form, **axis})
        classes = r.ints(r.pick((3,), (3, 1)), 0, 3)
        yield case("sparse_categorical_crossentropy", [classes, output], {}, {**form, **axis})
    steps = r.ints((2,), 1, 5)
    options = {"merge_repeated": r.flip(), "mask_index": r.whole(0, 2)}
    yield case("ctc_decode", [r.floats((2, 5, 3)), steps], {}, options)


class Calm(EdgeRandom):
    """Chooses calls of keras_edge_calls.py without their edges."""

    def floats(self, shape, special=None):
        return super().floats(shape, 0)

    def axis(self, rank, beyond=0):
        return super().axis(rank, 0)

    def shape(self, rank=None):
        rank = self.whole(1, 3) if rank is None else rank
        return tuple(self.whole(1, 4) for _ in range(rank))


RARE = (
    "deg2rad rad2deg erfc erfinv i0 fabs sinc fliplr flipud isposinf isneginf signbit fmax fmin fmod"
    " heaviside logaddexp2 nextafter isclose allclose bitwise_and bitwise_or bitwise_xor gcd lcm"
    " bitwise_left_shift bitwise_right_shift ldexp bitwise_not view nansum nanprod nanmean nanvar"
    " nanstd nanmax nanmin nanargmax nanargmin nanmedian nanquantile nanpercentile nancumsum"
    " nancumprod append array_split hsplit vsplit dsplit dstack rot90 diag diagflat kron meshgrid"
    " unravel_index ptp moments trapezoid vander correlate cross corrcoef cdist fft rfft irfft"
    " extract_sequences stft istft depthwise_conv separable_conv conv_transpose batch_normalization"
    " segment_prod psnr"
).split()


def rare(r):
    calm = Calm(r.whole(0, 2**31 - 1))
    for op in RARE:
        tensors, required, options = TABLE[op](calm)
        if op == "erfinv":
            tensors = [np.tanh(x.astype("float32")) for x in tensors]
        if op == "fmod":
            tensors[1] = np.where(tensors[1] == 0, 1, tensors[1]).astype(tensors[1].dtype)
        if op == "istft":
            # Without the margins that centred parts have, back ends differ at the ends.
            options.pop("center", None)
        yield case(op, tensors, required, options)


FAMILIES = (
    elementwise, arrangements, products, statistics, sorting, scattering, windows, losses, rare
)
# PyTorch has no derivative here, or Keras computes it from a copy.
WITHOUT_GRADIENT = ("isin", "searchsorted", "scatter_update max", "scatter_update min",
                    "scatter_update mul", "argsort", "digitize", "in_top_k",
                    "size", "multi_hot", "stop_gradient")


def encoded(value):
    if isinstance(value, list):
        return [encoded(item) for item in value]
    array = np.asarray(value)
    dtype = str(array.dtype)
    names = {"int64": "int32", "float64": "float32"}
    data = [
        float(x) if np.isfinite(x) else str(float(x)) for x in array.reshape(-1).tolist()
    ]
    return {"shape": list(array.shape), "dtype": names.get(dtype, dtype), "data": data}


def is_tensor(value):
    return isinstance(value, (np.ndarray, np.generic))


def call(c, tensors, options):
    return getattr(ops, c["op"])(*tensors, **c["required"], **options)


def listed(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def architecture(c):
    inputs = []

    def symbol(x):
        if isinstance(x, list):
            return [symbol(item) for item in x]
        inputs.append(keras.Input(batch_shape=x.shape, dtype=x.dtype))
        return inputs[-1]

    tensors = [symbol(x) for x in c["tensors"]]
    options = {k: symbol(v) if is_tensor(v) else v for k, v in c["options"].items()}
    outputs = listed(call(c, tensors, options))
    return keras.Model(inputs, outputs if len(outputs) > 1 else outputs[0]).to_json()


def gradients(c):
    """Of the sum of the results, times 1, 2, 3, …; by position and by name."""
    key = c["op"] + (" " + c["options"]["reduction"] if "reduction" in c["options"] else "")
    if key in WITHOUT_GRADIENT:
        return None
    leaves = []

    def leaf(x):
        if isinstance(x, list):
            return [leaf(item) for item in x]
        tensor = torch.tensor(x)
        if tensor.dtype == torch.float32:
            tensor.requires_grad_()
            leaves.append(tensor)
        return tensor

    tensors = [leaf(x) for x in c["tensors"]]
    options = {k: leaf(v) if is_tensor(v) else v for k, v in c["options"].items()}
    results = [y for y in listed(call(c, tensors, options)) if y.dtype == torch.float32]
    if not leaves or not results or not results[0].requires_grad:
        return None
    total = sum(
        (y * torch.arange(1, y.numel() + 1, dtype=torch.float32).reshape(y.shape)).sum()
        for y in results
    )
    total.backward()
    return [None if x.grad is None else encoded(x.grad.numpy()) for x in leaves]


def record(c):
    entry = {
        "op": c["op"],
        "tensors": encoded(c["tensors"]),
        "required": c["required"],
        "options": {k: encoded(v) if is_tensor(v) else v for k, v in c["options"].items()},
    }
    tensors = [x if isinstance(x, list) else ops.convert_to_tensor(x) for x in c["tensors"]]
    results = listed(call(c, tensors, c["options"]))
    entry["results"] = [encoded(keras.ops.convert_to_numpy(y)) for y in results]
    try:
        entry["gradients"] = gradients(c)
    except Exception as error:
        entry["no_gradients"] = str(error)[:200]
    try:
        entry["architecture"] = architecture(c)
    except Exception as error:
        entry["no_model"] = str(error)[:200]
    return entry


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=296)
    parser.add_argument("--only", help="leaves out the calls of other ops")
    options = parser.parse_args()
    recorded, number = [], 0
    while len(recorded) < options.count:
        r = Random([options.seed, number])
        number += 1
        for family in FAMILIES:
            for c in family(r):
                if options.only not in (None, c["op"]):
                    continue
                try:
                    recorded.append(record(c))
                except Exception as error:
                    recorded.append({"op": c["op"], "fails": str(error)[:300]})
    with recorded_file(options.out) as file:
        for entry in recorded[: options.count]:
            file.write(json.dumps({"name": entry["op"], **entry}) + "\n")
    print(len(recorded), "calls;", sum("fails" in c for c in recorded), "fail in Keras")


if __name__ == "__main__":
    main()
