# SPDX-License-Identifier: MIT
"""Ops of Keras applied to tensors of a random graph, by name. `op_table` makes them for two
tensors of one shape; those of TRAINED have derivatives that all back ends agree on (PyTorch
has none for floor_divide)."""
import numpy as np
from keras import ops as o
from keras_rare_ops import SMOOTH, rare_op_table

ACTIVATIONS = (
    "sigmoid log_sigmoid softplus softsign silu selu celu relu6 hard_sigmoid hard_silu hard_tanh"
    " leaky_relu elu squareplus sparse_plus tanh_shrink soft_shrink hard_shrink relu"
).split()

TRAINED = (
    "where where_number concatenate concatenate_time stack take cumsum einsum einsum_time softmax"
    " log_softmax max min clip transpose split unstack matmul norm logsumexp mean var std power"
    " power_tensor mod roll flip repeat tile pad constant from_constant getitem divide maximum prod"
    " sign take_along_axis tril activation smooth gelu glu sparsemax threshold round"
    " ceil logarithms reciprocal broadcast moveaxis expand_dims reshape swapaxes squeeze negative"
    " powers one_hot cast_bool outer absolute slice any dot linspace full arange logical"
).split() + SMOOTH


class Operands:
    """Two tensors of one shape, and what the table asks about them."""

    def __init__(self, choices, x, y, batch, keepdims=None):
        self.choices, self.x, self.y, self.batch = choices, x, y, batch
        self.rank, self.features, self.time = len(x.shape), x.shape[-1], x.shape[1]
        self.fixed = all(dim is not None for dim in x.shape[1:])
        self.long = self.rank == 3
        self.vector = np.round(choices.rng.standard_normal(self.features), 3).astype("float32")
        inner = [1, -2] if self.long and self.fixed else []
        self.axis = choices.pick(-1, self.rank - 1, *inner)
        self.keepdims = choices.flip() if keepdims is None else keepdims


def op_table(a):
    return {
        **elementwise(a),
        **reductions(a),
        **arrangements(a),
        **products(a),
        **from_numpy(a),
        **rare_op_table(a),
    }


def elementwise(a):
    x, y, pick = a.x, a.y, a.choices.pick
    return {
        "where": lambda: o.where(x > y * 0.5, x, y * 2),
        "where_number": lambda: o.where(x > 0, x, 0.5),
        "where_any": lambda: o.where(o.any(o.not_equal(x, 0), axis=-1, keepdims=True), x, -1.0),
        "clip": lambda: o.clip(x, -0.5, 0.7),
        "power": lambda: o.power(o.absolute(x) + 0.1, 1.5),
        "power_tensor": lambda: o.power(o.absolute(x) + 0.5, y),
        "mod": lambda: o.mod(x, 0.7),
        "constant": lambda: x * a.vector + a.vector,
        "from_constant": lambda: 1.0 - x,
        "negative": lambda: o.negative(x) + o.subtract(y, 1.0) - x / 2,
        "divide": lambda: -x / (1.5 + y * y),
        "maximum": lambda: o.minimum(o.maximum(x, 0.1), y * 0.5),
        "sign": lambda: o.sign(x) * o.sqrt(o.absolute(x) + 0.01),
        "cast": lambda: o.cast(o.cast(x * 3, "int32"), "float32"),
        "cast_bool": lambda: o.cast(x > 0, "float32") * y,
        "is_nan": lambda: o.cast(o.isnan(x), "float32") + o.nan_to_num(x),
        "floor_divide": lambda: x // 0.3 + x,
        "activation": lambda: getattr(o, pick(*ACTIVATIONS))(x),
        "smooth": lambda: pick(o.erf, o.tanh, o.sin, o.cos, o.square, o.expm1)(x),
        "arctan": lambda: o.arctan(x),
        "sinh": lambda: o.sinh(x),
        "gelu": lambda: o.gelu(x, approximate=a.choices.flip()),
        "glu": lambda: o.glu(o.concatenate([x, y], axis=-1), axis=-1),
        "threshold": lambda: o.threshold(x, 0.2, -1.0),
        "between": lambda: o.cast(o.logical_and(x > -0.5, x < 0.5), "float32"),
        "logical_xor": lambda: o.cast(o.logical_xor(x > 0, y > 0.2), "float32"),
        "logical": lambda: o.where(o.logical_and(x > -0.5, y < 0.5), x, y),
        "logical_not": lambda: o.logical_not(x > 0) * x,
        "round": lambda: o.round(x * 4) / 4 + x,
        "ceil": lambda: o.ceil(x) + o.floor(y) + x * y,
        "absolute": lambda: o.absolute(x),
        "logarithms": lambda: o.log1p(o.absolute(x)) + o.log(1.5 + y * y) + o.expm1(y * 0.1),
        "reciprocal": lambda: o.reciprocal(1.5 + o.absolute(x)) + o.rsqrt(1 + y * y),
        "powers": lambda: o.square(x) * x + x - o.multiply(x, 0.5) + o.true_divide(y, 2.0),
        "select": lambda: o.select([x > 0.5, x > 0], [x, y], 0.0),
        "like": lambda: o.ones_like(x) + o.zeros_like(y) - o.full_like(x, 0.3),
    }


