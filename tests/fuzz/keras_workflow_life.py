# SPDX-License-Identifier: MIT
"""Draws what happens to a model after it was built: any step of training, freezing, saving,
copying, editing and looking inside, in any order."""
import keras
from keras import layers
from keras_workflow_fit import Fit

STEPS = {
    **{"toggle": 4, "toggle_inner": 3, "compile": 1, "compile_rest": 1.2, "fit": 3.5},
    **{"train_on_batch": 2, "test_on_batch": 1, "evaluate": 2, "predict_rows": 2},
    **{"predict_on_batch": 0.5, "apply": 2, "fill": 0.7, "file": 1.2, "weights_file": 0.4},
    **{"save": 1, "clone": 0.8, "from_config": 0.7, "cut": 0.7, "losses": 0.5, "metrics": 0.5},
    **{"reset_metrics": 0.3, "share": 0.8, "probe": 0.5, "count": 0.3, "edit": 1.5},
    **{"one_optimizer": 0.4, "copy_layer": 0.5, "read": 0.4},
}
# Steps that Keras would restore otherwise than they were, if the model has a frozen custom layer.
COPIES = ("file", "weights_file", "save", "clone", "from_config")
# Where the layers inside of a layer are.
INSIDE = {
    "Bidirectional": [["forward_layer"], ["backward_layer"]],
    "TimeDistributed": [["layer"]],
    "Wrapper": [["layer"]],
    "Block": [["first"], ["second"]],
    "ListBlock": [["parts", 0], ["parts", 2]],
    "DictBlock": [["parts", "a"], ["parts", "b"]],
    "Tower": [["floors", "up", 0], ["floors", "down", 0]],
    "NormBlock": [["norm"], ["dense"]],
    "Mixed": [["dense"]],
    "Twice": [["a"], ["b"]],
    "Inner": [["rnn"]],
    "HalfFrozen": [["kept"], ["dense"]],
}
# Weights and settings of layers, as users read them.
READABLE = {
    "Dense": ("kernel", "units", "use_bias"),
    "Embedding": ("embeddings", "output_dim", "mask_zero"),
    "GRU": ("units", "return_sequences"),
    "LSTM": ("units", "go_backwards"),
    "BatchNormalization": ("gamma", "moving_mean"),
}


