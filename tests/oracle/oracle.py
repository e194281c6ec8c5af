# SPDX-License-Identifier: MIT
"""What all recorders share: tensors as JSON, masks, random numbers, comparison, files and options.

A recorder computes each case again from its inputs and writes the file. Numbers that agree with the
recorded ones within TOLERANCE stay as they are, so that a diff shows what changed.
"""

import argparse
import base64
import contextlib
import json
import pathlib
import re
import sys
import warnings
import zlib

import keras
import numpy as np
from keras.src import backend, tree

if backend.backend() == "torch":
    import torch

    torch.set_num_threads(1)
    # With oneDNN, PyTorch 2.6 computes wrong derivatives of some convolutions.
    torch.backends.mkldnn.enabled = False

TOLERANCE = 1e-6
DTYPES = {"float64": "float32", "int64": "int32", "int8": "int32", "int16": "int32"}


def decode(recorded):
    """Returns the array of a recorded tensor; None stays None."""
    if recorded is None:
        return None
    dtype = {"bool": "uint8"}.get(recorded["dtype"], recorded["dtype"])
    array = np.frombuffer(base64.b64decode(recorded["data"]), dtype).reshape(recorded["shape"])
    return array.astype(recorded["dtype"])


def numbers(x):
    return x if isinstance(x, np.ndarray) else np.asarray(backend.convert_to_numpy(x))


def encode(x):
    """Returns a tensor or array as JSON, in the dtypes of the package; None stays None."""
    if x is None:
        return None
    array = numbers(x)
    dtype = DTYPES.get(str(array.dtype), str(array.dtype))
    stored = np.ascontiguousarray(array.astype("uint8" if dtype == "bool" else dtype))
    data = base64.b64encode(stored.tobytes()).decode()
    return {"shape": list(array.shape), "dtype": dtype, "data": data}


def is_tensor(item):
    return isinstance(item, dict) and {"shape", "dtype", "data"} <= item.keys()


def values(item):
    """Returns a recorded value with its tensors as tensors of Keras, in lists and dictionaries."""
    if is_tensor(item):
        return backend.convert_to_tensor(decode(item))
    if isinstance(item, dict):
        return {key: values(value) for key, value in item.items()}
    if isinstance(item, list):
        return [values(value) for value in item]
    return item


def with_mask(recorded, mask):
    """Returns the tensor of a recorded one; the mask is attached to it."""
    x = values(recorded)
    if mask is not None:
        backend.set_keras_mask(x, values(mask))
    return x


def masks_of(result):
    """Returns the masks that are attached to the tensors of a structure."""
    return [encode(backend.get_keras_mask(x)) for x in tree.flatten(result)]


@contextlib.contextmanager
def dropped_masks():
    """Collects the names of the layers that warn of a dropped mask inside the block."""
    names = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield names
    for warning in caught:
        if "does not support masking" in str(warning.message):
            found = re.search(r"Layer '([^']+)'", str(warning.message))
            names.append(found[1] if found else "")


def seeded(text):
    """Returns a generator whose numbers depend on a text, usually the name of the case."""
    return np.random.default_rng(zlib.crc32(text.encode()))


def drawn_mask(kind, shape, rng):
    """Returns a mask by a word: post, pre, holes, allrow (a row without kept steps), ones."""
    mask = np.ones(shape, bool)
    time = shape[1]
    for row in range(shape[0]):
        padding = row % (time - 1) + 1
        if kind == "post":
            mask[row, time - padding :] = False
        elif kind == "pre":
            mask[row, :padding] = False
        elif kind in ("holes", "allrow"):
            mask[row] = rng.random(shape[1:]) < 0.6
    if kind == "allrow":
        mask[0] = False
    return mask


def number_difference(recorded, computed):
    """Returns the largest distance relative to max(1, |recorded|); infinity if one is not finite."""
    same = (recorded == computed) | (np.isnan(recorded) & np.isnan(computed))
    with np.errstate(invalid="ignore"):
        distance = np.abs(recorded - computed) / np.maximum(1, np.abs(recorded))
    distance = np.where(same, 0, np.where(np.isnan(distance), np.inf, distance))
    return float(np.max(distance, initial=0))


def differences(recorded, computed, path=""):
    """Returns the places where two values differ by more than TOLERANCE, each as one line."""
    if is_tensor(recorded) and is_tensor(computed):
        if recorded["shape"] != computed["shape"] or recorded["dtype"] != computed["dtype"]:
            kinds = [f"{x['dtype']}{x['shape']}" for x in (recorded, computed)]
            return [f"{path}: {kinds[0]} was recorded, now {kinds[1]}"]
        pair = [decode(x).astype("float64") for x in (recorded, computed)]
        distance = number_difference(*pair)
        return [f"{path}: the numbers differ by {distance:.2g}"] if distance > TOLERANCE else []
    if isinstance(recorded, dict) and isinstance(computed, dict):
        keys = [*recorded, *(key for key in computed if key not in recorded)]
        return [
            line
            for key in keys
            for line in differences(recorded.get(key), computed.get(key), f"{path}.{key}")
        ]
    if isinstance(recorded, list) and isinstance(computed, list) and len(recorded) == len(computed):
        pairs = enumerate(zip(recorded, computed))
        return [line for i, pair in pairs for line in differences(*pair, f"{path}[{i}]")]
    is_number = [isinstance(x, (int, float)) and not isinstance(x, bool) for x in (recorded, computed)]
    if all(is_number):
        distance = number_difference(np.float64(recorded), np.float64(computed))
        return [f"{path}: {recorded} was recorded, now {computed}"] if distance > TOLERANCE else []
    if recorded == computed:
        return []
    shown = [json.dumps(x)[:80] for x in (recorded, computed)]
    return [f"{path}: {shown[0]} was recorded, now {shown[1]}"]


def merged(recorded, computed):
    """Returns the computed value with the recorded numbers where they agree."""
    if not differences(recorded, computed):
        return recorded
    if isinstance(recorded, dict) and isinstance(computed, dict) and not is_tensor(computed):
        return {key: merged(recorded.get(key), value) for key, value in computed.items()}
    if isinstance(recorded, list) and isinstance(computed, list) and len(recorded) == len(computed):
        return [merged(*pair) for pair in zip(recorded, computed)]
    return computed


def read(path):
    return json.loads(pathlib.Path(path).read_text())


def write(path, content):
    pathlib.Path(path).write_text(json.dumps(content, separators=(",", ":")))


def options(about, **more):
    """Returns the options of a recorder; `more` are the arguments of its own options."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("fixtures", type=pathlib.Path, help="a copy of tests/fixtures")
    parser.add_argument("--check", action="store_true", help="names differences, writes nothing")
    parser.add_argument("--case", help="only cases whose name contains this text")
    for name, settings in more.items():
        parser.add_argument(f"--{name}", **settings)
    return parser.parse_args()


class Report:
    """Counts the cases and names the differences."""

    def __init__(self, chosen):
        self.chosen = chosen
        self.cases = 0
        self.different = 0

    def is_chosen(self, name):
        return self.chosen.case is None or self.chosen.case in name

    def compare(self, title, recorded, computed):
        """Names the differences of a case; returns what its file must contain."""
        self.cases += 1
        found = differences(recorded, computed)
        if found:
            self.different += 1
            print(f"{title}{found[0]}" + (f", and {len(found) - 1} more" if found[1:] else ""))
        return merged(recorded, computed)

    def end(self):
        print(
            f"Keras {keras.__version__} ({backend.backend()}): "
            f"{self.cases - self.different} of {self.cases} cases as recorded"
        )
        sys.exit(1 if self.chosen.check and self.different else 0)