def reductions(a):
    x, y, axis, keepdims = a.x, a.y, a.axis, a.keepdims
    axes = [-1, axis, [-2, -1], [1, 2]] if a.long and a.fixed else [-1, axis]
    return {
        "max": lambda: o.max(x, axis=axis, keepdims=True) + y,
        "min": lambda: o.min(x, axis=axis, keepdims=True) * y,
        "min_axis": lambda: o.min(x, axis=axis, keepdims=keepdims),
        "mean": lambda: x - o.mean(x, axis=axis, keepdims=True),
        "mean_axis": lambda: o.mean(x, axis=axis, keepdims=keepdims),
        "var": lambda: x * o.var(x, axis=axis, keepdims=True),
        "std": lambda: x * o.std(x + a.vector, axis=-1, keepdims=True) if a.features > 1 else x,
        "prod": lambda: o.prod(x, axis=-1, keepdims=True) + y,
        "any": lambda: x * o.cast(o.any(x > 0.3, axis=-1, keepdims=True), "float32"),
        "any_axis": lambda: o.cast(o.any(x > 0.3, axis=-1), "float32"),
        "norm": lambda: o.norm(x, axis=-1, keepdims=True) + y,
        "norm_order": lambda: o.norm(
            x, ord=a.choices.pick(None, 1, 2, np.inf), axis=-1, keepdims=keepdims
        ),
        "logsumexp": lambda: o.logsumexp(x, axis=axis, keepdims=True) + y,
        "logsumexp_axis": lambda: o.logsumexp(x, axis=axis, keepdims=keepdims),
        "argmax": lambda: o.cast(o.argmax(x, axis=axis), "float32"),
        # Counts over all axes but the first: Keras with PyTorch transposes a result of two axes.
        "count_nonzero": lambda: o.cast(
            o.count_nonzero(o.relu(x), axis=tuple(range(1, a.rank))), "float32"
        ),
        "average": lambda: o.average(x, axis=-1),
        "median": lambda: o.median(x, axis=-1),
        "quantile": lambda: o.quantile(x, 0.3, axis=-1),
        "softmax": lambda: o.softmax(x, axis=a.choices.pick(*axes[:2])),
        "softmax_axes": lambda: o.softmax(x, axis=a.choices.pick(*axes)),
        "log_softmax": lambda: o.log_softmax(x, axis=axis),
        "sparsemax": lambda: o.sparsemax(x, axis=-1),
        "normalize": lambda: o.normalize(x, axis=-1, order=a.choices.pick(1, 2)),
        "rms": lambda: o.rms_normalization(x),
        "layer_normalization": lambda: o.layer_normalization(x),
        "cumsum": lambda: o.cumsum(x, axis=axis),
        "cumprod": lambda: o.cumprod(x, axis=-1),
        "broadcast": lambda: x + o.mean(y, axis=tuple(range(1, a.rank)), keepdims=True),
    }


