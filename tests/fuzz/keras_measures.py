# SPDX-License-Identifier: MIT
"""Records results of Keras's losses and metrics for random arguments, errors included.

    KERAS_BACKEND=torch python keras_measures.py OUT.jsonl [--seed 1] [--cases 1000] [--classes AUC,Huber]

One line of JSON a case, the same for a seed whatever the back end; replay_measures.mjs runs them through the package. Where
two back ends do not agree, the replay takes either (give it both files).
"""

import argparse
import json
import random
import warnings

import numpy as np
from keras import losses, metrics
from keras.src import backend
from recorded_file import recorded_file

warnings.filterwarnings("ignore")


def real(rng, shape):
    return rng.integers(-24, 25, shape) / 8


def probabilities(rng, shape):
    fine = rng.integers(2)
    return rng.integers(0, 1001, shape) / 1000 if fine else rng.integers(0, 9, shape) / 8


def binary(rng, shape):
    return rng.integers(0, 2, shape)


def signed(rng, shape):
    return rng.integers(0, 2, shape) * 2 - 1


def small(rng, shape):
    """Classes; of predictions with few classes some are out of range."""
    return rng.integers(0, 3, shape)


def outside(rng, shape):
    return rng.integers(-1, 5, shape)


def onehot(rng, shape):
    if len(shape) == 0 or shape[-1] == 0:
        return binary(rng, shape)
    return np.eye(shape[-1])[rng.integers(0, shape[-1], shape[:-1])]


def pick(r, *choices):
    return r.choice(choices)


AXES = (-1, -1, -1, 0, 1, -2, 2, 5)
SMOOTHING = (0.0, 0.0, 0.1, 0.5, 1.0, 1.5, -0.5)
THRESHOLDS = (None, None, 0.5, 0.0, 1.0, 0.3, -0.1, 1.5, [0.5], [0.2, 0.7], [0.0, 0.5, 1.0], [0.7, 0.1, 0.4], [], [0.5, None], [0.5, 2.0])
NUMBERS = (200, 200, 1, 2, 3, 5, 17, 0, -1)
CLASS_IDS = (None, None, 0, 1, 2, 7, -1, -2, -9)
TOP_K = (None, None, 1, 2, 3, 9, 0, -1)


def options(**choices):
    """Each setting given half the time, from its list."""
    return lambda r: {key: r.choice(values) for key, values in choices.items() if r.random() < 0.5}


def required(which, **choices):
    """The first names nearly always, the others sometimes."""
    optional = options(**choices)

    def make(r):
        made = optional(r)
        for key in which:
            if r.random() < 0.98:
                made[key] = r.choice(choices[key])
        return made

    return make


none = options()
wide = dict(from_logits=(True, False), label_smoothing=SMOOTHING)
axis = dict(axis=AXES)
ALPHA, GAMMA = (0.25, 0.7, 0.0, -1.0, 2.0), (0.0, 1.0, 2.0, 3.5)