class Life(Fit):
    def life(self, name, count):
        for _ in range(count):
            kind = self.weighted(STEPS)
            if kind in COPIES and self.is_lost(name):
                continue
            name = getattr(self, f"do_{kind}")(name, self.models[name]) or name

    def seed(self):
        return self.whole(1, 99)

    def do_toggle(self, name, model):
        self.toggle(self.pick(name, *self.layers))

    def do_toggle_inner(self, name, model):
        """Freezes a layer of a model, of a model in it, or inside of a layer."""
        if model["how"] == "subclass" and self.flip(0.8):
            return
        inner = self.one_inside(name)
        if inner:
            self.toggle(inner)

    def one_inside(self, name):
        count = len(self.object(name).layers)
        inner, index = self.named("l"), self.whole(-count, count - 1)
        self.go("get", id=inner, on=name, index=index)
        self.layers.append(inner)
        for _ in range(2):
            found = self.object(inner)
            if isinstance(found, keras.Model) and found.layers and self.flip(0.6):
                step = {"index": self.whole(0, len(found.layers) - 1)}
            elif type(found).__name__ in INSIDE and self.flip(0.7):
                step = {"path": self.pick(*INSIDE[type(found).__name__])}
            elif isinstance(found, layers.RNN) and type(found) is layers.RNN and self.flip(0.7):
                is_stack = isinstance(found.cell, layers.StackedRNNCells)
                step = {"path": ["cell", "cells", 0] if is_stack else ["cell"]}
            else:
                break
            outer, inner = inner, self.named("l")
            self.go("get", id=inner, on=outer, **step)
            self.layers.append(inner)
        return inner

    def do_compile(self, name, model):
        self.compile(name)

    def do_compile_rest(self, name, model):
        self.compile(name, keeps_loss=True)

    def do_fit(self, name, model):
        self.fit(name)

    def do_train_on_batch(self, name, model):
        self.batch(name, "train_on_batch")

    def do_test_on_batch(self, name, model):
        self.batch(name, "test_on_batch")

    def do_evaluate(self, name, model):
        self.batch(name, "evaluate")

    def do_predict_rows(self, name, model):
        x = self.x_of(model, self.seed(), self.whole(1, 7))
        options = {"batch_size": self.pick(1, 2, 3, 32)}
        callbacks = [{"kind": "events"}] if self.flip(0.15) else []
        step = {"x": x, "options": options, "callbacks": callbacks}
        self.go("predict", may_end=True, on=name, **step)

    def do_predict_on_batch(self, name, model):
        self.go("predict_on_batch", may_end=True, on=name, x=self.x_of(model, self.seed()))

    def do_apply(self, name, model):
        options = self.pick({}, {"training": True}, {"training": False})
        x = self.x_as_built(model, self.seed())
        self.go("call", id=self.named("t"), on=name, x=x, options=options)
        if self.flip(0.3):
            self.go("losses", on=name)

    def do_fill(self, name, model):
        self.go("fill", on=name, seed=self.seed())

    # Files and copies

    def do_file(self, name, model):
        if self.has_private_node:
            return None
        loaded = self.named("m")
        self.go("file", may_end=True, id=loaded, on=name)
        self.derived(loaded, model)
        return self.pick(loaded, loaded, loaded, name)

    def do_weights_file(self, name, model):
        if model["how"] == "subclass" or self.has_private_node:
            return
        copy = self.named("m")
        self.go("clone", may_end=True, id=copy, on=name)
        self.derived(copy, model)
        self.go("weights_file", may_end=True, on=name, to=copy)

    def do_save(self, name, model):
        if self.has_private_node:
            return
        step = {"x": self.x_as_built(model, self.seed())}
        if model["compiled"] and not model["is stale"] and model["compiled"].get("optimizer"):
            step["y"] = self.y_of(model, self.seed())
        self.go("save", may_end=True, on=name, **step)

    def save_last(self):
        """Saves the model that was made last, compiled for the next epoch."""
        name = list(self.models)[-1]
        if not self.is_lost(name):
            self.ready(name)
            self.do_save(name, self.models[name])

    def do_clone(self, name, model):
        return self.copied(name, model, "clone")

    def do_from_config(self, name, model):
        return self.copied(name, model, "from_config")

    def copied(self, name, model, do):
        if model["how"] in ("subclass", "deferred") or self.has_private_node:
            return None
        copy = self.named("m")
        self.go(do, may_end=True, id=copy, on=name)
        # A clone of a compiled model is compiled; a model from a config is not.
        keeps = do == "clone" and not model["is stale"]
        self.derived(copy, model, **({} if keeps else {"compiled": None}))
        self.go("fill", on=copy, seed=self.seed())
        return self.pick(copy, name)

    def do_cut(self, name, model):
        ends = self.object(name).layers
        numbers = [i for i, end in enumerate(ends) if not isinstance(end, layers.InputLayer)]
        if model["how"] == "subclass" or len(model["inputs"]) > 1 or not numbers:
            return
        part, index = self.named("m"), self.pick(*numbers)
        if self.flip(0.4):
            end = self.named("l")
            self.go("get", id=end, on=name, index=index)
            self.layers.append(end)
        self.go("cut", may_end=True, id=part, on=name, index=index)
        self.layers.append(part)
        x = self.x_of(model, self.seed(), form="one")
        self.go("predict", may_end=True, on=part, x=x, options={})

    def do_copy_layer(self, name, model):
        own = [one for one in self.known_parts(model) if one.startswith("l")]
        if not own:
            return
        layer, copy = self.pick(*own), self.named("l")
        if self.is_lost(layer):
            return
        self.go("from_config", may_end=True, id=copy, on=layer)
        width = self.features[layer][0]
        x = self.input([self.time, width])
        self.call(copy, f"${x}")
        self.go("fill", on=copy, seed=self.seed())
        self.go("call", id=self.named("t"), on=copy, x=self.sequence_data(width), options={})

    # Losses, metrics, weights

    def do_losses(self, name, model):
        self.go("losses", on=name)

    def do_metrics(self, name, model):
        if model["compiled"]:
            self.go("metrics", may_end=True, on=name)

    def do_reset_metrics(self, name, model):
        if model["compiled"]:
            self.go("reset_metrics", on=name)

    def do_count(self, name, model):
        self.go("count", on=name)

    def do_read(self, name, model):
        found = [
            (layer, READABLE[type(self.object(layer)).__name__])
            for layer in self.layers
            if type(self.object(layer)).__name__ in READABLE and self.object(layer).built
        ]
        if found:
            layer, names = found[self.whole(0, len(found) - 1)]
            self.go("read", on=layer, name=self.pick(*names))

    # Layers of a model elsewhere

    def known_parts(self, model):
        return [part for part in model["parts"] if part in self.features]

    def sequence_data(self, features):
        shape = [2, self.time, features]
        return {"kind": "sequence", "shape": shape, "seed": self.seed(), "padding": "none"}

    def do_share(self, name, model):
        """A model of a layer of this one, and a head of its own."""
        parts = self.known_parts(model)
        if not parts:
            return None
        part, other = self.pick(*parts), self.named("m")
        x = self.input([self.time, self.features[part][0]], name="a")
        head, output = self.head("head0", True)
        y = self.call(head, f"${self.call(part, f'${x}')}")
        step = {"inputs": f"${x}", "outputs": f"${y}"}
        self.go("model", id=other, **{"class": "Model"}, **step)
        source = {"name": "a", "kind": "floats", "features": self.features[part][0]}
        description = {"inputs": [source], "outputs": [output], "how": "functional", "parts": []}
        forms = {"input form": "one", "output form": "one", "class": None}
        self.add_model(other, {**description, **forms, "compiled": None, "is stale": False})
        self.go("fill", on=head, seed=self.seed())
        return self.pick(other, name)

    def do_probe(self, name, model):
        """Calls a layer of a model by itself."""
        parts = self.known_parts(model)
        if not parts:
            return
        part, options = self.pick(*parts), self.pick({}, {"training": True}, {"training": False})
        features = self.features[part][0]
        step = {"x": self.sequence_data(features), "options": options}
        self.go("call", may_end=True, id=self.named("t"), on=part, **step)
        if self.flip(0.4):
            self.go("losses", on=part)
        if self.flip(0.4):
            self.go("shape", may_end=True, on=part, shape=[None, self.time, features])

    # Changes of a model

    def do_edit(self, name, model):
        """Replaces the last layer of a Sequential, or adds one."""
        if model["how"] not in ("sequential", "deferred", "adds") or model.get("is loaded"):
            return
        if len(self.object(name).layers) > 1 and self.flip(0.6):
            self.go("pop", may_end=True, on=name)
        head, output = self.head(f"edit{self.made}", model["outputs"][0]["by step"])
        self.go("add", may_end=True, on=name, x=f"${head}")
        self.go("fill", may_end=True, on=head, seed=self.seed())
        model["outputs"], model["compiled"] = [output], None

    def do_one_optimizer(self, name, model):
        """One optimizer for two calls of compile."""
        if not model["compiled"] or model["compiled"].get("loss") is None:
            return
        optimizer = self.named("o")
        self.go("optimizer", id=optimizer, config=self.optimizer())
        for _ in range(2):
            config = {**model["compiled"], "optimizer": f"${optimizer}"}
            self.go("compile", may_end=True, on=name, config=config)
            model["is stale"] = False
            step = {"x": self.x_of(model, 5), "y": self.y_of(model, 5)}
            self.go("train_on_batch", may_end=True, on=name, **step)
            if self.flip():
                self.toggle(self.pick(*self.layers))
