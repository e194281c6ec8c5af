# SPDX-License-Identifier: MIT
"""Random Functional models whose results depend on Keras's rules of graphs: the order in which layers run, which tensors are one object, constants in
calls and in operations, masks that are part of the graph, dimensions known on one side only, shared layers, models in models.

`npm run fuzz -- keras-order` runs it, or, for fixtures (which torch recorded):

    python tests/fuzz/keras_order.py OUT.jsonl --seed 1 --count 1000 --most-bytes 20000

A line is a model as Keras saves it, its weights in the order of `model.weights`, inputs with their masks, and what Keras gives for every tensor."""
import argparse
import base64
import json

import keras
import numpy as np
from keras import layers, ops
from keras.src import backend
from recorded_file import recorded_file

options = argparse.ArgumentParser()
options.add_argument("out")
options.add_argument("--seed", type=int, default=1)
options.add_argument("--count", type=int, default=1000)
options.add_argument("--most-bytes", type=int, default=10**9, help="leave longer lines out, for fixtures")
options = options.parse_args()
BATCH, TIME, WIDTH = 2, 4, 3


def packed(x):
    if x is None:
        return None
    a = np.asarray(backend.convert_to_numpy(x))
    a = np.ascontiguousarray(a.astype({"float64": "float32", "int64": "int32", "bool": "uint8"}.get(str(a.dtype), a.dtype)))
    return {"shape": list(a.shape), "dtype": "bool" if a.dtype == np.uint8 else str(a.dtype), "data": base64.b64encode(a.tobytes()).decode()}


class Model:
    def __init__(self, rng):
        self.rng, self.inputs, self.values, self.masks, self.tensors, self.used = rng, [], [], [], [], []
        for _ in range(rng.integers(1, 4)):
            self.source()

    def one_of(self, *items):
        return items[self.rng.integers(len(items))]

    def perhaps(self, p=0.5):
        return self.rng.random() < p

    def mask(self):
        kept = self.rng.random((BATCH, TIME)) > 0.4
        kept[:, 0] = True
        return kept

    def source(self):
        # Sizes that one input knows and another does not.
        batch, time = (BATCH if self.perhaps(0.3) else None), (TIME if self.perhaps() else None)
        mask = self.mask() if self.perhaps(0.8) else None
        if self.perhaps(0.4):
            x = keras.Input((time,), batch_size=batch, dtype="int32")
            ids = self.rng.integers(1, 6, (BATCH, TIME)) * (1 if mask is None else mask)
            self.inputs.append(x), self.values.append(ids.astype("int32")), self.masks.append(None)
            self.tensors.append(layers.Embedding(6, WIDTH, mask_zero=True)(x))
            return
        x = keras.Input((time, WIDTH), batch_size=batch)
        self.inputs.append(x), self.values.append(self.rng.standard_normal((BATCH, TIME, WIDTH)).astype("float32")), self.masks.append(mask)
        self.tensors.append(x)

    def any(self):
        fits = [t for t in self.tensors if len(t.shape) == 3]
        return fits[-1] if self.perhaps() else self.one_of(*fits)

    def constant(self, *shape):
        a = self.rng.standard_normal(shape).astype(self.one_of("float32", "float64"))
        return a if self.perhaps() else ops.convert_to_tensor(a.astype("float32"))

    def layer(self, make):
        """A new layer, or one that was called before."""
        if self.used and self.perhaps(0.25):
            return self.one_of(*self.used)
        self.used.append(make())
        return self.used[-1]

    # Each gives one tensor or several.
    def same(self):
        return self.one_of(layers.Dropout(0.2), layers.Identity(), layers.SpatialDropout1D(0.2), layers.GaussianNoise(0.2), layers.Activation("linear"), layers.ActivityRegularization())(self.any())

    def attention(self):
        x = self.any()
        y = x if self.perhaps(0.4) else self.any()
        more = {}
        if self.perhaps(0.3):
            more["attention_mask"] = np.tril(np.ones((1, TIME, TIME), bool)) if self.perhaps() else self.rng.random((BATCH, TIME, TIME)) > 0.3
        if self.perhaps(0.2):
            more["key"] = self.any()
        return layers.MultiHeadAttention(1, 2)(x, y, **more)

    def recurrent(self):
        make = self.one_of(layers.LSTM, layers.GRU, layers.SimpleRNN)
        layer, more = make(WIDTH, return_sequences=self.perhaps(0.7)), {}
        if self.perhaps(0.3):
            states = [self.constant(BATCH, WIDTH) for _ in range(2 if make is layers.LSTM else 1)]
            more["initial_state"] = states if len(states) > 1 or self.perhaps() else states[0]
        if self.perhaps(0.15):
            more["mask"] = self.mask()
        return layer(self.any(), **more)

    def operation(self):
        x = self.any()
        return self.one_of(
            lambda: x + self.constant(TIME, WIDTH), lambda: self.constant(1, TIME, 1) * x, lambda: x * 2.0, lambda: x - self.any(), lambda: ops.maximum(x, self.constant(WIDTH)),
            lambda: ops.where(self.rng.random(WIDTH) > 0.5, x, self.any()), lambda: ops.take(x, np.array([2, 0, 1]), axis=-1), lambda: ops.concatenate([x, self.any()], axis=1), lambda: ops.matmul(x, self.constant(WIDTH, WIDTH)))()

    def merged(self):
        parts = [self.any() for _ in range(self.rng.integers(1, 4))]
        if self.perhaps(0.2):
            parts.append(self.constant(BATCH, TIME, WIDTH))
        return self.one_of(layers.Add, layers.Multiply, layers.Average, layers.Maximum, layers.Minimum)()(parts)

    def joined(self):
        return layers.Concatenate(axis=1)([self.any(), self.any()])

    def pooled(self):
        return self.one_of(layers.GlobalAveragePooling1D, layers.GlobalMaxPooling1D)()(self.any())

    def shared(self):
        return self.layer(lambda: self.one_of(layers.Dense(WIDTH), layers.LSTM(WIDTH, return_sequences=True), layers.Bidirectional(layers.GRU(WIDTH, return_sequences=True), merge_mode="sum")))(self.any())

    def nested(self):
        def functional():
            i = keras.Input((None, WIDTH))
            h = layers.Dropout(0.1)(i) if self.perhaps() else i
            a = layers.MultiHeadAttention(1, 2)(h, h) if self.perhaps() else layers.GRU(WIDTH, return_sequences=True)(h)
            return keras.Model(i, layers.Add()([a, i]))

        return self.layer(lambda: functional() if self.perhaps(0.7) else keras.Sequential([layers.Dropout(0.1), layers.GRU(WIDTH, return_sequences=True)]))(self.any())

    def rescaled(self):
        return layers.Rescaling(self.constant(WIDTH), offset=self.constant(TIME, WIDTH) if self.perhaps() else 0.5)(self.any())

    def step(self):
        kinds = [self.same] * 4 + [self.attention] * 5 + [self.recurrent] * 3 + [self.operation] * 3 + [self.merged] * 2 + [self.joined, self.rescaled] + [self.pooled, self.shared, self.nested] * 2
        made = self.one_of(*kinds)()
        self.tensors.extend(made if isinstance(made, (list, tuple)) else [made])