# Class: options, targets, predictions.
LOSSES = {
    "MeanSquaredError": (none, real, real),
    "MeanAbsoluteError": (none, real, real),
    "MeanAbsolutePercentageError": (none, real, real),
    "MeanSquaredLogarithmicError": (none, real, real),
    "Huber": (options(delta=(0.5, 1.0, 2.0, 0.0, -1.0)), real, real),
    "LogCosh": (none, real, real),
    "CosineSimilarity": (options(**axis), real, real),
    "Poisson": (none, probabilities, probabilities),
    "KLDivergence": (none, probabilities, probabilities),
    "BinaryCrossentropy": (options(**wide, **axis), binary, probabilities),
    "BinaryFocalCrossentropy": (options(apply_class_balancing=(True, False), alpha=ALPHA, gamma=GAMMA, **wide, **axis), binary, probabilities),
    "CategoricalCrossentropy": (options(**wide, **axis), onehot, probabilities),
    "CategoricalFocalCrossentropy": (options(alpha=ALPHA, gamma=GAMMA, **wide, **axis), onehot, probabilities),
    "SparseCategoricalCrossentropy": (options(from_logits=(True, False), ignore_class=(None, 0, 1, -1, 9), **axis), small, probabilities),
    "Hinge": (none, binary, real),
    "SquaredHinge": (none, signed, real),
    "CategoricalHinge": (none, onehot, real),
    "CategoricalGeneralizedCrossEntropy": (options(q=(0.5, 0.2, 0.9, 0.0, 1.0, 1.5, -0.5)), small, probabilities),
    "Dice": (options(axis=(None, None, 0, 1, -1, (0, 1), (1, 2), 5)), binary, probabilities),
    "Tversky": (options(alpha=ALPHA, beta=ALPHA, axis=(None, None, 0, 1, -1, (0, 1), (1, 2), 5)), binary, probabilities),
    "Circle": (options(gamma=(1.0, 80.0, 0.0), margin=(0.4, 0.0, 0.9), remove_diagonal=(True, False)), small, probabilities),
    "CTC": (none, small, real),
}

decisions = options(thresholds=THRESHOLDS, top_k=TOP_K, class_id=CLASS_IDS)
counts = options(thresholds=THRESHOLDS)
BOUNDS = (0.5, 0.0, 1.0, 0.3, 0.9, -0.1, 1.1)
CLASSES = (2, 3, 3, 4, 1)
# With another axis result() fails: Keras sums its vector of classes along it.
overlap = dict(ignore_class=(None, 0, 1, -1), axis=(-1, -1, 0))
sparse = dict(sparse_y_true=(True, False), sparse_y_pred=(True, False))
METRICS = {
    "Accuracy": (none, small, small),
    "BinaryAccuracy": (options(threshold=(0.5, 0.2, 0.0, 1.0, -1.0, 3.0)), binary, probabilities),
    "CategoricalAccuracy": (none, onehot, probabilities),
    "SparseCategoricalAccuracy": (none, small, probabilities),
    "TopKCategoricalAccuracy": (options(k=(1, 2, 3, 5, 0)), onehot, probabilities),
    "SparseTopKCategoricalAccuracy": (options(k=(1, 2, 3, 5, 0), from_sorted_ids=(True, False)), small, probabilities),
    "CosineSimilarity": (options(**axis), real, real),
    "LogCoshError": (none, real, real),
    "RootMeanSquaredError": (none, real, real),
    "MeanSquaredError": (none, real, real),
    "MeanAbsoluteError": (none, real, real),
    "MeanAbsolutePercentageError": (none, real, real),
    "MeanSquaredLogarithmicError": (none, real, real),
    "KLDivergence": (none, probabilities, probabilities),
    "Poisson": (none, probabilities, probabilities),
    "Hinge": (none, signed, real),
    "SquaredHinge": (none, binary, real),
    "CategoricalHinge": (none, onehot, real),
    "BinaryCrossentropy": (options(**wide), binary, probabilities),
    "CategoricalCrossentropy": (options(**wide, **axis), onehot, probabilities),
    "SparseCategoricalCrossentropy": (options(from_logits=(True, False), ignore_class=(None, 0, 1), **axis), small, probabilities),
    "Precision": (decisions, binary, probabilities),
    "Recall": (decisions, binary, probabilities),
    "TruePositives": (counts, binary, probabilities),
    "FalsePositives": (counts, binary, probabilities),
    "FalseNegatives": (counts, binary, probabilities),
    "TrueNegatives": (counts, binary, probabilities),
    "AUC": (
        options(
            num_thresholds=NUMBERS,
            curve=("ROC", "PR", "PRGAIN", "pr", "roc", "prgain", "Roc", "x"),
            summation_method=("interpolation", "minoring", "majoring", "Minoring", "MINORING"),
            from_logits=(True, False),
            multi_label=(True, False),
            num_labels=(None, None, None, 2, 3, 0),
            label_weights=(None, [1.0, 2.0], [0.5, 2.0, 1.0], [3.0]),
            thresholds=(None, None, [0.5], [0.3, 0.8], [0.25, 0.5, 0.75], [0.9, 0.1], [0.0, 1.0], [-0.5, 2.0], []),
        ),
        binary,
        probabilities,
    ),
    "SensitivityAtSpecificity": (required(["specificity"], specificity=BOUNDS, num_thresholds=NUMBERS, class_id=CLASS_IDS), binary, probabilities),
    "SpecificityAtSensitivity": (required(["sensitivity"], sensitivity=BOUNDS, num_thresholds=NUMBERS, class_id=CLASS_IDS), binary, probabilities),
    "PrecisionAtRecall": (required(["recall"], recall=BOUNDS, num_thresholds=NUMBERS, class_id=CLASS_IDS), binary, probabilities),
    "RecallAtPrecision": (required(["precision"], precision=BOUNDS, num_thresholds=NUMBERS, class_id=CLASS_IDS), binary, probabilities),
    "FBetaScore": (options(average=(None, "micro", "macro", "weighted", "mean"), beta=(1.0, 0.5, 2.0, 0.0, -1.0), threshold=(None, 0.5, 0.3, 1.0, 0.0, 1.5)), onehot, probabilities),
    "F1Score": (options(average=(None, "micro", "macro", "weighted", "mean"), threshold=(None, 0.5, 0.3, 1.0, 0.0)), binary, probabilities),
    "IoU": (required(["num_classes", "target_class_ids"], num_classes=CLASSES, target_class_ids=([0], [0, 1], [1], [2], [1, 1], [3]), **overlap, **sparse), small, small),
    "BinaryIoU": (options(target_class_ids=([0], [0, 1], [1], [2]), threshold=(0.5, 0.0, 1.0, 0.3)), binary, probabilities),
    "MeanIoU": (required(["num_classes"], num_classes=CLASSES, **overlap, **sparse), outside, outside),
    "OneHotIoU": (required(["num_classes", "target_class_ids"], num_classes=CLASSES, target_class_ids=([0], [0, 1], [1], [2]), sparse_y_pred=(True, False), **overlap), onehot, probabilities),
    "OneHotMeanIoU": (required(["num_classes"], num_classes=CLASSES, sparse_y_pred=(True, False), **overlap), onehot, probabilities),
    "R2Score": (options(class_aggregation=(None, "uniform_average", "variance_weighted_average", "mean"), num_regressors=(0, 1, 2, 3, 9, -1)), real, real),
    "PearsonCorrelation": (options(**axis), real, real),
    "ConcordanceCorrelation": (options(**axis), real, real),
    "Mean": (none, None, real),
    "Sum": (none, None, real),
}

