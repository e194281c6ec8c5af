# SPDX-License-Identifier: MIT
"""A recurrent cell that runs a random program: each instruction computes a value from the input,
the states and earlier values, some with sublayers or weights of the cell."""
import keras
from keras import layers, ops


def sublayer(kind, units, activation=None):
    if kind == "dense":
        return layers.Dense(units, activation=activation)
    if kind == "norm":
        return layers.LayerNormalization(epsilon=0.01)
    if kind == "pair":
        return keras.Sequential([layers.Dense(units, activation="tanh"), layers.Dense(units)])
    return layers.GRUCell(units) if kind == "gru" else layers.LSTMCell(units)


@keras.saving.register_keras_serializable(package="Cells")
class ProgramCell(layers.Layer):
    def __init__(self, program, **config):
        super().__init__(**config)
        self.program = program
        sizes = [tuple(size) if isinstance(size, list) else size for size in program["states"]]
        self.state_size = sizes[0] if program["is_one"] else sizes
        if program["has_output_size"]:
            self.output_size = program["output"]
        parts = [sublayer(**each) for each in program["parts"]]
        place = program["place"]
        if place == "list":
            self.parts = parts
        elif place == "dictionary":
            self.parts = {f"k{i}": part for i, part in enumerate(parts)}
        else:
            for i, part in enumerate(parts):
                setattr(self, f"p{i}", part)

    def part(self, i):
        place = self.program["place"]
        if place == "list":
            return self.parts[i]
        return self.parts[f"k{i}"] if place == "dictionary" else getattr(self, f"p{i}")

    def build(self, shape):
        for i, size in enumerate(self.program["weights"]):
            weight = self.add_weight(name=f"w{i}", shape=size, initializer="ones")
            setattr(self, f"w{i}", weight)
        if self.program["builds"]:
            for i, width in enumerate(self.program["widths"]):
                self.part(i).build((shape[0], width))

    def call(self, x, states, training=None):
        values = [x]
        for size, state in zip(self.program["states"], states):
            is_matrix = isinstance(size, list)
            values.append(ops.reshape(state, (-1, size[0] * size[1])) if is_matrix else state)
        for instruction in self.program["instructions"]:
            values.append(self.run(values, training, **instruction))
        following = []
        for size, i in zip(self.program["states"], self.program["next"]):
            is_matrix = isinstance(size, list)
            following.append(ops.reshape(values[i], (-1, *size)) if is_matrix else values[i])
        return values[self.program["result"]], following

    def run(self, values, training, do, args, part=None):
        a, *more = [values[i] for i in args]
        if do == "layer":
            return self.part(part)(a)
        if do == "cell":
            kind = self.program["parts"][part]["kind"]
            states = [more[0]] if kind == "gru" else [more[0], more[0]]
            return self.part(part)(a, states)[0]
        if do == "matmul":
            return ops.matmul(a, getattr(self, f"w{part}"))
        if do == "scale":
            return a * getattr(self, f"w{part}")
        if do == "concatenate":
            return ops.concatenate([a, *more], axis=-1)
        if do == "gate":
            z = ops.sigmoid(a)
            return z * more[0] + (1.0 - z) * more[1]
        if do == "first":
            return a[:, :1]
        if do == "training":
            return a * 1.5 if training else a
        return getattr(ops, do)(a, *more)

    def get_initial_state(self, batch_size=None):
        start = self.program["start"]
        sizes = self.program["states"]
        shapes = [(batch_size, *(size if isinstance(size, list) else [size])) for size in sizes]
        return [ops.full(shape, start or 0.0) for shape in shapes]

    def get_config(self):
        return {**super().get_config(), "program": self.program}
