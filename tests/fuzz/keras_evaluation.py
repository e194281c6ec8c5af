# SPDX-License-Identifier: MIT
"""A random compiled model and what evaluate returns for it; and what Keras's losses need for
that."""
import keras
import keras.src.losses.loss as keras_loss
import numpy as np
from keras import layers, ops
from keras_random import COUNTS, Choices, encode_file, fill
from keras_record import encode, failure


def apply_mask(sample_weight, mask, dtype, reduction):
    """As Keras's function of this name, but for torch: that one multiplies the caller's weights
    in place, so that the second batch gets other weights than it was given. TensorFlow and
    JAX have no such thing."""
    if mask is None:
        return sample_weight
    kept = ops.cast(mask, dtype)
    if reduction in ("mean", "sum_over_batch_size"):
        total = ops.cast(ops.prod(ops.convert_to_tensor(ops.shape(mask), dtype="int32")), dtype)
        share = ops.divide_no_nan(total, ops.sum(kept))
        kept = ops.where(ops.cast(mask, "bool"), share, 0)
    if sample_weight is None:
        return kept
    sample_weight = ops.cast(sample_weight, dtype)
    kept, sample_weight = keras_loss.squeeze_or_expand_to_same_rank(kept, sample_weight)
    return sample_weight * kept


keras_loss.apply_mask = apply_mask

REDUCTIONS = (
    "sum_over_batch_size",
    "sum_over_batch_size",
    "sum",
    "mean_with_sample_weight",
    "mean",
)
LOSSES = (
    "MeanSquaredError MeanAbsoluteError BinaryCrossentropy SparseCategoricalCrossentropy"
    " CategoricalCrossentropy Huber LogCosh Poisson KLDivergence Hinge CosineSimilarity"
    " BinaryFocalCrossentropy MeanSquaredLogarithmicError MeanAbsolutePercentageError SquaredHinge"
    " CategoricalHinge"
).split()
OF_CLASSES = {"SparseCategoricalCrossentropy", "KLDivergence"} | {
    name for name in LOSSES if name.startswith("Categorical")
}
# Keras 3.15 does not write the delta of Huber into files.
SETTINGS = {"CategoricalCrossentropy": {"label_smoothing": 0.1}}
METRICS = {
    "BinaryCrossentropy": ("accuracy", "auc", "precision"),
    "SparseCategoricalCrossentropy": ("accuracy", "top"),
    "CategoricalCrossentropy": ("accuracy", "categorical"),
}


def metric(name):
    makers = {
        "auc": lambda: keras.metrics.AUC(name="auc"),
        "precision": lambda: keras.metrics.Precision(name="precision"),
        "rmse": lambda: keras.metrics.RootMeanSquaredError(name="rmse"),
        "top": lambda: keras.metrics.SparseTopKCategoricalAccuracy(k=2, name="top"),
        "categorical": lambda: keras.metrics.CategoricalAccuracy(name="categorical"),
    }
    return makers[name]() if name in makers else name


def target(rng, loss, shape, units):
    """Targets that a loss accepts, for outputs of `units` classes or numbers."""
    if loss == "SparseCategoricalCrossentropy":
        shape = shape if rng.random() < 0.5 else (*shape, 1)
        return rng.integers(0, units, size=shape).astype("int32")
    if loss in OF_CLASSES:
        return np.eye(units, dtype="float32")[rng.integers(0, units, size=shape)]
    yes = rng.integers(0, 2, size=(*shape, units)).astype("float32")
    if "Crossentropy" in loss:
        return yes
    if "Hinge" in loss:
        return 2 * yes - 1
    return rng.random((*shape, units)).astype("float32")