# Usual shapes of a class: with random ones, nearly every case would be an error.
MATRIX = {"FBetaScore", "F1Score", "R2Score"}
SPARSE = {"SparseCategoricalCrossentropy", "CategoricalGeneralizedCrossEntropy", "SparseCategoricalAccuracy", "SparseTopKCategoricalAccuracy", "Circle"}


def shape_of_predictions(r, name):
    if name == "CTC":
        return [r.randint(1, 3), r.randint(1, 5), r.randint(1, 4)] if r.random() < 0.9 else [2, 3]
    if name in MATRIX and r.random() < 0.85:
        return [r.randint(1, 5), r.randint(1, 4)]
    rank = r.choice((1, 2, 2, 2, 3, 3, 4))
    return [r.randint(1, 4) for _ in range(rank)]


def another(r, shape):
    """A shape that is nearly the given one, or not at all."""
    shape = list(shape)
    how = r.randrange(7)
    if how == 0 and shape:
        return shape[:-1]
    if how == 1:
        return [*shape, 1]
    if how == 2 and shape:
        return [*shape[:-1], 1]
    if how == 3 and shape:
        return shape[1:]
    if how == 4 and shape:
        shape[r.randrange(len(shape))] = 1
        return shape
    if how == 5 and shape:
        shape[r.randrange(len(shape))] += 1
        return shape
    return [r.randint(1, 3) for _ in range(r.randint(0, 3))]