def record(seed):
    rng = np.random.default_rng([options.seed, seed])
    keras.backend.clear_session(free_memory=False)
    graph = Model(rng)
    for _ in range(rng.integers(2, 6)):
        try:
            graph.step()
        except Exception:  # what Keras refuses
            pass
    outputs = list({id(t): t for t in graph.tensors if not any(t is i for i in graph.inputs)}.values())
    if not outputs:
        return None
    outputs = [outputs[i] for i in rng.permutation(len(outputs))]
    model = keras.Model(graph.inputs, outputs)
    for w in model.weights:
        w.assign(0.4 * rng.standard_normal(tuple(w.shape)).astype("float32"))
    given = [ops.convert_to_tensor(v) for v in graph.values]
    for x, m in zip(given, graph.masks):
        if m is not None:
            backend.set_keras_mask(x, ops.convert_to_tensor(m))
    got = model(given)
    got = got if isinstance(got, (list, tuple)) else [got]
    return {"name": f"{options.seed}/{seed}", "model": keras.saving.serialize_keras_object(model), "weights": [packed(w) for w in model.weights],
            "inputs": [packed(v) for v in graph.values], "masks": [packed(m) for m in graph.masks],
            "outputs": [packed(y) for y in got], "output_masks": [packed(backend.get_keras_mask(y)) for y in got]}


failed, written = 0, 0
with recorded_file(options.out) as out:
    for seed in range(options.count):
        try:
            line = record(seed)
        except Exception:  # known and unknown sizes that were no match after all
            failed += 1
            continue
        text = json.dumps(line, separators=(",", ":")) if line else ""
        if 0 < len(text) <= options.most_bytes:
            out.write(text + "\n")
            written += 1
print(written, "written,", failed, "failed in Keras")
