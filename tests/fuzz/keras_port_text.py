# SPDX-License-Identifier: MIT
"""Source text of random Keras programs: how they import names, write calls, and indent."""
import contextlib

from keras_random import Choices

# Names of Keras's ops in TensorFlow.
TF_OPS = {
    **{"mean": "reduce_mean", "sum": "reduce_sum", "max": "reduce_max", "min": "reduce_min"},
    **{"concatenate": "concat", "convert_to_tensor": "constant", "any": "reduce_any"},
    **{"softmax": "nn.softmax", "relu": "nn.relu", "sigmoid": "nn.sigmoid", "all": "reduce_all"},
    **{"log": "math.log", "matmul": "matmul", "power": "pow", "cumsum": "cumsum"},
}
# Ops that were functions of keras.backend before Keras 3.
BACKEND_OPS = (
    *("mean", "sum", "max", "min", "exp", "abs", "square", "sqrt", "concatenate", "expand_dims"),
    *("squeeze", "cast", "softmax", "relu", "sigmoid", "tanh", "maximum", "minimum", "stack"),
    *("zeros_like", "ones_like", "not_equal", "equal", "cumsum", "argmax"),
)
MODULES = {
    "layers": ("L", "KL", "kl"),
    "models": ("M",),
    "optimizers": ("opt",),
    "losses": ("L_fn",),
    "metrics": ("km",),
    "callbacks": ("cb",),
    "initializers": ("init",),
    "regularizers": ("reg",),
    "utils": ("ku",),
    "ops": ("K", "F"),
    "activations": ("act",),
}