class Evaluation(Choices):
    """A recurrent model with one or two outputs, compiled at random, and data for it."""

    def __init__(self, rng):
        super().__init__(rng)
        self.rows, self.time, self.classes = self.whole(2, 8), self.whole(2, 6), self.whole(2, 4)
        self.sequences = self.flip(0.7)
        self.outputs, self.y, self.losses, self.metrics, self.weighted = [], [], [], [], []
        x = keras.Input((self.time,), dtype="int32")
        hidden = self.hidden(x)
        for number in range(self.pick(1, 2, p=[0.7, 0.3])):
            self.head(hidden, number)
        self.model = keras.Model(x, self.alone(self.outputs))
        for variable in self.model.weights:
            fill(variable, rng)

    def alone(self, values):
        return values if len(self.outputs) > 1 else values[0]

    def hidden(self, x):
        h = layers.Embedding(9, 4, mask_zero=self.flip(0.8))(x)
        kind = self.pick(layers.LSTM, layers.GRU, layers.SimpleRNN)
        h = kind(4, return_sequences=self.sequences)(h)
        if self.sequences and self.flip(0.3):
            h = layers.Bidirectional(layers.GRU(3, return_sequences=True))(h)
        return h

    def head(self, hidden, number):
        loss = self.pick(*LOSSES)
        of_classes = loss in OF_CLASSES
        units = self.classes if of_classes else self.whole(1, 2)
        regularized = {"kernel_regularizer": "l2", "activity_regularizer": "l1"}
        self.outputs.append(
            layers.Dense(
                units,
                activation="softmax" if of_classes else "sigmoid",
                name=f"head{number}",
                **(regularized if self.flip(0.2) else {}),
            )(hidden)
        )
        shape = (self.rows, self.time) if self.sequences else (self.rows,)
        self.y.append(target(self.rng, loss, shape, units))
        config = {**SETTINGS.get(loss, {}), "reduction": self.pick(*REDUCTIONS)}
        self.losses.append({"class_name": loss, "config": config})
        names = [name for name in METRICS.get(loss, ("mae", "mse", "rmse")) if self.flip(0.6)]
        self.metrics.append(names if self.flip(0.6) else [])
        self.weighted.append(names if self.flip(0.6) else [])

    def compile(self):
        weights = None
        if len(self.outputs) > 1 and self.flip():
            weights = [float(np.round(self.rng.random() + 0.1, 2)) for _ in self.outputs]
        self.model.compile(
            optimizer=self.pick("sgd", "adam", "rmsprop"),
            loss=self.alone([keras.losses.deserialize(loss) for loss in self.losses]),
            loss_weights=weights,
            metrics=self.alone([[metric(name) for name in names] for names in self.metrics]),
            weighted_metrics=self.alone(
                [[metric(name) for name in names] for names in self.weighted]
            ),
        )

    def ids(self):
        ids = self.rng.integers(0, 9, size=(self.rows, self.time)).astype("int32")
        if self.flip(0.3):
            ids[self.rng.integers(self.rows)] = 0
        return ids

    def sample_weights(self):
        if self.flip(0.4):
            return None
        by_step = (self.rows, self.time)
        shapes = [by_step if self.sequences and self.flip(0.7) else (self.rows,) for _ in self.y]
        random = self.rng.random
        weights = [np.round(random(shape), 2) * (random(shape) > 0.2) for shape in shapes]
        return [weight.astype("float32") for weight in weights]


def record_evaluation(rng):
    case = Evaluation(rng)
    case.compile()
    x, weights = case.ids(), case.sample_weights()
    batch = int(case.pick(case.rows, max(1, case.rows // 2), 3, 1))
    file = encode_file(case.model)
    try:
        results = case.model.evaluate(
            x,
            case.alone(case.y),
            batch_size=batch,
            sample_weight=case.alone(weights) if weights else None,
            verbose=0,
            return_dict=True,
        )
        # JSON lacks NaN and infinities: words replace them.
        expect = {
            key: float(value) if np.isfinite(value) else str(float(value))
            for key, value in results.items()
        }
    except Exception as error:
        COUNTS["evaluations that fail in Keras"] += 1
        expect = failure(error)
    losses = [f"{loss['class_name']}:{loss['config']['reduction']}" for loss in case.losses]
    return {
        "note": f"evaluate {'sequences' if case.sequences else 'last'} {' '.join(losses)}",
        "kind": "evaluate",
        "file": file,
        "x": encode(x),
        "y": [encode(y) for y in case.y],
        "sample_weight": None if weights is None else [encode(weight) for weight in weights],
        "batch": batch,
        "expect": expect,
    }
