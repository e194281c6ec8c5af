# SPDX-License-Identifier: MIT
# A stand-in for the part of TensorFlow that Keras's TextVectorization calls, on NumPy arrays. It is
# used where TensorFlow is not installed: Keras's own code reads the files and maps the texts.
import contextlib
import importlib.util
import os
import re
import sys
import types

import numpy as np


class DType(str):
    """The name of a type, with the attributes that Keras reads."""

    name = property(str)
    is_integer = property(lambda self: "int" in self)
    max = property(lambda self: np.iinfo(self).max)


def as_dtype(dtype):
    return DType(getattr(dtype, "name", dtype))


class TensorShape(tuple):
    rank = property(len)

    def as_list(self):
        return list(self)


def array_of(x):
    return np.asarray(getattr(x, "array", x))


def is_text(array):
    return array.dtype.kind in "OSU"


class Tensor:
    def __init__(self, value, dtype=None):
        array = array_of(value)
        if dtype is not None and as_dtype(dtype) != "string":
            array = array.astype(as_dtype(dtype))
        elif is_text(array):
            array = np.vectorize(as_text, otypes=[object])(array)
        self.array = array

    dtype = property(lambda self: DType("string" if is_text(self.array) else self.array.dtype.name))
    shape = property(lambda self: TensorShape(self.array.shape))

    def numpy(self):
        return self.array

    def __array__(self, dtype=None, copy=None):
        return self.array if dtype is None else self.array.astype(dtype)

    def __getitem__(self, index):
        return Tensor(self.array[index])

    def __add__(self, other):
        return Tensor(self.array + array_of(other))

    __radd__ = __add__

    def __eq__(self, other):
        return self.array == array_of(other)

    def __int__(self):
        return int(self.array)

    __index__ = __int__

    __hash__ = None

    def set_shape(self, shape):
        pass


class RaggedTensor:
    """Rows of different lengths."""

    def __init__(self, rows):
        self.rows = rows

    dtype = property(lambda self: self.flat_values.dtype)
    shape = property(lambda self: TensorShape((len(self.rows), None)))

    @property
    def flat_values(self):
        return Tensor(np.concatenate(self.rows) if self.rows else np.array([], object))

    def to_tensor(self, default_value, shape):
        width = shape[-1]
        if width is None:
            width = max(map(len, self.rows), default=0)
        filled = np.full((len(self.rows), width), default_value)
        for filled_row, row in zip(filled, self.rows):
            filled_row[: len(row)] = row[:width]
        return Tensor(filled)


class SparseTensor:
    """Only a name: no text layer of the package is sparse."""


class Variable(Tensor):
    def __init__(self, value, dtype=None, trainable=True):
        super().__init__(value, dtype)

    def value(self):
        return Tensor(self.array)

    def assign(self, value):
        self.array = np.asarray(value).astype(self.array.dtype)


def as_text(text, encoding="utf-8"):
    return text.decode(encoding) if isinstance(text, bytes) else str(text)


def cast(x, dtype):
    return Tensor(x, dtype)


def each_text(function):
    def call(x, *args):
        return Tensor(np.vectorize(lambda text: function(text, *args), otypes=[object])(x.array))

    return call


def ascii_lower(text):
    """TensorFlow's lower() without an encoding changes only the letters A to Z."""
    return re.sub("[A-Z]+", lambda found: found.group().lower(), text)


def regex_replace(text, pattern, rewrite):
    return re.sub(pattern, rewrite, text)


def rows_of(split):
    def call(x, *_):
        return RaggedTensor([np.array(split(text), object) for text in x.array.reshape(-1)])

    return call


def split_words(text):
    """TensorFlow splits at the white space of ASCII."""
    return [word for word in re.split(r"[ \t\n\v\f\r]+", text) if word]


def ngrams(x, ngram_width, separator):
    def row_ngrams(row):
        grams = []
        for width in ngram_width:
            grams += [
                separator.join(row[i : i + width]) for i in range(len(row) - width + 1)
            ]
        return np.array(grams, object)

    rows = x.rows if isinstance(x, RaggedTensor) else list(np.atleast_2d(x.array))
    return RaggedTensor([row_ngrams(row) for row in rows])


class KeyValueTensorInitializer:
    def __init__(self, keys, values, key_dtype=None, value_dtype=None):
        self.pairs = list(zip(array_of(Tensor(keys)).tolist(), array_of(Tensor(values)).tolist()))


class Table:
    """A lookup table. A null initializer of Keras has no pairs."""

    def __init__(self, initializer=None, default_value=None, **_):
        self.pairs = dict(getattr(initializer, "pairs", ()))
        self.default = default_value

    def lookup(self, keys):
        keys = array_of(keys)
        found = [self.pairs.get(key, self.default) for key in keys.reshape(-1).tolist()]
        return Tensor(np.array(found, "int64").reshape(keys.shape))

    def size(self):
        return Tensor(np.int64(len(self.pairs)))

    def export(self):
        return Tensor(np.array(list(self.pairs), object)), Tensor(
            np.array(list(self.pairs.values()), "int64")
        )

    def remove(self, keys):
        self.pairs.clear()


