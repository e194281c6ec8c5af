# SPDX-License-Identifier: MIT
"""Measures training steps in Keras (torch backend) and in plain torch.nn, with one thread, for the
workloads that `npm run bench:train` has measured: python3 keras_torch.py FIGURES.json adds the
milliseconds of a step to each row of the file. Needs keras and torch. In torch.nn, masked steps
cost as much as others."""

import json
import os
import sys
import time

os.environ["KERAS_BACKEND"] = "torch"
import keras
import numpy as np
import torch

torch.set_num_threads(1)
BATCH = 32
layers = keras.layers


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


def lengths_of(row, steps):
    return np.array(row["lengths"] or [steps] * BATCH)


def kept(row, steps):
    return np.arange(steps)[None, :] < lengths_of(row, steps)[:, None]


def words(row, steps):
    return np.random.randint(1, 1000, (BATCH, steps)) * kept(row, steps)


def features(row, steps, width):
    x = np.random.uniform(-1, 1, (BATCH, steps, width)) * kept(row, steps)[:, :, None]
    return x.astype("float32")


def targets(shape):
    return np.random.uniform(-1, 1, shape).astype("float32")


def transformer(x):
    attended = layers.MultiHeadAttention(4, 32)(x, x)
    middle = layers.LayerNormalization()(layers.Add()([x, attended]))
    back = layers.Dense(128)(layers.Dense(512, activation="relu")(middle))
    return layers.LayerNormalization()(layers.Add()([middle, back]))


def keras_case(row):
    """Returns model, inputs, targets and loss."""
    name = row["id"]
    if name in ("T1", "T2"):
        x = words(row, 50)
        entry = keras.Input((50,), dtype="int32")
        inner = layers.Embedding(1000, 32, mask_zero=True)(entry)
        if name == "T1":
            out = layers.Dense(1, activation="sigmoid")(layers.LSTM(64)(inner))
            return keras.Model(entry, out), x, np.random.randint(0, 2, (BATCH, 1)), "binary_crossentropy"
        inner = layers.Bidirectional(layers.LSTM(64, return_sequences=True))(inner)
        out = layers.Dense(8, activation="softmax")(inner)
        y = np.random.randint(0, 8, (BATCH, 50))
        return keras.Model(entry, out), x, y, "sparse_categorical_crossentropy"
    steps, width = {"T3": (100, 16), "T4": (100, 64), "T5": (64, 128)}[name]
    x = features(row, steps, width)
    entry = keras.Input((steps, width))
    inner = layers.Masking()(entry)
    if name == "T5":
        return keras.Model(entry, transformer(inner)), x, targets((BATCH, steps, width)), "mse"
    if name == "T3":
        inner = layers.GRU(128)(inner)
    else:
        inner = layers.LSTM(256)(layers.LSTM(256, return_sequences=True)(inner))
    return keras.Model(entry, layers.Dense(1)(inner)), x, targets((BATCH, 1)), "mse"


def keras_step(row):
    model, x, y, loss = keras_case(row)
    model.compile(optimizer="adam", loss=loss)
    return median_of(lambda: model.train_on_batch(x, y))


class Recurrent(torch.nn.Module):
    """An embedding or features, recurrent layers, a Dense layer on the last step or on all."""

    def __init__(self, name):
        super().__init__()
        nn = torch.nn
        self.sequences = name == "T2"
        self.table = nn.Embedding(1000, 32) if name in ("T1", "T2") else None
        made = {
            "T1": lambda: (nn.LSTM(32, 64, batch_first=True), 64, 1),
            "T2": lambda: (nn.LSTM(32, 64, batch_first=True, bidirectional=True), 128, 8),
            "T3": lambda: (nn.GRU(16, 128, batch_first=True), 128, 1),
            "T4": lambda: (nn.LSTM(64, 256, num_layers=2, batch_first=True), 256, 1),
        }
        self.layer, width, units = made[name]()
        self.dense = nn.Linear(width, units)

    def forward(self, x):
        inner, _ = self.layer(x if self.table is None else self.table(x))
        return self.dense(inner if self.sequences else inner[:, -1])


def torch_step(row):
    name = row["id"]
    if name == "T5":
        return None
    model = Recurrent(name)
    optimizer = torch.optim.Adam(model.parameters())
    functional = torch.nn.functional
    if name in ("T1", "T2"):
        x = torch.tensor(words(row, 50))
    else:
        x = torch.tensor(features(row, 100, 16 if name == "T3" else 64))
    if name == "T2":
        y = torch.randint(0, 8, (BATCH * 50,))
        loss_of = lambda out: functional.cross_entropy(out.reshape(-1, 8), y)
    elif name == "T1":
        y = torch.randint(0, 2, (BATCH, 1)).float()
        loss_of = lambda out: functional.binary_cross_entropy_with_logits(out, y)
    else:
        y = torch.rand(BATCH, 1)
        loss_of = lambda out: functional.mse_loss(out, y)

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
        row["keras"] = keras_step(row)
        row["torch"] = torch_step(row)
        against = [f"Keras {row['keras']:.1f} ms, {row['keras'] / row['step']:.1f} times ours"]
        if row["torch"]:
            against.append(f"torch.nn {row['torch']:.1f} ms, {row['torch'] / row['step']:.2f} times ours")
        print(f"{row['id']} {round(row['kept'] * 100)} % kept: {'; '.join(against)}", flush=True)
        with open(path, "w") as file:
            json.dump(figures, file, indent=1)


main(sys.argv[1])