def arrangements(a):
    x, y, axis, rank, features = a.x, a.y, a.axis, a.rank, a.features
    pick, whole = a.choices.pick, a.choices.whole
    sizes = [max(1, dim - 1) for dim in x.shape[1:]] if a.fixed else None
    shorter = (
        lambda: o.slice(x, [0] * rank, [a.batch, *sizes])
        if a.fixed and a.batch
        else x[:, : max(1, features - 1)]
    )
    chosen = [lambda: x[:, ::-1], lambda: x[..., 0:1], lambda: x[..., ::2], lambda: x[:, :1] + y]
    fewer = [lambda: x[:, -1], lambda: x[:, None], lambda: x[:, 0]]
    return {
        "concatenate": lambda: o.concatenate([x, y], axis=-1),
        "concatenate_time": lambda: o.concatenate([x, y], axis=1),
        "hstack": lambda: o.hstack([x, y]),
        "stack": lambda: o.sum(o.stack([x, y, x], axis=whole(1, rank)), axis=whole(1, rank)),
        "take": lambda: o.take(x, [0, features - 1, 0], axis=-1),
        "take_along_axis": lambda: y
        + o.take_along_axis(x, o.cast(o.argmax(x, axis=-1, keepdims=True), "int32"), axis=-1),
        "transpose": lambda: o.transpose(x, (0, 2, 1) if a.long else (0, 1)),
        "reshape": lambda: o.reshape(o.reshape(x, (-1, features)), (-1, a.time, features))
        if a.long and a.time
        else x,
        "reshape_all": lambda: o.reshape(x, (-1, *reversed(x.shape[1:]))) if a.fixed else x,
        "squeeze": lambda: o.squeeze(o.expand_dims(x, 1), 1),
        "split": lambda: o.split(x, [1], axis=-1)[1] if features > 1 else x,
        "unstack": lambda: o.stack(o.unstack(x, axis=-1)[::-1], axis=-1),
        "shorter": shorter,
        "slice": lambda: x[:, -1:] + y,
        "getitem": lambda: pick(*chosen)(),
        "getitem_less": lambda: pick(*fewer)(),
        "roll": lambda: o.roll(x, whole(-3, 3), axis=axis),
        "flip": lambda: o.cumsum(o.flip(x, axis=axis), axis=-1),
        "repeat": lambda: o.repeat(x, 2, axis=axis),
        "tile": lambda: o.tile(x, [1] * (rank - 1) + [2]),
        "pad": lambda: o.pad(x, [[0, 0]] * (rank - 1) + [[1, 2]], constant_values=0.5),
        "pad_reflect": lambda: o.pad(x, [[0, 0]] * (rank - 1) + [[1, 2]], mode="reflect")
        if features > 3
        else x,
        "sort": lambda: o.sort(x, axis=-1),
        "argsort": lambda: o.cast(o.argsort(x, axis=-1), "float32"),
        "top_k": lambda: o.top_k(x, 1)[0],
        "one_hot": lambda: o.one_hot(o.argmax(x, axis=-1), features) * x,
        "one_hot_more": lambda: o.one_hot(o.argmax(x, axis=-1), features + 1),
        "moveaxis": lambda: o.matmul(o.moveaxis(x, -1, 1), y) if a.long else o.moveaxis(x, -1, 1),
        "swapaxes": lambda: o.swapaxes(o.swapaxes(x, 1, -1) * 2.0, 1, -1),
        "expand_dims": lambda: o.sum(o.expand_dims(x, -1) * o.expand_dims(y, -2), axis=-1),
        "tril": lambda: o.tril(x, k=whole(-1, 1)) + o.triu(y, k=1),
        "diff": lambda: o.diff(x, axis=-1) if features > 1 else x,
        "trace": lambda: o.trace(x, axis1=1, axis2=2) if a.long and a.fixed and a.time > 1 else x,
        "shape": lambda: x * o.cast(o.shape(x)[-1], "float32"),
    }


def products(a):
    x, y, long = a.x, a.y, a.long
    column = a.vector.reshape(-1, 1)
    return {
        "einsum": lambda: o.einsum("btf,btg->bfg" if long else "bf,bg->bfg", x, y),
        "einsum_time": lambda: o.einsum("btf,bsf->bts" if long else "bf,bf->b", x, y),
        "matmul": lambda: o.matmul(x, o.transpose(y, (0, 2, 1)) if long else column),
        "dot": lambda: o.matmul(x, column) + y,
        "dot_constant": lambda: o.dot(x, column),
        "tensordot": lambda: o.tensordot(x, column, axes=1),
    }


def from_numpy(a):
    """Ops whose arguments are all known when the graph is made."""
    x, vector, features = a.x, a.vector, a.features
    return {
        "arange": lambda: x * o.cast(o.arange(features), "float32"),
        "linspace": lambda: x * o.linspace(0.5, 1.5, features),
        "full": lambda: x * o.full((features,), 0.5) + o.full_like(x, 0.5),
        "outer": lambda: x + o.outer(vector, vector)[0],
        "vdot": lambda: o.vdot(vector, vector) * x,
    }