class Text(Choices):
    """Lines of one program. `name('layers.LSTM')` returns how this program calls that name."""

    def __init__(self, rng):
        super().__init__(rng)
        self.lines, self.depth, self.imports, self.direct = [], 0, {}, {}
        self.is_tf = self.flip(0.5)
        self.package = "tensorflow.keras" if self.is_tf else "keras"
        self.root_kind = self.pick("tf", "tf", "from") if self.is_tf else "plain"
        self.access, self.aliases = {}, {}
        for module in MODULES:
            self.access[module] = self.pick("root", "module", "module", "alias", "direct", "direct")
        if self.access["ops"] == "direct":
            self.access["ops"] = "module"
        self.uses_tf_ops = self.is_tf and self.flip(0.75)
        self.uses_backend = self.is_tf and self.flip(0.15)
        self.quote = self.pick('"', '"', "'")
        self.unit = self.pick("    ", "    ", "    ", "  ", "\t")
        self.names = {}

    def fresh(self, *stems):
        """A variable name that the program does not use yet."""
        stem = self.pick(*stems)
        count = self.names.get(stem, 0)
        self.names[stem] = count + 1
        return stem if count == 0 else f"{stem}{count + 1}"

    def line(self, text=""):
        self.lines.append((self.unit * self.depth + text) if text else "")
        if self.depth == 0 and self.flip(0.08):
            self.lines.append("")

    def comment(self, *texts):
        if self.flip(0.3):
            self.line(f"# {self.pick(*texts)}")

    @contextlib.contextmanager
    def block(self, head):
        self.line(head)
        self.depth += 1
        yield
        self.depth -= 1

    def root(self):
        if self.root_kind == "tf":
            self.need("import tensorflow as tf")
            return "tf.keras"
        if self.root_kind == "from":
            self.need("from tensorflow import keras")
            return "keras"
        self.need("import keras")
        return "keras"

    def need(self, text):
        self.imports[text] = True

    def np(self):
        self.need("import numpy as np")
        return "np"

    def name(self, path):
        module, _, name = path.rpartition(".")
        if module == "ops" and self.uses_backend and name in BACKEND_OPS:
            self.need("from tensorflow.keras import backend as K")
            self.access["ops"] = "module"
            return f"K.{name}"
        if module == "ops" and self.uses_tf_ops:
            self.need("import tensorflow as tf")
            return f"tf.{TF_OPS.get(name, name)}"
        access = self.access.setdefault(module, self.pick("root", "direct")) if module else "top"
        if access == "top" or access == "root":
            return f"{self.root()}.{path}"
        if access == "direct":
            self.direct.setdefault(f"{self.package}.{module}", {})[name] = True
            return name
        if access == "alias":
            alias = self.aliases.setdefault(module, self.pick(*MODULES[module]))
            self.need(f"from {self.package} import {module} as {alias}")
            return f"{alias}.{name}"
        self.need(f"from {self.package} import {module}")
        return f"{module}.{name}"

    def layer(self, name):
        return self.name(f"layers.{name}")

    def op(self, name):
        return self.name(f"ops.{name}")

    def model_class(self, name):
        """Model and Sequential are names of keras and of keras.models."""
        kept = self.names.setdefault(f" {name}", self.pick("models.", ""))
        return self.name(f"{kept}{name}")

    def input(self):
        """Input is a name of keras and of keras.layers."""
        kept = self.names.setdefault(" Input", self.pick("layers.", ""))
        return self.name(f"{kept}Input")

    def text(self, value):
        return f"{self.quote}{value}{self.quote}"

    def value(self, value):
        if isinstance(value, Raw):
            return str(value)
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, (list, tuple)):
            items = ", ".join(self.value(item) for item in value)
            if isinstance(value, tuple):
                return f"({items},)" if len(value) == 1 else f"({items})"
            return f"[{items}]"
        if isinstance(value, float) and value in (0.001, 0.01, 0.05) and self.flip(0.2):
            return f"{value:.0e}".replace("e-0", "e-")
        return repr(value)

    def call(self, function, positional=(), **keywords):
        """A call, in which `positional` is a list of (name, value): some are written by keyword."""
        words, by_name = [], []
        for name, value in positional:
            if by_name or (name and self.flip(0.2)):
                by_name.append((name, value))
            else:
                words.append(self.value(value))
        by_name += keywords.items()
        if len(by_name) > 1 and self.flip(0.3):
            self.rng.shuffle(by_name)
        equals = self.pick("=", "=", "=", "=", " = ") if len(by_name) == 1 else "="
        words += [f"{name}{equals}{self.value(value)}" for name, value in by_name]
        return self.joined(function, words)

    def joined(self, function, words):
        if len(words) > 1 and self.flip(0.12):
            inner = self.unit * (self.depth + 1)
            body = f",\n{inner}".join(words)
            comma = self.pick(",", "", ",")
            return f"{function}(\n{inner}{body}{comma}\n{self.unit * self.depth})"
        if words and self.flip(0.03):
            return f"{function}({', '.join(words)},)"
        return f"{function}({', '.join(words)})"

    def prose(self):
        """Rarely, hundreds of statements between comments, as notebooks have them."""
        if not self.flip(0.02):
            return []
        group = ["# A paragraph of the notebook,", "# which explains the next line.", "step = 1", ""]
        return group[self.whole(0, 1) :] * self.whole(100, 600)

    def source(self):
        """The whole program with its imports."""
        head = list(self.imports)
        for module, names in self.direct.items():
            words = list(names)
            if len(words) > 3 and self.flip(0.4):
                body = "".join(f"\n    {word}," for word in words)
                head.append(f"from {module} import ({body}\n)")
            elif len(words) > 1 and self.flip(0.3):
                head += [f"from {module} import {word}" for word in words]
            else:
                head.append(f"from {module} import {', '.join(words)}")
        self.rng.shuffle(head)
        if self.flip(0.3):
            head.insert(0, self.pick('"""A small model of sequences."""', "# -*- coding: utf-8 -*-"))
        text = "\n".join([*head, "", *self.prose(), *self.lines, ""])
        return text.replace("\n", "\r\n") if self.flip(0.03) else text


class Raw(str):
    """Source text in place of a value."""
