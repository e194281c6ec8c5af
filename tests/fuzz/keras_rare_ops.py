# SPDX-License-Identifier: MIT
"""Ops of Keras that few models contain, applied to tensors of a random graph, by name: those that
the package has in maskflow/train, and sorting, attention and normalization as ops. keras_ops.py
has the others. SMOOTH names those with derivatives that all back ends agree on."""
import numpy as np
from keras import ops as o

SMOOTH = (
    "inverse inverse_more hyperbolic exponents cube_root arctan2 hypot logaddexp divide_no_nan"
    " nan_to_num ratio_nan stop_gradient vstack ravel inner tensordot_axes average_weights"
    " layer_norm_scaled rms_norm_scaled normalize_axis attention_op segment_sum scatter"
    " scatter_update slice_update conv average_pool_valid binary_loss categorical_loss"
    " sparse_loss cumprod_axis"
).split()


def rare_op_table(a):
    return {
        **functions(a),
        **arrangements(a),
        **statistics(a),
        **products(a),
        **positions(a),
        **losses(a),
    }


def functions(a):
    x, y, pick = a.x, a.y, a.choices.pick
    return {
        "inverse": lambda: pick(o.arcsin, o.arccos, o.arctanh)(o.clip(x, -0.9, 0.9)) + y,
        "inverse_more": lambda: o.arcsinh(x) + o.arccosh(1.5 + o.absolute(y)),
        "hyperbolic": lambda: o.cosh(x * 0.5) + o.sinh(y * 0.5) + o.tan(o.clip(x, -1.0, 1.0)),
        "exponents": lambda: o.exp2(x) + pick(o.log2, o.log10)(1.5 + o.absolute(y)),
        "cube_root": lambda: o.cbrt(1.0 + o.absolute(x)) + o.trunc(y),
        "arctan2": lambda: o.arctan2(x, 2.0 + o.absolute(y)),
        "hypot": lambda: o.hypot(x, 1.0 + y * y),
        "logaddexp": lambda: o.logaddexp(x, y),
        "divide_no_nan": lambda: o.divide_no_nan(x, o.round(y)),
        "nan_to_num": lambda: o.nan_to_num(x, nan=1.0, posinf=3.0, neginf=-3.0) + y,
        "ratio_nan": lambda: o.nan_to_num(x / o.round(y), nan=0.5, posinf=3.0, neginf=-3.0),
        "stop_gradient": lambda: o.stop_gradient(x) * y + x,
        "select_default": lambda: o.select([x > 0.5, y > 0], [y, x * 2], 0.25),
    }


def arrangements(a):
    x, y, axis, features, batch = a.x, a.y, a.axis, a.features, a.batch
    pick, whole = a.choices.pick, a.choices.whole
    known = a.fixed and batch
    rows = [[int(i)] for i in a.choices.rng.permutation(batch or 1)]
    return {
        "vstack": lambda: x + o.sum(o.vstack([x, y]), axis=0, keepdims=True),
        "ravel": lambda: x + o.mean(o.ravel(y)),
        "size": lambda: x / o.cast(o.size(y) if known else o.size(a.vector), "float32"),
        "diagonal": lambda: o.diagonal(x, offset=whole(-1, 1), axis1=1, axis2=2)
        if a.long and a.fixed and a.time > 1 and features > 1
        else x,
        "hstack_three": lambda: o.hstack([x, y, x * 2]),
        "diff_twice": lambda: o.diff(x, n=2, axis=-1) if features > 2 else x,
        "diff_time": lambda: o.diff(x, axis=1) if a.fixed and x.shape[1] > 1 else x,
        "segment_sum": lambda: o.segment_sum(x, segments(a), num_segments=batch) if known else x,
        "segment_extremes": lambda: pick(o.segment_max, o.segment_min)(
            x, np.arange(batch, dtype="int32"), num_segments=batch
        )
        if known
        else x,
        "scatter": lambda: o.scatter(np.array(rows, "int32"), x, (batch, *x.shape[1:]))
        if known
        else x,
        "scatter_update": lambda: o.scatter_update(x, np.array(rows, "int32"), y) if known else x,
        "scatter_reduced": lambda: o.scatter_update(
            x, np.array(rows[:1], "int32"), y[:1], reduction=pick("add", "max", "min", "mul")
        )
        if known
        else x,
        "slice_update": lambda: o.slice_update(x, np.array([0] * a.rank, "int32"), y[..., :1])
        if known
        else x,
        "cumprod_axis": lambda: o.cumprod(x, axis=axis),
        "sort_axis": lambda: o.sort(x, axis=axis),
        "argsort_axis": lambda: o.cast(o.argsort(x, axis=axis), "float32"),
        # PyTorch is free to choose among equal elements.
        "top_k_more": lambda: o.top_k(x + a.vector, whole(1, features))[whole(0, 1)],
    }


