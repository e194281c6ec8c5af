# SPDX-License-Identifier: MIT
"""Records random scalers and label encoders of sklearn: their files, and what they return.

    python3 sklearn_pickles.py OUT.jsonl [--seed 1] [--count 2000]

One line of JSON a case; tests/support/scalers.js runs them through the package. Needs scikit-learn and joblib.
"""

import argparse
import base64
import io
import json
import pickle
import random
import warnings

import joblib
import numpy as np
from recorded_file import recorded_file
from sklearn.preprocessing import LabelEncoder, MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

warnings.filterwarnings("ignore")


def data(rng, rows, columns):
    x = rng.normal(size=(rows, columns)) * 10.0 ** rng.integers(-6, 7, columns) + 10.0 ** rng.integers(-3, 6, columns)
    for column in range(columns):
        kind = rng.integers(12)
        if kind == 0:
            x[:, column] = rng.normal()
        elif kind == 1:
            x[:, column] = rng.integers(-3, 4, rows)
        elif kind == 2:
            x[rng.integers(rows), column] = np.nan
        elif kind == 3:
            x[:, column] = 0
    return x


def scaler(r):
    kind = r.choice([StandardScaler, StandardScaler, MinMaxScaler, RobustScaler, MaxAbsScaler])
    if kind is StandardScaler:
        return kind(with_mean=r.random() < 0.8, with_std=r.random() < 0.8)
    if kind is MinMaxScaler:
        return kind(feature_range=r.choice([(0, 1), (-1, 1), (0.1, 0.9), (2, 30)]), clip=r.random() < 0.3)
    if kind is RobustScaler:
        options = {"with_centering": r.random() < 0.8, "with_scaling": r.random() < 0.8, "unit_variance": r.random() < 0.3}
        return kind(**options, quantile_range=r.choice([(25.0, 75.0), (5.0, 95.0)]))
    return kind()


def file_of(r, value):
    """A file of pickle or joblib, as programs write them."""
    file = io.BytesIO()
    if r.random() < 0.6:
        pickle.dump(value, file, protocol=r.randint(0, 5))
    else:
        joblib.dump(value, file, compress=r.choice([0, 0, 3, ("zlib", 9), ("gzip", 3)]), protocol=r.choice([None, 2, 3, 4, 5]))
    return base64.b64encode(file.getvalue()).decode()


def packed(array):
    array = np.ascontiguousarray(array)
    return {"shape": list(array.shape), "dtype": str(array.dtype), "data": base64.b64encode(array.tobytes()).decode()}


def scaler_case(r, rng):
    columns = r.randint(1, 6)
    fitted = scaler(r).fit(data(rng, r.randint(1, 30), columns))
    if r.random() < 0.1:
        fitted = scaler(r).fit(data(rng, 5, columns).astype("float32"))
    case = {"class": type(fitted).__name__, "file": file_of(r, fitted), "calls": []}
    for dtype in ("float64", "float32", "int32"):
        x = data(rng, r.randint(1, 5), columns)
        x = np.nan_to_num(np.clip(x, -1e6, 1e6)).astype(dtype) if dtype == "int32" else x.astype(dtype)
        for name in ("transform", "inverse_transform"):
            case["calls"].append({"name": name, "x": packed(x), "y": packed(getattr(fitted, name)(x.copy()))})
    return case


LABELS = ["a", "b", "bad", "good", "", "é", "日本", "👍", "10", "9", " x", "A", "longer label with spaces", "\n"]


def encoder_case(r):
    pool = r.choice([LABELS, list(range(-5, 20)), [0.5, 1.0, -2.25, 1e300], [True, False]])
    labels = [r.choice(pool) for _ in range(r.randint(1, 12))]
    dtype = object if r.random() < 0.3 and isinstance(pool[0], str) else None
    fitted = LabelEncoder().fit(np.array(labels, dtype=dtype))
    asked = [r.choice(labels) for _ in range(6)]
    return {
        "class": "LabelEncoder",
        "file": file_of(r, fitted),
        "classes": fitted.classes_.tolist(),
        "labels": asked,
        "ids": fitted.transform(np.array(asked, dtype=dtype)).tolist(),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    args = parser.parse_args()
    with recorded_file(args.out) as out:
        for i in range(args.count):
            key = f"{args.seed}:{i}"
            r = random.Random(key)
            rng = np.random.default_rng([args.seed, i])
            case = encoder_case(r) if r.random() < 0.25 else scaler_case(r, rng)
            out.write(json.dumps({"id": key, **case}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
