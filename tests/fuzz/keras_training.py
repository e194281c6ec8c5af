#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""keras_training.py FOLDER [--seed N] [--count M] [--ops 1] [--judge 1]: random models trained
by Keras for three to six steps: all weights after each step, the optimizer's variables and
the history, with the compiled model as a file. With --judge, the weights once more in double
precision, by the same steps: a difference that is no larger than Keras's own rounding is not
one. With --ops, bodies of ops. tests/fuzz/ keras.js replays.

Known of torch: its BatchNormalization and GroupNormalization are off by 2e-5 in training, and
stateful recurrent layers fail in fit."""
import keras
import keras_evaluation  # noqa: F401  corrects how torch applies masks to weights
import numpy as np
import torch
from keras import layers, ops
from keras_random import COUNTS, arguments, encode_file, record_all
from keras_record import encode
from keras_training_model import Body
from keras_training_setup import LOSSES, SMOOTH_LOSSES, Objective, optimizer

options = arguments(__doc__, ops=0, judge=0)
torch.set_grad_enabled(True)
DOUBLE = ("float64",)


class Training(Body):
    def __init__(self, rng):
        super().__init__(rng)
        self.rows, self.batch, self.time = self.size(4, 8), self.pick(2, 3, 4), self.size(3, 6)
        self.known_time = self.time if self.flip(0.6) else None
        self.inputs, self.data = [], []
        self.kind = self.pick("ids", "ids", "numbers", "masking")
        x, masked, scattered = self.source()
        if self.flip(0.2):
            other = self.numbers(x.shape[-1])
            x = self.pick(layers.Add(), layers.Concatenate())([x, other])
        x, masked = self.grown(x, masked)
        self.sequences = self.flip(0.45)
        if not self.sequences:
            x = self.last(x, scattered)
        self.heads(x)

    def numbers(self, features, data=None):
        if data is None:
            data = self.rng.standard_normal((self.rows, self.time, features)).astype("float32")
        self.inputs.append(keras.Input((self.known_time, features), name="ab"[len(self.inputs)]))
        self.data.append(data)
        return self.inputs[-1]

    def source(self):
        """The first input: the sequence, whether it has a mask, and whether that has gaps."""
        lengths = self.rng.integers(1, self.time + 1, size=self.rows)[:, None]
        steps = np.arange(self.time)[None]
        if self.kind == "ids":
            return self.ids(lengths, steps)
        features = self.size(2, 4)
        data = self.rng.standard_normal((self.rows, self.time, features)).astype("float32")
        if self.kind == "numbers":
            return self.numbers(features, data), False, False
        data[steps >= lengths] = 0.0
        return layers.Masking()(self.numbers(features, data)), True, False

    def ids(self, lengths, steps):
        shape = (self.rows, self.time)
        how = self.pick("right", "left", "gaps", "none")
        gaps = self.rng.random(shape) > 0.35
        if self.flip(0.3):
            gaps[self.rng.integers(self.rows)] = False
        masks = {
            "right": steps < lengths,
            "left": steps >= self.time - lengths,
            "gaps": gaps,
            "none": np.ones(shape, bool),
        }
        ids = np.where(masks[how], self.rng.integers(1, 9, size=shape), 0)
        self.data.append(ids.astype("int32"))
        self.inputs.append(keras.Input((self.known_time,), dtype="int32", name="a"))
        masked, config = self.flip(0.75), {}
        if self.flip(0.1):
            config["embeddings_regularizer"] = self.regularizer()
        if self.flip(0.1):
            config["embeddings_constraint"] = self.constraint()
        layer = layers.Embedding(9, self.size(), mask_zero=masked, **config)
        return layer(self.inputs[0]), masked, how == "gaps"

    def grown(self, x, masked):
        wanted, done = self.size(1, 4 if not options.ops else 3), 0
        for _ in range(25):
            if done == wanted:
                break
            try:
                x, masked = self.add(x, masked, bool(options.ops))
                done += 1
            except Exception:  # Keras refuses it, or it does not fit
                COUNTS["layer refused"] += 1
        return x, masked

    def last(self, x, scattered):
        """One vector a row."""
        mean = layers.GlobalAveragePooling1D()
        inner = {"go_backwards": False, "activity_regularizer": None}
        return self.pick(
            lambda: self.recurrent_layer(False)(x),
            # The mean of a row without steps would be NaN.
            lambda: self.recurrent_layer(False)(x) if scattered else mean(layers.Dense(3)(x)),
            lambda: layers.GlobalMaxPooling1D()(x),
            lambda: layers.Bidirectional(self.recurrent_layer(False, **inner))(x),
        )()

    def heads(self, x):
        shape = (self.rows,)
        if self.sequences:
            probe = keras.Model(self.inputs, x)
            length = probe([ops.convert_to_tensor(values) for values in self.data]).shape[1]
            shape = (self.rows, int(length))
        self.shape, classes = shape, self.size(2, 4)
        count = self.pick(1, self.size(2, 3), p=[0.7, 0.3])
        names = SMOOTH_LOSSES if options.ops else LOSSES
        self.objectives = [Objective(self, self.pick(*names), classes) for _ in range(count)]
        outputs = [
            layers.Dense(
                objective.units,
                activation=objective.activation(),
                name=f"head{i}",
                **self.extras(),
            )(x)
            for i, objective in enumerate(self.objectives)
        ]
        self.y = [objective.target(shape) for objective in self.objectives]
        inputs = self.inputs if len(self.inputs) > 1 else self.inputs[0]
        self.model = keras.Model(inputs, self.alone(outputs))

    def alone(self, values):
        return values if len(self.objectives) > 1 else values[0]

    def fill(self):
        """Small weights, so that six steps stay near each other however they are rounded."""
        for variable in weights_of(self.model):
            shape = tuple(variable.shape)
            values, name = self.rng.standard_normal(shape), variable.name.split("/")[-1]
            if name in ("gamma", "scale"):
                values = 1 + 0.2 * values
            elif name == "moving_variance":
                values = 0.5 + np.abs(values)
            else:
                is_small = "bias" in name or name in ("beta", "alpha", "moving_mean")
                values = (0.2 if is_small else 0.5) * values
            variable.assign(values.astype("float32"))

    def freeze(self):
        """Some layers are not trained, but one always is."""
        for layer in self.model.layers:
            own = {id(w) for w in layer.trainable_weights}
            others = {id(w) for w in self.model.trainable_weights} - own
            if layer.weights and others and self.flip(0.08):
                layer.trainable = False
                COUNTS["frozen"] += 1

    def compile(self):
        if options.ops:
            chosen, self.name = keras.optimizers.SGD(learning_rate=0.05, momentum=0.5), "SGD"
        else:
            chosen, self.name = optimizer(self)
        weights = None
        if len(self.objectives) > 1 and self.flip(0.6):
            weights = [float(np.round(0.2 + self.rng.random(), 2)) for _ in self.objectives]
        metrics = [one.metrics() if self.flip() else [] for one in self.objectives]
        weighted = [one.metrics() if self.flip(0.4) else [] for one in self.objectives]
        self.model.compile(
            optimizer=chosen,
            loss=self.alone([one.loss() for one in self.objectives]),
            loss_weights=weights,
            metrics=self.alone(metrics),
            weighted_metrics=self.alone(weighted),
        )

    def weighting(self):
        """Sample weights, or weights of classes, or neither."""
        random = self.rng.random
        if self.flip(0.35):
            weights = [np.round(0.1 + random(self.shape), 2) for _ in self.objectives]
            return [weight.astype("float32") for weight in weights], None
        (first, *others) = self.objectives
        sparse = first.name == "SparseCategoricalCrossentropy"
        if sparse and not others and not self.sequences and self.flip(0.7):
            classes = range(first.classes)
            return None, {str(one): float(np.round(0.3 + random(), 2)) for one in classes}
        return None, None

    def fit(self, weights, classes, epochs, validate, keep=()):
        """Trains; returns the weights after each step, and the history."""
        steps, model = [], self.model

        class Steps(keras.callbacks.Callback):
            def on_train_batch_end(self, batch, logs=None):
                steps.append(encoded(model, keep))

        x = self.data if len(self.data) > 1 else self.data[0]
        y = self.alone(self.y)
        history = model.fit(
            x,
            y,
            batch_size=self.batch,
            epochs=epochs,
            shuffle=False,
            sample_weight=self.alone(weights) if weights else None,
            class_weight={int(key): value for key, value in classes.items()} if classes else None,
            validation_data=(x, y) if validate else None,
            verbose=0,
            callbacks=[Steps()],
        )
        return [*steps, encoded(model, keep)], history.history


def weights_of(model):
    return [variable for variable in model.weights if "seed" not in variable.path]


def encoded(model, keep=()):
    return [encode(variable.value, keep) for variable in weights_of(model)]


def prepared(rng):
    """A compiled model with its data, and how it is trained; all of it follows from the numbers
    of rng."""
    case = Training(rng)
    if len(case.model.trainable_weights) == 0:
        return None, {}
    case.fill()
    case.freeze()
    case.compile()
    weights, classes = case.weighting()
    per_epoch = -(-case.rows // case.batch)
    epochs = max(1, -(-case.size(3, 6) // per_epoch))
    how = {
        "weights": weights,
        "classes": classes,
        "epochs": epochs,
        "validate": case.flip(0.2),
    }
    return case, how


def steps_in_double(number):
    """The weights after each step of the same training in double precision."""
    keras.config.set_floatx("float64")
    keras.config.set_dtype_policy("float64")
    try:
        keras.backend.clear_session(free_memory=False)
        case, how = prepared(np.random.default_rng([options.seed, number]))
        return case.fit(**how, keep=DOUBLE)[0]
    finally:
        keras.config.set_floatx("float32")
        keras.config.set_dtype_policy("float32")


def record(rng, number):
    case, how = prepared(rng)
    if case is None:
        return None
    model = case.model
    file = encode_file(model)
    steps, history = case.fit(**how)
    COUNTS["steps"] += len(steps) - 1
    names = " ".join(one.name for one in case.objectives)
    recorded = {
        "note": f"{case.kind} {'sequences' if case.sequences else 'last'} {case.name} {names}",
        "layers": [type(layer).__name__ for layer in model.layers],
        "file": file,
        "paths": [variable.path for variable in weights_of(model)],
        "x": [encode(values) for values in case.data],
        "y": [encode(values) for values in case.y],
        "sample_weight": how["weights"] and [encode(weight) for weight in how["weights"]],
        "class_weight": how["classes"],
        "batch": case.batch,
        "epochs": how["epochs"],
        "validate": how["validate"],
        "steps": steps,
        "optimizer": [
            {"path": variable.path, **encode(variable.value)}
            for variable in model.optimizer.variables
            if "seed" not in variable.path
        ],
        "history": {
            name: [value if np.isfinite(value) else str(value) for value in map(float, values)]
            for name, values in history.items()
        },
    }
    if options.judge:
        recorded["double"] = steps_in_double(number)
    return recorded


record_all(options, record)