def map_flat_values(function, x):
    values = function(x.flat_values).array
    ends = np.cumsum([len(row) for row in x.rows])[:-1]
    return RaggedTensor(np.split(values, ends))


def bincount(x, weights=None, minlength=0, maxlength=None, axis=-1, binary_output=False, **_):
    """Counts the numbers below `maxlength` in each row."""
    rows = x.rows if isinstance(x, RaggedTensor) else list(np.atleast_2d(x.array))
    counts = np.zeros((len(rows), maxlength), "int64")
    for count, row in zip(counts, rows):
        for index in row[row < maxlength]:
            count[index] = 1 if binary_output else count[index] + 1
    return Tensor(counts if len(x.shape) > 1 else counts[0])


def one_hot(x, depth, dtype, sparse=False):
    """Numbers that are no index give a row of zeros."""
    return Tensor((x.array[..., None] == np.arange(depth)).astype(dtype))


def where(condition, x, y):
    array = np.where(array_of(condition), array_of(x), array_of(y))
    return Tensor(array)


def tail_padding(shape, padded):
    missing = np.maximum(0, padded.array - shape.array)
    return Tensor(np.stack([np.zeros_like(missing), missing], -1)), None


def namespace(name, **members):
    module = types.ModuleType(name)
    vars(module).update(members)
    return module


@contextlib.contextmanager
def nothing(*_):
    yield


def tensorflow():
    return namespace(
        "tensorflow",
        Tensor=Tensor,
        RaggedTensor=RaggedTensor,
        SparseTensor=SparseTensor,
        Variable=Variable,
        DType=DType,
        TensorShape=TensorShape,
        TypeSpec=type("TypeSpec", (), {}),
        string=DType("string"),
        as_dtype=as_dtype,
        cast=cast,
        constant=Tensor,
        convert_to_tensor=Tensor,
        is_tensor=lambda x: isinstance(x, Tensor),
        executing_eagerly=lambda: True,
        init_scope=nothing,
        device=nothing,
        control_dependencies=nothing,
        identity=lambda x: x,
        shape=lambda x: Tensor(np.array(x.array.shape)),
        size=lambda x: Tensor(np.int64(np.size(array_of(x)))),
        range=lambda start, end, dtype: Tensor(np.arange(start, int(end.array)), dtype),
        squeeze=lambda x, axis: Tensor(np.squeeze(x.array, axis)),
        expand_dims=lambda x, axis: Tensor(np.expand_dims(x.array, axis)),
        equal=lambda x, y: Tensor(x.array == array_of(y)),
        where=where,
        concat=lambda parts, axis: Tensor(
            np.concatenate([array_of(part) for part in parts], axis)
        ),
        pad=lambda x, padding: Tensor(np.pad(x.array, padding.array)),
        required_space_to_batch_paddings=tail_padding,
        compat=namespace("compat", as_text=as_text),
        io=namespace("io", gfile=namespace("gfile", join=os.path.join, exists=os.path.exists)),
        math=namespace("math", bincount=bincount),
        multiply=lambda x, y: Tensor(x.array * y.array),
        ragged=namespace("ragged", map_flat_values=map_flat_values),
        random=namespace("random", set_seed=lambda seed: None),
        strings=namespace(
            "strings",
            lower=each_text(ascii_lower),
            regex_replace=each_text(regex_replace),
            split=rows_of(split_words),
            unicode_split=rows_of(list),
            ngrams=ngrams,
        ),
        lookup=namespace(
            "lookup",
            StaticHashTable=Table,
            KeyValueTensorInitializer=KeyValueTensorInitializer,
            experimental=namespace("experimental", MutableHashTable=Table),
        ),
    )


def backend():
    """The part of Keras's backend for TensorFlow that IndexLookup calls."""
    name = "keras.src.backend.tensorflow"
    return namespace(
        name,
        shape=lambda x: x.shape,
        cast=cast,
        core=namespace("core", shape=lambda x: x.shape, cast=cast),
        nn=namespace("nn", one_hot=one_hot),
        numpy=namespace(
            "numpy",
            multiply=lambda x, y: Tensor(x.array * y.array),
            reshape=lambda x, shape: Tensor(x.array.reshape(shape)),
        ),
    )


def install():
    """Makes `import tensorflow` find the stand-in, unless TensorFlow itself is installed.

    Returns whether it stands in. PyTorch looks for TensorFlow when it is imported, so Keras comes
    first.
    """
    if importlib.util.find_spec("tensorflow"):
        return False
    import keras.src.backend

    sys.modules["tensorflow"] = tensorflow()
    sys.modules["keras.src.backend.tensorflow"] = keras.src.backend.tensorflow = backend()
    return True
