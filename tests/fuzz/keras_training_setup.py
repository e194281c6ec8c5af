# SPDX-License-Identifier: MIT
"""Random losses, targets and optimizers for training."""
import keras
import numpy as np
from keras_random import COUNTS

LOSSES = (
    "MeanSquaredError MeanAbsoluteError BinaryCrossentropy SparseCategoricalCrossentropy"
    " CategoricalCrossentropy Huber LogCosh Poisson KLDivergence Hinge SquaredHinge CategoricalHinge"
    " CosineSimilarity BinaryFocalCrossentropy CategoricalFocalCrossentropy"
    " MeanSquaredLogarithmicError MeanAbsolutePercentageError Dice Tversky"
    " CategoricalGeneralizedCrossEntropy binary_logits sparse_logits categorical_logits"
).split()
# Where derivatives of ops are the question.
SMOOTH_LOSSES = ("MeanSquaredError", "SparseCategoricalCrossentropy", "binary_logits")
OF_CLASSES = {
    "SparseCategoricalCrossentropy",
    "CategoricalCrossentropy",
    "KLDivergence",
    "CategoricalHinge",
    "CategoricalFocalCrossentropy",
    "CategoricalGeneralizedCrossEntropy",
}
OF_INDICES = {
    "SparseCategoricalCrossentropy",
    "CategoricalGeneralizedCrossEntropy",
    "sparse_logits",
}
OF_CHANCES = {"BinaryCrossentropy", "BinaryFocalCrossentropy", "Dice", "Tversky"}
OPTIMIZERS = (
    "SGD SGD RMSprop Adam Adam AdamW Adadelta Adagrad Adamax Adafactor Nadam Ftrl Lion Lamb Muon"
    " ScheduleFreeAdamW LossScaleOptimizer"
).split()


class Objective:
    """A loss with the head and the targets that it needs."""

    def __init__(self, body, name, classes):
        self.body, self.name, self.classes = body, name, classes
        self.logits = name.endswith("_logits")
        self.of_classes = name in OF_CLASSES or name in ("sparse_logits", "categorical_logits")
        # The similarity of single numbers is a sign: its derivative would be rounding alone.
        least = 2 if name == "CosineSimilarity" else 1
        self.units = classes if self.of_classes else body.size(least, 2)
        COUNTS[f"loss {name}"] += 1

    def activation(self):
        if self.logits:
            return None
        if self.of_classes:
            return "softmax"
        if self.name in OF_CHANCES or self.name == "MeanSquaredLogarithmicError":
            return "sigmoid"
        return "softplus" if self.name == "Poisson" else self.body.pick(None, "tanh", "sigmoid")

    def loss(self):
        losses = keras.losses
        with_logits = {
            "binary_logits": lambda: losses.BinaryCrossentropy(from_logits=True),
            "sparse_logits": lambda: losses.SparseCategoricalCrossentropy(from_logits=True),
            "categorical_logits": lambda: losses.CategoricalCrossentropy(
                from_logits=True, label_smoothing=0.1
            ),
        }
        if self.name in with_logits:
            return with_logits[self.name]()
        mean = "sum_over_batch_size"
        reduction = self.body.pick(mean, mean, "sum", "mean_with_sample_weight")
        return getattr(losses, self.name)(reduction=reduction)

    def metrics(self):
        if self.name in ("sparse_logits", "BinaryCrossentropy") or self.name in OF_CLASSES:
            return ["accuracy"]
        return [] if self.logits else ["mae"]

    def target(self, shape):
        rng = self.body.rng
        if self.name in OF_INDICES:
            return rng.integers(0, self.classes, size=shape).astype("int32")
        if self.of_classes:
            return np.eye(self.classes, dtype="float32")[rng.integers(0, self.classes, size=shape)]
        shape = (*shape, self.units)
        yes = rng.integers(0, 2, size=shape).astype("float32")
        if self.name in OF_CHANCES or self.name == "binary_logits":
            return yes
        if "Hinge" in self.name:
            return 2 * yes - 1
        least = 0.5 if self.name == "MeanAbsolutePercentageError" else 0
        return (rng.random(shape) + least).astype("float32")


def schedule(body, rate):
    s = keras.optimizers.schedules
    warm = {"warmup_target": rate * 2, "warmup_steps": 2} if body.flip() else {}
    COUNTS["schedule"] += 1
    return body.pick(
        s.ExponentialDecay(rate, 2, 0.7, staircase=body.flip()),
        s.CosineDecay(rate, 4, alpha=0.1, **warm),
        s.CosineDecayRestarts(rate, 2),
        s.InverseTimeDecay(rate, 2, 0.5),
        s.PiecewiseConstantDecay([1, 3], [rate, rate / 2, rate / 4]),
        s.PolynomialDecay(rate, 4, rate / 10, power=body.pick(1.0, 2.0), cycle=body.flip(0.3)),
    )


def own_settings(body, name):
    """Settings that only one optimizer has."""
    pick, flip = body.pick, body.flip
    settings = {
        "SGD": lambda: {"momentum": pick(0.0, 0.9), "nesterov": flip(0.4)},
        "RMSprop": lambda: {"rho": 0.8, "momentum": pick(0.0, 0.5), "centered": flip(0.4)},
        "Adam": lambda: {"amsgrad": flip(0.4), "beta_1": pick(0.9, 0.5)},
        "AdamW": lambda: {"amsgrad": flip(0.3)},
        "Adadelta": lambda: {"rho": 0.9},
        "Adagrad": lambda: {"initial_accumulator_value": pick(0.1, 0.5)},
        "Adafactor": lambda: {"relative_step": flip(), "clip_threshold": 1.0},
        "Ftrl": lambda: {
            "l1_regularization_strength": pick(0.0, 0.01),
            "l2_regularization_strength": pick(0.0, 0.02),
            "beta": pick(0.0, 0.1),
            "learning_rate_power": pick(-0.5, -0.3),
        },
        "Muon": lambda: {"exclude_embeddings": flip(0.7)},
        "ScheduleFreeAdamW": lambda: {"warmup_steps": pick(0, 2)},
    }
    return settings.get(name, dict)()


def optimizer(body):
    """An optimizer with settings of all kinds, and its name."""
    o, flip, pick = keras.optimizers, body.flip, body.pick
    name = pick(*OPTIMIZERS)
    COUNTS[f"optimizer {name}"] += 1
    rate = float(np.round(10 ** (-3 + 2 * body.rng.random()), 5))
    if name == "LossScaleOptimizer":
        inner = pick(o.SGD(learning_rate=rate, momentum=0.9), o.Adam(learning_rate=rate))
        scale = pick(64.0, 1024.0)
        return o.LossScaleOptimizer(inner, initial_scale=scale, dynamic_growth_steps=2), name
    scheduled = name != "ScheduleFreeAdamW" and flip(0.25)
    config = {"learning_rate": schedule(body, rate) if scheduled else rate}
    if flip(0.2) or name == "AdamW":
        config["weight_decay"] = pick(0.01, 0.004)
    clip = pick(None, None, "clipnorm", "clipvalue", "global_clipnorm")
    if clip:
        config[clip] = float(np.round(0.05 + body.rng.random(), 3))
    if flip(0.2):
        config.update(use_ema=True, ema_momentum=0.8)
        if flip():
            config["ema_overwrite_frequency"] = 2
    if flip(0.2):
        config["gradient_accumulation_steps"] = pick(2, 3)
    if flip(0.1):
        config["loss_scale_factor"] = 64.0
    for setting in config:
        COUNTS[setting] += 1
    return getattr(o, name)(**config, **own_settings(body, name)), name