def shape_of_targets(r, name, shape):
    if name == "CTC" and r.random() < 0.9:
        return [shape[0], r.randint(1, 3)]
    if name in SPARSE and r.random() < 0.75:
        return shape[:-1] if r.random() < 0.7 else [*shape[:-1], 1]
    return list(shape) if r.random() < 0.75 else another(r, shape)


def shape_of_weights(r, shape):
    usual = r.choice((shape[:1], shape[:-1], shape, [*shape[:-1], 1], []))
    return list(usual) if r.random() < 0.8 else another(r, shape)


def weights(rng, r, shape):
    how = r.randrange(5)
    if how == 0:
        return rng.integers(-2, 4, shape)  # negative ones too
    if how == 1:
        return np.zeros(shape)
    return rng.integers(0, 9, shape) / 4


def typed(r, values, dtypes):
    return np.asarray(values).astype(r.choice(dtypes))


FLOATS = ("float32",) * 8


def update(r, rng, name, config, kinds, shapes):
    target_kind, prediction_kind = kinds
    made = {}
    if target_kind:
        odd = r.random() < 0.1
        values = (real if odd else target_kind)(rng, shapes["y_true"])
        if name in SPARSE or name == "CTC":
            values = abs(values) % max(1, shapes["y_pred"][-1])  # the package refuses classes that are not there
        made["y_true"] = typed(r, values, (*FLOATS, "int32", "int32", "bool"))
    if r.random() < 0.08:
        prediction_kind = real
    # Predictions are floats, as those of models are. With whole ones Keras's metrics cut the
    # targets, with bools most fail.
    predictions = prediction_kind(rng, shapes["y_pred"])
    if config.get("top_k") is not None:  # which of equal ones is among the highest is nobody's promise
        predictions = (rng.permutation(predictions.size).reshape(predictions.shape) + 1) / (predictions.size + 2)
    made["y_pred"] = typed(r, predictions, ("float32",))
    if "sample_weight" in shapes:
        made["sample_weight"] = typed(r, weights(rng, r, shapes["sample_weight"]), (*FLOATS, "int32"))
        if name in MATRIX:  # sums that cancel leave nothing but roundings
            made["sample_weight"] = abs(made["sample_weight"])
    if "mask" in shapes:
        odds = r.choice((0.0, 0.3, 0.5, 1.0))
        made["mask"] = rng.random(shapes["mask"]) >= odds
    return made


def resize(shapes, rows):
    """The next batch may have another number of rows."""
    batch = shapes["y_pred"][0]
    for shape in shapes.values():
        if shape and shape[0] == batch:
            shape[0] = rows


def draw_shapes(r, name):
    shapes = {"y_pred": shape_of_predictions(r, name)}
    shapes["y_true"] = shape_of_targets(r, name, shapes["y_pred"])
    if r.random() < 0.5:
        shapes["sample_weight"] = shape_of_weights(r, shapes["y_pred"])
    if r.random() < 0.3:
        shapes["mask"] = shape_of_weights(r, shapes["y_pred"])
    return shapes


