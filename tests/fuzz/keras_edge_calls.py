# SPDX-License-Identifier: MIT
"""Calls of ops at their edges: TABLE maps the name of an op to a function of a Random that returns
the tensors, the required settings and the options of a call."""
import numpy as np

SHAPES = ((), (0,), (1,), (3,), (2, 3), (0, 3), (2, 0), (1, 3), (2, 1, 3), (2, 3, 2), (2, 0, 3))
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 3e38, -3e38, 1e-38, 1e-42, 0.5, 2.5)
LARGE = (2**31 - 1, -(2**31), 0, 1, -1, 5, 100_000)


def is_tensor(value):
    return isinstance(value, (np.ndarray, np.generic))


class Random:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def whole(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def pick(self, *choices):
        return choices[self.whole(0, len(choices) - 1)]

    def flip(self, share=0.5):
        return bool(self.rng.random() < share)

    def shape(self, rank=None):
        if rank is None:
            return self.pick(*SHAPES)
        return tuple(self.pick(0, 1, 2, 3, 3) for _ in range(rank))

    def floats(self, shape, special=None):
        special = self.pick(0, 0, 0.3, 0.8) if special is None else special
        x = np.round(self.rng.standard_normal(shape) * 2, self.pick(0, 2))
        chosen = self.rng.random(shape) < special
        return np.asarray(np.where(chosen, self.rng.choice(SPECIAL, shape), x), "float32")

    def ints(self, shape, low=-4, high=4):
        x = self.rng.integers(low, high + 1, shape)
        if (low, high) == (-4, 4) and self.flip(0.15):
            x = self.rng.choice(LARGE, shape)
        return np.asarray(x, "int32")

    def bools(self, shape):
        return np.asarray(self.rng.random(shape) > 0.5)

    def any(self, shape=None):
        """A tensor of any dtype."""
        shape = self.shape() if shape is None else shape
        return self.pick(self.floats, self.floats, self.ints, self.bools)(shape)

    def some(self, shape=None):
        """A tensor of floats, rarely of another dtype."""
        shape = self.shape() if shape is None else shape
        return self.any(shape) if self.flip(0.3) else self.floats(shape)

    def axis(self, rank, beyond=0.1):
        """An axis, sometimes out of range."""
        if self.flip(beyond) or rank == 0:
            return self.pick(rank, -rank - 1)
        return self.whole(-rank, rank - 1)

    def axes(self, rank):
        """One axis, several or all."""
        kind = self.pick("one", "one", "all", "several")
        if kind == "several" and rank > 1:
            chosen = self.rng.choice(rank, self.whole(1, rank), replace=self.flip(0.1))
            return [int(a) - rank if self.flip(0.3) else int(a) for a in chosen]
        return None if kind == "all" else self.axis(rank)

    def options(self, **choices):
        """Some of the options, each with one of its choices."""
        return {key: self.pick(*values) for key, values in choices.items() if self.flip(0.6)}


TABLE = {}


def calls(names):
    def add(function):
        for name in names.split():
            TABLE[name] = lambda r, name=name: function(r, name)
        return function

    return add


@calls(
    "absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh erf exp exp2 expm1"
    " floor isfinite isinf isnan log log10 log1p log2 logical_not negative reciprocal round rsqrt"
    " sigmoid sign sin sinh sqrt square stop_gradient tan tanh trunc zeros_like ones_like ravel"
    " size relu relu6 silu softplus softsign selu hard_sigmoid hard_silu hard_tanh log_sigmoid"
    " sparse_plus sparse_sigmoid tanh_shrink nan_to_num"
)
def unary(r, name):
    return [r.any()], {}, {}


@calls("leaky_relu elu celu squareplus soft_shrink hard_shrink gelu threshold")
def activation(r, name):
    options = {
        "leaky_relu": {"negative_slope": (0.0, 0.3, -1.0)},
        "elu": {"alpha": (0.0, 2.0, -1.0)},
        "celu": {"alpha": (0.5, 2.0, -1.0)},
        "squareplus": {"b": (0, 1.0, 4)},
        "soft_shrink": {"threshold": (0.0, 1.0)},
        "hard_shrink": {"threshold": (0.0, 1.0)},
        "gelu": {"approximate": (True, False)},
    }
    if name == "threshold":
        return [r.some()], {"threshold": r.pick(0.0, 1, -0.5), "default_value": r.pick(0.0, 7)}, {}
    return [r.some()], {}, r.options(**options[name])


def second(r, shape):
    """A shape that broadcasts with another one, or does not."""
    return r.pick(shape, shape, shape[-1:], (), (1,) * len(shape), (1,) + shape, r.shape())


@calls(
    "add subtract multiply divide true_divide floor_divide mod power maximum minimum equal not_equal"
    " greater greater_equal less less_equal logical_and logical_or logical_xor arctan2 hypot"
    " logaddexp divide_no_nan"
)
def binary(r, name):
    shape = r.shape()
    return [r.any(shape), r.any(second(r, shape))], {}, {}


@calls("all any argmax argmin count_nonzero max min mean prod std sum var logsumexp median")
def reduction(r, name):
    x = r.any()
    keepdims = {} if name == "count_nonzero" else r.options(keepdims=(True, False))
    axis = r.axes(x.ndim)
    if name.startswith("arg") and isinstance(axis, list):
        axis = axis[0]
    return [x], {}, {**keepdims, **({"axis": axis} if r.flip(0.8) else {})}


@calls("norm")
def norm(r, name):
    x = r.some()
    orders = (None, 1, 2, np.inf, -np.inf, 0, 3, "fro", "nuc", -1, -2)
    options = {**r.options(keepdims=(True, False)), "ord": r.pick(*orders)}
    if r.flip(0.8):
        options["axis"] = r.axes(x.ndim)
    options["ord"] = str(options["ord"]) if options["ord"] in (np.inf, -np.inf) else options["ord"]
    if options["ord"] in ("inf", "-inf", "nuc"):
        options["ord"] = None
    return [x], {}, options


@calls("average")
def average(r, name):
    x = r.some()
    axis = r.pick(None, r.axis(x.ndim))
    weights = r.pick(x.shape, x.shape, r.shape())
    if axis is not None and -x.ndim <= axis < x.ndim and r.flip():
        weights = (x.shape[axis],)
    options = {"axis": axis}
    return [x], {}, {**options, **({"weights": r.some(weights)} if r.flip(0.7) else {})}


@calls("quantile percentile")
def quantile(r, name):
    x = r.some()
    q = r.pick(np.float32(0.3), np.array([0, 0.25, 1], "float32"), np.float32(r.pick(-0.1, 1.1, 1, 0)),
               np.zeros((0,), "float32"), np.array([[0.5]], "float32"))
    if name == "percentile":
        q = q * 100
    options = r.options(keepdims=(True, False),
                        method=("linear", "lower", "higher", "midpoint", "nearest", "cubic"))
    return [x, q], {}, {**options, **({"axis": r.axes(x.ndim)} if r.flip(0.8) else {})}


@calls("cumsum cumprod sort argsort diff flip softmax log_softmax sparsemax glu")
def along(r, name):
    x = r.some() if name in ("softmax", "log_softmax", "sparsemax", "glu") else r.any()
    options = {"axis": r.axis(x.ndim)} if r.flip(0.8) else {}
    if name in ("cumsum", "cumprod"):
        options |= r.options(dtype=("float32", "int32", None))
    if name in ("cumsum", "cumprod", "sort", "argsort", "flip") and r.flip(0.15):
        options["axis"] = None
    if name == "diff":
        options |= r.options(n=(0, 1, 2, 5, -1))
    if name in ("softmax", "flip") and r.flip(0.2):
        options["axis"] = r.axes(x.ndim)
    return [x], {}, options


@calls("normalize")
def normalize(r, name):
    x = r.some()
    return [x], {}, {**r.options(order=(1, 2, 3, 0.5), epsilon=(1e-12, 0.1)), "axis": r.axis(x.ndim)}


@calls("tril triu diagonal trace")
def triangles(r, name):
    x = r.any()
    if name in ("tril", "triu"):
        return [x], {}, r.options(k=(-5, -1, 0, 1, 5))
    options = r.options(offset=(-5, -1, 0, 1, 5))
    if r.flip():
        options |= {"axis1": r.axis(x.ndim), "axis2": r.axis(x.ndim)}
    return [x], {}, options


@calls("expand_dims squeeze moveaxis swapaxes transpose roll repeat tile")
def rearranged(r, name):
    x = r.any()
    if name == "expand_dims":
        return [x], {"axis": r.pick(r.axis(x.ndim + 1), r.axis(x.ndim + 1), [0, -1], [0, 0])}, {}
    if name == "squeeze":
        ones = [i for i, size in enumerate(x.shape) if size == 1]
        return [x], {}, r.options(axis=(None, r.axis(x.ndim), ones, [0]))
    if name == "moveaxis":
        pair = r.pick((r.axis(x.ndim), r.axis(x.ndim)), ([0, 1], [1, 0]), ([0], [-1, 0]))
        return [x], {"source": pair[0], "destination": pair[1]}, {}
    if name == "swapaxes":
        return [x], {"axis1": r.axis(x.ndim), "axis2": r.axis(x.ndim)}, {}
    if name == "transpose":
        order = [int(a) for a in r.rng.permutation(x.ndim)]
        wrong = r.pick([0] * x.ndim, order[:-1], [a - x.ndim for a in order])
        return [x], {}, r.options(axes=(None, order, order, wrong))
    if name == "roll":
        shift = r.pick(1, -1, 100, 0)
        return [x], {"shift": shift}, r.options(axis=(None, r.axis(x.ndim), r.axis(x.ndim)))
    if name == "repeat":
        return [x], {"repeats": r.pick(0, 1, 3, -1)}, r.options(axis=(None, r.axis(x.ndim)))
    counts = [r.pick(0, 1, 2) for _ in range(r.whole(0, x.ndim + 1))]
    return [x], {"repeats": r.pick(counts, 2, 0)}, {}


@calls("broadcast_to reshape")
def to_shape(r, name):
    x = r.any()
    wanted = r.pick(list(x.shape), [2, *x.shape], [-1], [2, -1], [0, -1], [3], [-1, -1], [1, *x.shape, 1])
    key = "shape" if name == "broadcast_to" else "newshape"
    return [x], {key: wanted}, {}


@calls("concatenate stack hstack vstack")
def joined(r, name):
    shape = r.shape()
    parts = [r.any(r.pick(shape, shape, shape, r.shape())) for _ in range(r.whole(1, 3))]
    options = {} if name in ("hstack", "vstack") or r.flip(0.3) else {"axis": r.axis(len(shape))}
    if name == "concatenate":
        options.setdefault("axis", -1)
    return [parts], {}, options


@calls("split unstack")
def parted(r, name):
    x = r.any()
    axis = {"axis": r.axis(x.ndim)} if r.flip(0.8) else {}
    if name == "unstack":
        return [x], {}, axis or {"axis": 0}
    return [x], {"indices_or_sections": r.pick(1, 2, 3, 0, [1], [0, 5], [-1], [2, 1], [])}, axis


@calls("take take_along_axis one_hot multi_hot")
def indexed(r, name):
    high = r.pick(2, 2, 2, 3, 5)
    if name == "take":
        x = r.any()
        return [x, r.ints(r.shape(), r.pick(-2, 0), high)], {}, r.options(axis=(None, r.axis(x.ndim)))
    if name == "take_along_axis":
        x = r.any()
        axis = r.axis(x.ndim)
        shape = list(x.shape)
        if x.ndim and -x.ndim <= axis < x.ndim:
            shape[axis] = r.pick(1, 2)
        indices = r.ints(r.pick(tuple(shape), tuple(shape), r.shape()), r.pick(-2, 0), high)
        return [x, indices], {}, r.pick({"axis": axis}, {"axis": axis}, {"axis": None})
    x = r.ints(r.shape(), r.pick(-2, 0), high)
    options = {"axis": r.axis(x.ndim + (name == "one_hot"))} if r.flip() else {}
    if name == "one_hot":
        options |= r.options(dtype=("int32", "bool", "float32"))
    return [x], {"num_classes": r.pick(0, 1, 3, 3)}, options


@calls("pad")
def pad(r, name):
    x = r.any()
    width = [[r.pick(0, 1, 2), r.pick(0, 1, 4)] for _ in range(x.ndim)]
    options = r.options(mode=("constant", "reflect", "symmetric"))
    if options.get("mode", "constant") == "constant":
        options |= r.options(constant_values=(0, 1.5, -1))
    return [x], {"pad_width": r.pick(width, width, 1, [[1, 1]], [[0, 1]] * 2)}, options


@calls("where select clip cast")
def chosen(r, name):
    shape = r.shape()
    if name == "where":
        return [r.any(shape), r.any(second(r, shape)), r.any(second(r, shape))], {}, {}
    if name == "select":
        count = r.whole(1, 2)
        conditions = [r.bools(shape) for _ in range(count)]
        return [conditions, [r.any(second(r, shape)) for _ in range(count)], r.any(())], {}, {}
    if name == "clip":
        low, high = r.pick((-1.0, 1.0), (0, 1), (1, -1), (-np.float64(1.5), 3))
        return [r.any(shape)], {"x_min": float(low), "x_max": float(high)}, {}
    return [r.any(shape)], {"dtype": r.pick("float32", "int32", "bool")}, {}


@calls("matmul dot inner outer vdot tensordot")
def product(r, name):
    n = r.pick(0, 1, 3)
    pairs = [((n,), (n,)), ((2, n), (n, 3)), ((2, n), (n,)), ((n,), (n, 2)), ((2, 2, n), (2, n, 3)),
             ((2, 1, n), (3, n, 2)), ((2, n), (4, 3)), ((), (n,)), ((2, n), (3, n)), ((n, 2), (2, n))]
    a, b = r.pick(*pairs)
    tensors = [r.pick(r.floats, r.floats, r.ints, r.bools)(shape) for shape in (a, b)]
    options = {}
    if name == "tensordot":
        options = r.pick({}, {"axes": r.pick(0, 1, 2, -1)}, {"axes": [[-1], [0]]}, {"axes": [[0], [5]]},
                         {"axes": [[0, 1], [1, 0]]})
    return tensors, {}, options


@calls("einsum")
def einsum(r, name):
    n = r.pick(0, 1, 3)
    text, shapes = r.pick(
        ("ij,jk->ik", [(2, n), (n, 3)]), ("ij->ji", [(2, n)]), ("ii->i", [(n, n)]), ("ii", [(n, n)]),
        ("i,j->ij", [(2,), (n,)]), ("...ij,...jk->...ik", [(2, 2, n), (n, 3)]), ("ij->", [(2, n)]),
        ("ij,jk", [(2, n), (n, 3)]), ("ij,jk->ik", [(2, 2), (3, 3)]), ("ijk,ikl->ijl", [(2, n, 3), (2, 3, 1)]),
        ("i->k", [(n,)]), ("ij,ij->i", [(2, 1), (2, 3)]),
    )
    # The order of Keras, in which the equation is first.
    return [r.pick(r.floats, r.floats, r.ints)(shape) for shape in shapes], {"equation": text}, {}


@calls("arange eye full linspace ones zeros full_like")
def created(r, name):
    if name == "arange":
        start, stop, step = r.pick((0, 3, 1), (3, 0, 1), (3, 0, -1), (0.5, 2, 0.5), (0, 1, 0.3), (0, 3, 0), (2, None, 1))
        options = {} if stop is None else {"stop": stop, "step": step}
        return [], {"start": start}, {**options, **r.options(dtype=("float32", "int32"))}
    if name == "eye":
        return [], {"N": r.pick(0, 1, 3)}, r.options(M=(None, 0, 2), k=(-5, -1, 0, 1, 5), dtype=("int32", "bool"))
    if name == "full":
        return [], {"shape": r.pick([], [0], [2, 3], [-1]), "fill_value": r.pick(1.5, 2, True)}, r.options(dtype=("int32", "float32", "bool"))
    if name == "linspace":
        return [], {"start": r.pick(0, 0.5), "stop": r.pick(1, -3.5, 0)}, r.options(
            num=(0, 1, 2, 5), endpoint=(True, False), dtype=("int32", "float32"))
    if name == "full_like":
        return [r.any()], {"fill_value": r.pick(1.5, 2, -1, 0)}, r.options(dtype=("int32", "float32", "bool"))
    return [], {"shape": r.pick([], [0], [2, 3], [2, 0], [-1])}, r.options(dtype=("int32", "float32", "bool"))


@calls("top_k in_top_k searchsorted digitize isin")
def searched(r, name):
    if name == "top_k":
        x = r.some()
        return [x], {"k": r.pick(0, 1, 2, 5, -1)}, r.options(sorted=(True,))
    if name == "in_top_k":
        rows, classes = r.pick(0, 1, 3), r.pick(1, 3)
        targets = r.ints((rows,), r.pick(0, -1), classes - 1 + r.pick(0, 0, 1))
        return [targets, r.floats((rows, classes))], {"k": r.pick(0, 1, 2, 5)}, {}
    if name == "isin":
        return [r.any(), r.any()], {}, r.options(invert=(True, False))
    limits = np.sort(r.floats((r.pick(0, 1, 4),), r.pick(0, 0.3)))
    if name == "digitize":
        return [r.any(), limits], {}, {}
    return [limits, r.any()], {}, r.options(side=("left", "right", "middle"))


@calls("scatter scatter_update slice_update segment_sum segment_max segment_min slice")
def scattered(r, name):
    if name.startswith("segment"):
        data = r.some()
        ids = r.ints(r.pick(data.shape[:1], data.shape[:1], (2,)), r.pick(-1, 0), 3)
        return [data, ids], {"num_segments": r.pick(0, 1, 3, 5)}, {}
    rows, columns = r.pick(1, 3), r.pick(1, 3)
    if name == "slice":
        x = r.any((rows, columns))
        start = np.array([r.pick(0, 0, 1, -1), r.pick(0, 0, 1)], "int32")
        return [x], {"start_indices": start.tolist(), "shape": [r.pick(1, rows, 0, -1), r.pick(1, columns, 5)]}, {}
    if name == "slice_update":
        base = r.any((rows, columns))
        start = np.array([r.pick(0, 0, 1, -1), r.pick(0, 0, 1)], "int32")
        return [base, start, r.any((r.pick(1, rows), r.pick(1, columns, 0)))], {}, {}
    count = r.pick(0, 1, 3)
    index = r.ints((count, r.pick(1, 2, 2, 3)), r.pick(0, 0, -1), r.pick(0, 1, 3))
    values = r.any((count,) if index.shape[1] == 2 else (count, columns))
    if name == "scatter":
        return [index, values], {"shape": [rows, columns]}, {}
    reduction = r.options(reduction=("add", "max", "min", "mul", None))
    return [r.any((rows, columns)), index, values], {}, reduction


@calls("layer_normalization rms_normalization")
def normalized(r, name):
    shape = r.pick((3,), (2, 3), (2, 2, 3), (2, 0), (0, 3), ())
    options = r.options(axis=(-1, -1, len(shape) - 1, [-1], 5), epsilon=(0.1, 0.0))
    last = shape[-1:]
    names = ("gamma", "beta") if name == "layer_normalization" else ("scale",)
    return [r.some(shape)], {}, options | {key: r.floats(last, 0) for key in names if r.flip()}


@calls("dot_product_attention")
def attention(r, name):
    t, s, d = r.pick(0, 1, 3), r.pick(1, 2), r.pick(1, 2)
    heads = r.pick((2, 2), (4, 2), (2, 1), (3, 2))
    options = r.options(is_causal=(True, False), scale=(0.5, 0.0, None))
    if r.flip(0.3):
        options["mask"] = r.bools(r.pick((2, heads[0], t, s), (1, 1, t, s), (t, s)))
    if r.flip(0.3):
        options["bias"] = r.floats((2, heads[0], t, s), 0)
    return [r.floats((2, t, heads[0], d), 0), r.floats((2, s, heads[1], d), 0), r.floats((2, s, heads[1], d), 0)], {}, options


@calls("conv max_pool average_pool")
def windows(r, name):
    time = r.pick(0, 1, 4, 5)
    x = r.some((r.pick(0, 2), time, 2))
    padding = r.options(padding=("valid", "same"))
    if name == "conv":
        options = r.pick({}, {"strides": r.pick(1, 2)}, {"dilation_rate": r.pick(1, 2)})
        taps, features = r.pick(1, 2, 3), r.pick(2, 2, 2, 3, 1)
        return [x, r.floats((taps, features, 2), 0)], {}, {**padding, **options}
    return [x], {"pool_size": r.pick(1, 2, 7)}, {**padding, **r.options(strides=(1, 2, 3))}


@calls("binary_crossentropy categorical_crossentropy sparse_categorical_crossentropy")
def crossentropy(r, name):
    shape = r.pick((2, 3), (3,), (0, 3), (2, 2, 3), (2, 1))
    output = r.pick(r.rng.random(shape).astype("float32"), r.floats(shape), np.round(r.rng.random(shape)).astype("float32"))
    options = r.options(from_logits=(True, False))
    if name != "binary_crossentropy":
        options |= r.options(axis=(-1, -1, len(shape) - 1, 0))
    if name.startswith("sparse"):
        target = r.ints(r.pick(shape[:-1], shape[:-1], shape[:-1] + (1,)), r.pick(0, 0, -1), r.pick(shape[-1] - 1, shape[-1] - 1, 3))
    else:
        target = r.pick(r.rng.random(shape).astype("float32"), r.bools(shape), r.floats(r.shape()))
    return [target, output], {}, options


@calls("ctc_decode")
def decoded(r, name):
    batch, time, classes = r.pick(0, 1, 2), r.pick(1, 3), r.pick(1, 3)
    lengths = r.ints((batch,), r.pick(0, 1), time + r.pick(0, 0, 1))
    options = r.options(merge_repeated=(True, False), mask_index=(0, 0, classes - 1))
    return [r.floats((batch, time, classes), 0), lengths], {}, options


@calls("get_item")
def item(r, name):
    x = r.any()

    def part():
        bounds = [r.pick(None, -4, -1, 0, 1, 2, 9) for _ in range(2)]
        return r.pick(r.whole(-3, 3), {"start": bounds[0], "stop": bounds[1], "step": r.pick(None, 1, 2)})

    key = [part() for _ in range(r.whole(0, x.ndim))]
    if r.flip(0.3):
        key.insert(r.whole(0, len(key)), None)
    if r.flip(0.2):
        key.insert(r.whole(0, len(key)), "...")
    return [x], {"key": key}, {}


@calls("ctc_loss")
def ctc_loss(r, name):
    batch, time, classes, labels = r.pick(1, 2), r.pick(1, 3, 5), r.pick(2, 3), r.pick(1, 2)
    target = r.ints((batch, labels), 1, classes - 1)
    lengths = r.ints((batch,), r.pick(0, 1), labels), r.ints((batch,), r.pick(0, 1, time), time)
    return [target, r.floats((batch, time, classes), 0), *lengths], {}, {}