def segments(a):
    """Segments of the rows, perhaps one for two rows and none for another."""
    ids = a.choices.rng.integers(0, a.batch, a.batch)
    return np.sort(ids).astype("int32")


def statistics(a):
    x, y, axis, keepdims = a.x, a.y, a.axis, a.keepdims
    pick, vector = a.choices.pick, a.vector
    weights = (np.abs(vector) + 0.1).astype("float32")
    chances = np.array([0.25, 0.9], "float32")
    method = pick("linear", "lower", "higher", "midpoint", "nearest")
    return {
        "average_weights": lambda: o.average(x, axis=-1, weights=weights),
        "median_axis": lambda: o.median(x, axis=axis, keepdims=keepdims),
        # In a graph, Keras ignores the method of quantile, but not that of percentile.
        "quantile_axis": lambda: o.quantile(x, 0.3, axis=axis, keepdims=keepdims),
        "percentile": lambda: o.percentile(x, 61.0, axis=axis, method=method, keepdims=True) + y,
        "quantiles": lambda: o.sum(o.quantile(x, chances, axis=-1), axis=0),
        "layer_norm_scaled": lambda: o.layer_normalization(
            x, gamma=vector, beta=pick(None, vector), axis=-1, epsilon=0.1
        ),
        "rms_norm_scaled": lambda: o.rms_normalization(x, scale=vector, axis=-1, epsilon=0.1),
        "normalize_axis": lambda: o.normalize(
            o.concatenate([x, o.ones_like(x)], axis=-1), axis=-1, order=pick(1, 2)
        ),
    }


def products(a):
    x, y, long, features = a.x, a.y, a.long, a.features
    pick, whole, flip = a.choices.pick, a.choices.whole, a.choices.flip
    square = np.outer(a.vector, a.vector)
    taps = np.stack([square, square * 0.5])[: whole(1, 2)]
    size = whole(1, 2)
    windows = {"strides": whole(1, 2), "padding": pick("valid", "same")}
    return {
        "inner": lambda: o.inner(x, a.vector),
        "tensordot_axes": lambda: o.tensordot(x, square, axes=[[a.rank - 1], [0]]),
        "attention_op": lambda: o.squeeze(
            o.dot_product_attention(
                *(o.expand_dims(z, 2) for z in (x, y, y)), is_causal=flip(), scale=pick(None, 0.5)
            ),
            2,
        )
        if long
        else x,
        "conv": lambda: o.conv(x, taps, strides=pick(1, 2), padding=pick("same", "valid"))
        if long and a.fixed and a.time > 1
        else x,
        "max_pool": lambda: o.max_pool(x, size, **windows)
        if long and a.fixed and a.time > 1
        else x,
        # With PyTorch, padding "same" repeats the last step instead of leaving it out.
        "average_pool_valid": lambda: o.average_pool(x, size, strides=windows["strides"])
        if long and a.fixed and a.time > 1
        else x,
    }


def positions(a):
    x, y, whole = a.x, a.y, a.choices.whole
    limits, few = np.sort(a.vector), np.array([0, 1], "float32")
    best = lambda z: o.argmax(z, axis=-1)
    return {
        "searchsorted": lambda: o.cast(
            o.searchsorted(limits, x, side=a.choices.pick("left", "right")), "float32"
        ),
        "digitize": lambda: o.cast(o.digitize(x, limits), "float32"),
        "isin": lambda: x
        * o.cast(o.isin(o.round(x), few, invert=a.choices.flip()), "float32"),
        "multi_hot": lambda: o.multi_hot(best(x), a.features) if a.long else o.one_hot(best(x), 9),
        "in_top_k": lambda: o.cast(o.in_top_k(best(y), x, k=whole(1, a.features)), "float32")
        if a.rank == 2
        else x,
    }


def losses(a):
    x, y = a.x, a.y
    whole_row = lambda z: o.softmax(z, axis=-1)
    return {
        "binary_loss": lambda: o.binary_crossentropy(
            o.cast(x > 0, "float32"), y, from_logits=True
        ),
        "categorical_loss": lambda: o.categorical_crossentropy(whole_row(x), whole_row(y)),
        "sparse_loss": lambda: o.sparse_categorical_crossentropy(
            o.cast(o.argmax(x, axis=-1), "int32"), y, from_logits=True
        ),
        "ctc_decode": lambda: o.ctc_decode(
            x,
            np.full((a.batch,), a.time, "int32"),
            merge_repeated=a.choices.flip(),
            mask_index=0,
        )[1]
        if a.long and a.fixed and a.batch and a.features > 1
        else x,
        "ctc_loss": lambda: o.ctc_loss(
            np.ones((a.batch, 1), "int32"),
            x,
            np.ones((a.batch,), "int32"),
            np.full((a.batch,), a.time, "int32"),
        )
        if a.long and a.fixed and a.batch and a.features > 1
        else x,
    }