def accident(name, config, shapes):
    """Does Keras compute only because NumPy's rules of broadcasting happen to allow it? The package says that the shapes
    are wrong there; so these are not asked."""
    targets, predictions = shapes["y_true"], shapes["y_pred"]
    if not targets:
        return True  # no batch
    if config.get("class_id") is not None and len(targets) == 1:
        return True  # one target for all
    if name in MATRIX:
        weights = shapes.get("sample_weight", [1])
        one_per_row = len(weights) == 1 and (predictions[0] != 1 or weights == [1])
        return targets[0] != predictions[0] or not (name == "R2Score" or one_per_row)
    if config.get("multi_label") and len(config.get("label_weights") or [0, 0]) == 1 and predictions[-1] != 1:
        return True  # one weight for all labels: Keras divides by it once and gives the sum of the areas
    if "TopK" in name and predictions[0] == 1:
        return True  # one row of predictions for all targets
    if name == "SparseCategoricalAccuracy":  # takes a last axis of size 1 off its values, but not off masks
        return max(len(shapes.get(key, [])) for key in ("mask", "sample_weight")) > len(targets)
    if config.get("ignore_class") is not None and name.startswith("Sparse"):
        return targets not in (predictions[:-1], [*predictions[:-1], 1])
    if name == "Circle":
        return len(predictions) != 2 or len(targets) != 1 and targets[1:] != [1]
    return False


def draw(seed, names):
    """A case without its results."""
    r = random.Random(seed)
    rng = np.random.default_rng(r.randrange(2**32))
    kind, name = r.choice(names)
    settings, *kinds = (LOSSES if kind == "loss" else METRICS)[name]
    config = settings(r)
    if kind == "loss" and r.random() < 0.5:
        config["reduction"] = r.choice(("sum_over_batch_size", "mean", "mean_with_sample_weight", "sum", "none", None, "avg"))
    shapes = draw_shapes(r, name)
    while accident(name, config, shapes):
        shapes = draw_shapes(r, name)
    updates = []
    for _ in range(1 if kind == "loss" else r.randint(1, 3)):
        updates.append(update(r, rng, name, config, kinds, shapes))
        if r.random() < 0.5:
            resize(shapes, r.randint(1, 4))
    return kind, name, config, updates


def numbers(value):
    """JSON lacks NaN and infinities: they become strings that JavaScript's Number() reads."""
    words = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
    return [words.get(str(x), x) for x in np.asarray(value, "float32").ravel().tolist()]


def arguments(given):
    tensors = {key: backend.convert_to_tensor(value) for key, value in given.items() if key != "mask"}
    if "mask" in given:
        backend.set_keras_mask(tensors["y_pred"], backend.convert_to_tensor(given["mask"]))
    return tensors


def run(kind, name, config, updates):
    stage, results = 0 if kind == "loss" else "make", []
    try:
        made = getattr(losses if kind == "loss" else metrics, name)(**config)
        for i, given in enumerate(updates):
            stage = i
            tensors = arguments(given)
            if name in ("Mean", "Sum"):
                tensors["values"] = tensors.pop("y_pred")
            if kind == "loss":
                result = made(**tensors)
            else:
                made.update_state(**tensors)
                result = made.result()
            result = backend.convert_to_numpy(result)
            results.append({"shape": list(result.shape), "values": numbers(result)})
    except Exception as error:
        return {"error": type(error).__name__, "at": stage, "message": str(error)[:160], "results": results}
    return {"results": results}


def plain(array):
    array = np.asarray(array)
    kept = array.astype("float32").tolist() if array.dtype == "float32" else array.astype(int).tolist()
    flat = np.asarray(kept, dtype="float64").ravel()
    return {"shape": list(array.shape), "dtype": str(array.dtype), "values": [float(f"{x:.7g}") if x % 1 else int(x) for x in flat.tolist()]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--classes", default="")
    args = parser.parse_args()
    names = [("loss", name) for name in LOSSES] + [("metric", name) for name in METRICS]
    if args.classes:
        names = [entry for entry in names if entry[1] in args.classes.split(",")]
    with recorded_file(args.out) as out:
        for i in range(args.cases):
            kind, name, config, updates = draw(f"{args.seed}:{i}", names)
            expect = run(kind, name, config, updates)
            case = {"id": f"{args.seed}:{i}", "kind": kind, "class": name, "config": config}
            case["updates"] = [{key: plain(value) for key, value in given.items()} for given in updates]
            out.write(json.dumps({**case, "expect": expect}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
