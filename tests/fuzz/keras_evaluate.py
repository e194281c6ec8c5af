# SPDX-License-Identifier: MIT
"""Records what Keras's evaluate gives for models of one or several outputs, errors included.

    KERAS_BACKEND=torch python keras_evaluate.py OUT.jsonl [--seed 1] [--cases 300]

`npm run fuzz -- keras-evaluate` runs it and replays the cases.
"""

import argparse
import json
import random
import warnings

import keras
import numpy as np
from keras import layers

from keras_measures import plain
from recorded_file import recorded_file

warnings.filterwarnings("ignore")

LOSSES = ("mse", "mae", "huber", "binary_crossentropy", "categorical_crossentropy", "crossentropy", "poisson", None, "msle")
METRICS = ("mae", "mse", "accuracy", "acc", "auc", "f1_score", "r2_score", "root_mean_squared_error", "precision", "cosine_similarity")


def per_output(r, names, draw):
    """For several outputs: one for all, a list, or a dictionary; sometimes of the wrong length."""
    how = r.randrange(5)
    if how == 0:
        return draw()
    if how == 1 or how == 2:
        return [draw() for _ in range(len(names) + (r.random() < 0.1))]
    kept = names if r.random() < 0.7 else r.sample(names, 1)
    return {name: draw() for name in kept}


def draw(seed):
    r = random.Random(seed)
    rng = np.random.default_rng(r.randrange(2**32))
    count = r.choice((1, 1, 2, 2, 3))
    names = ["left", "right", "middle"][:count]
    structure = "single" if count == 1 else r.choice(("list", "list", "dict"))
    steps = r.random() < 0.4
    shape = [r.randint(2, 3), r.randint(1, 3)] if steps else [r.randint(1, 3)]
    rows = r.randint(1, 7)
    case = {
        "outputs": names,
        "structure": structure,
        "activations": [r.choice(("linear", "sigmoid", "softmax")) for _ in names],
        "masked": steps and r.random() < 0.5,
        "batch_size": r.choice((2, 3, 32)),
    }
    x = rng.integers(-8, 9, [rows, *shape]) / 4
    if case["masked"]:
        x *= rng.random((rows, shape[0], 1)) < 0.7
    case["x"] = x.astype("float32")
    targets = [rng.integers(0, 2, [rows, *shape]).astype("float32") for _ in names]
    some = r.random() < 0.05
    y = targets[0] if count == 1 else dict(zip(names, targets)) if structure == "dict" or r.random() < 0.3 else targets
    case["y"] = targets[0] if some else y
    # Keras refuses to evaluate without a loss; the package returns the metrics alone.
    case["loss"] = r.choice([loss for loss in LOSSES if loss]) if count == 1 else per_output(r, names, lambda: r.choice(LOSSES))
    if isinstance(case["loss"], dict) and structure == "list":  # Keras wants all named; the package takes some
        case["loss"] = {name: case["loss"].get(name) for name in names}
    if r.random() < 0.4:
        weights = lambda: r.choice((0.5, 1.0, 2.0))
        like = case["loss"]
        case["loss_weights"] = (
            [weights() for _ in like] if isinstance(like, list) else {k: weights() for k in like} if isinstance(like, dict) else weights()
        )

    def metrics():
        return [r.choice(METRICS) for _ in range(r.randint(1, 3))]

    for key in ("metrics", "weighted_metrics"):
        if r.random() < 0.6:
            one = lambda: r.choice((metrics(), metrics(), r.choice(METRICS), None, []))
            case[key] = metrics() if count == 1 else per_output(r, names, one)
    # With a mask Keras's loss writes into the weights on torch, and what its metrics see then is
    # nobody's rule. Targets in a dictionary for outputs in a list fail with weights.
    if r.random() < 0.5 and not case["masked"] and (structure == "dict") == isinstance(case["y"], dict):
        weight = lambda: (rng.integers(0, 9, [rows, shape[0]] if steps else [rows]) / 4).astype("float32")
        case["sample_weight"] = weight() if count == 1 or r.random() < 0.4 and not steps else (
            {name: weight() for name in names} if isinstance(case["y"], dict) else [weight() for _ in names]
        )
    return case


def run(case):
    try:
        x = layers.Input(case["x"].shape[1:])
        h = layers.Masking(0.0)(x) if case["masked"] else x
        made = [layers.Activation(kind, name=name)(h) for kind, name in zip(case["activations"], case["outputs"])]
        outputs = made[0] if case["structure"] == "single" else made if case["structure"] == "list" else dict(zip(case["outputs"], made))
        model = keras.Model(x, outputs)
        settings = {key: case[key] for key in ("loss", "loss_weights", "metrics", "weighted_metrics") if key in case}
        model.compile(**settings)
        got = model.evaluate(
            case["x"], case["y"], sample_weight=case.get("sample_weight"), batch_size=case["batch_size"], return_dict=True, verbose=0
        )
        return {"result": {key: np.asarray(value, "float32").tolist() for key, value in got.items()}}
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)[:200]}


def encode(value):
    if isinstance(value, np.ndarray):
        return plain(value)
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    return [encode(item) for item in value] if isinstance(value, list) else value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=300)
    args = parser.parse_args()
    with recorded_file(args.out) as out:
        for i in range(args.cases):
            case = draw(f"{args.seed}:{i}")
            recorded = {"id": f"{args.seed}:{i}", **encode(case), "expect": run(case)}
            text = json.dumps(recorded, separators=(",", ":"))
            out.write(text.replace("-Infinity", '"-Infinity"').replace(":Infinity", ':"Infinity"').replace("NaN", '"NaN"') + "\n")


if __name__ == "__main__":
    main()
