# SPDX-License-Identifier: MIT
"""Measures training steps in Keras (torch backend) and in plain torch.nn, with one thread, for the
workloads that `npm run bench:train` has measured: python3 keras_torch.py FIGURES.json adds the
milliseconds of a step to each row of the file, whose `spec` describes the workload. Needs keras and
torch. In torch.nn, masked steps cost as much as others."""

import json
import os
import sys
import time

os.environ["KERAS_BACKEND"] = "torch"
import keras
import numpy as np
import torch

torch.set_num_threads(1)
layers = keras.layers
nn = torch.nn


def median_of(step, budget=3.0, least=5):
    for _ in range(3):
        step()
    times = []
    start = time.perf_counter()
    while len(times) < least or (time.perf_counter() - start < budget and len(times) < 40):
        began = time.perf_counter()
        step()
        times.append(time.perf_counter() - began)
    return 1000 * sorted(times)[len(times) // 2]


def inputs(spec):
    """Returns random inputs with zeros at masked steps."""
    batch, steps, *width = spec["shape"]
    lengths = np.array(spec["lengths"] or [steps] * batch)
    kept = np.arange(steps)[None, :] < lengths[:, None]
    if not width:
        return np.random.randint(1, spec["layers"][0]["ids"], (batch, steps)) * kept
    x = np.random.uniform(-1, 1, (batch, steps, *width)) * kept[:, :, None]
    return x.astype("float32")


def targets(spec):
    shape = spec["target"]
    if spec["loss"] == "mse":
        return np.random.uniform(-1, 1, shape).astype("float32")
    units = spec["layers"][-1]["units"]
    return np.random.randint(0, max(2, units), shape)


def transformer(x, spec):
    width = spec["width"]
    attended = layers.MultiHeadAttention(spec["heads"], width // spec["heads"])(x, x)
    middle = layers.LayerNormalization()(layers.Add()([x, attended]))
    back = layers.Dense(width)(layers.Dense(spec["inner"], activation="relu")(middle))
    return layers.LayerNormalization()(layers.Add()([middle, back]))


def keras_layer(x, spec):
    kind = spec["kind"]
    if kind == "transformer":
        return transformer(x, spec)
    if kind == "masking":
        return layers.Masking()(x)
    if kind == "embedding":
        return layers.Embedding(spec["ids"], spec["width"], mask_zero=True)(x)
    if kind == "dense":
        return layers.Dense(spec["units"], activation=spec["activation"])(x)
    recurrent = {"lstm": layers.LSTM, "gru": layers.GRU}[kind]
    layer = recurrent(spec["units"], return_sequences=spec.get("sequences", False))
    return (layers.Bidirectional(layer) if spec.get("both") else layer)(x)


def keras_step(spec):
    dtype = "int32" if spec["layers"][0]["kind"] == "embedding" else "float32"
    entry = keras.Input(spec["shape"][1:], dtype=dtype)
    out = entry
    for layer in spec["layers"]:
        out = keras_layer(out, layer)
    model = keras.Model(entry, out)
    model.compile(optimizer="adam", loss=spec["loss"])
    x, y = inputs(spec), targets(spec)
    return median_of(lambda: model.train_on_batch(x, y))


class Recurrent(nn.Module):
    """The layers of a workload; the last one returns logits. Masking does nothing."""

    def __init__(self, specs):
        super().__init__()
        self.specs = [spec for spec in specs if spec["kind"] != "masking"]
        self.parts = nn.ModuleList(self.part(spec) for spec in self.specs)

    @staticmethod
    def part(spec):
        kind = spec["kind"]
        if kind == "embedding":
            return nn.Embedding(spec["ids"], spec["width"])
        if kind == "dense":
            return nn.Linear(spec["features"], spec["units"])
        recurrent = {"lstm": nn.LSTM, "gru": nn.GRU}[kind]
        both = spec.get("both", False)
        return recurrent(spec["features"], spec["units"], batch_first=True, bidirectional=both)

    def forward(self, x):
        for spec, part in zip(self.specs, self.parts):
            x = part(x)
            if spec["kind"] in ("lstm", "gru"):
                x = x[0] if spec.get("sequences") else x[0][:, -1]
        return x


def torch_step(spec):
    if spec["layers"][-1]["kind"] == "transformer":
        return None
    model = Recurrent(spec["layers"])
    optimizer = torch.optim.Adam(model.parameters())
    x, y = torch.tensor(inputs(spec)), torch.tensor(targets(spec))
    functional = nn.functional
    loss_of = {
        "sparse_categorical_crossentropy": lambda out: functional.cross_entropy(
            out.flatten(0, -2), y.flatten()
        ),
        "binary_crossentropy": lambda out: functional.binary_cross_entropy_with_logits(
            out, y.float()
        ),
        "mse": lambda out: functional.mse_loss(out, y),
    }[spec["loss"]]

    def step():
        optimizer.zero_grad()
        loss = loss_of(model(x))
        loss.backward()
        optimizer.step()
        return loss.item()

    return median_of(step)


def main(path):
    with open(path) as file:
        figures = json.load(file)
    figures["keras"] = f"Keras {keras.__version__}, torch {torch.__version__}, one thread"
    print(figures["keras"])
    for row in figures["rows"]:
        row["keras"] = keras_step(row["spec"])
        row["torch"] = torch_step(row["spec"])
        against = [f"Keras {row['keras']:.1f} ms, {row['keras'] / row['step']:.1f} times ours"]
        if row["torch"]:
            against.append(f"torch.nn {row['torch']:.1f} ms, {row['torch'] / row['step']:.2f} times ours")
        print(f"{row['id']} {round(row['kept'] * 100)} % kept: {'; '.join(against)}", flush=True)
        with open(path, "w") as file:
            json.dump(figures, file, indent=1)


main(sys.argv[1])
