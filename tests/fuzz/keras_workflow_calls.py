# SPDX-License-Identifier: MIT
"""Draws workflows of calls: layers as objects, masks, states, and encoders with decoders."""
from keras_workflow_draw import NORM, RECURRENT
from keras_workflow_life import Life

TAKES_MASK = (
    *RECURRENT,
    *("Bidirectional", "RNN", "MaskedMean", "GlobalAveragePooling1D", "TimeDistributed", "Inner"),
    "BatchNormalization",
)
NO_TRAINING = (
    *("MaskedMean", "GlobalAveragePooling1D", "Inner", "Block", "DictBlock", "Mixed"),
    *("Transformer", "Wrapper", "Tower"),
)
CALL_STEPS = {"call": 6, "symbolic": 1.5, "toggle": 1, "weights": 0.5, "losses": 0.3}
STATE_STEPS = {"reset_state": 1, "states": 0.7}


class Calls(Life):
    # Layers as objects

    def plan_eager(self):
        width = self.whole(2, 3)
        self.masking, self.tensors, self.width = self.layer("Masking"), [], width
        for _ in range(self.whole(2, 3)):
            x = self.named("t")
            self.go("tensor", id=x, x=self.rows_of(self.time, width))
            self.tensors += [x, self.call(self.masking, f"${x}")]
        own = [self.built_layer() for _ in range(self.whole(1, 3))]
        for _ in range(self.whole(4, 9)):
            layer = self.pick(*own)
            kind, config = self.config_of(layer)
            states = dict(STATE_STEPS) if config.get("stateful") else {}
            if kind not in RECURRENT:
                states.pop("states", None)
            step = self.weighted({**CALL_STEPS, **states})
            if step == "call":
                self.call_somehow(layer, kind, config)
            elif step == "symbolic":
                self.call_in_graph(layer, kind, config)
            elif step == "toggle":
                self.go("set", on=self.pick(*self.layers), value=self.flip(0.4))
            else:
                self.go(step, on=layer)

    def rows_of(self, time, width, padding=None, rows=None):
        padding = padding or self.pick("post", "holes", "pre")
        shape = [rows or self.rows, time, width]
        return {"kind": "sequence", "shape": shape, "seed": self.seed(), "padding": padding}

    def mask_rows(self):
        shape, padding = [self.rows, self.time], self.pick("post", "holes", "pre")
        return {"kind": "mask", "shape": shape, "seed": self.seed(), "padding": padding}

    def eager_layer(self):
        kind = self.pick(
            *("recurrent", "stateful", "both ways", "cell", "MaskedMean", "average", "by step"),
            *("Inner", "block", "norm", "NormBlock", "Transformer", "Wrapper", "Counter"),
        )
        sequences = {"return_sequences": self.flip()}
        if kind in ("recurrent", "stateful"):
            config = {"stateful": True} if kind == "stateful" else self.recurrent_options()
            return self.layer(self.pick(*RECURRENT), units=3, **sequences, **config)
        if kind in ("both ways", "by step"):
            simple = {"both ways": self.pick(*RECURRENT), "by step": "Dense"}[kind]
            inner = self.layer(simple, units=3, **(sequences if kind == "both ways" else {}))
            wrapper = "Bidirectional" if kind == "both ways" else "TimeDistributed"
            return self.layer(wrapper, layer=f"${inner}")
        if kind == "cell":
            cells = ("PlainCell", "LayerCell", "StartCell", "StartLayerCell", "GRUCell")
            cell = self.layer(self.pick(*cells), units=3)
            return self.layer("RNN", cell=f"${cell}", **sequences, stateful=self.flip(0.3))
        if kind == "block":
            kind = self.pick("Block", "DictBlock", "Mixed", "Tower")
            return self.layer(kind, units=3, masking=self.flip())
        if kind == "Wrapper":
            inner = self.layer("GRU", units=3, return_sequences=True)
            return self.layer("Wrapper", layer=f"${inner}", masking=self.flip())
        others = {
            "MaskedMean": {},
            "Inner": {"units": 3, "by_hand": self.flip(), "masking": self.flip(0.7)},
            "NormBlock": {"units": 3, "explicit": self.flip(), "masking": True},
            "Transformer": {"masking": True},
            "Counter": {"masking": True},
        }
        if kind in others:
            return self.layer(kind, **others[kind])
        return self.layer("GlobalAveragePooling1D") if kind == "average" else self.layer(
            "BatchNormalization", **NORM
        )

    def recurrent_options(self):
        return {
            "return_state": self.flip(0.3),
            "go_backwards": self.flip(0.2),
            "zero_output_for_mask": self.flip(0.2),
        }

    def built_layer(self):
        layer, x = self.eager_layer(), self.named("t")
        step = {"shape": [self.time, self.width], "dtype": "float32", "batch": self.rows}
        self.go("input", id=x, **step)
        is_symbolic = self.flip()
        source = x if is_symbolic else self.pick(*self.tensors)
        flags = {} if is_symbolic else {"shape_only": True}
        self.go("call", id=self.named("t"), on=layer, x=f"${source}", options={}, **flags)
        self.go("fill", on=layer, seed=self.seed())
        if self.config_of(layer)[1].get("stateful"):
            self.go("reset_state", on=layer)
        return layer

    def call_somehow(self, layer, kind, config):
        options, y = {}, self.named("t")
        if kind in TAKES_MASK and self.flip(0.35):
            options["mask"] = self.pick(self.mask_rows(), self.mask_rows(), None)
        if self.flip(0.25) and kind not in NO_TRAINING:
            options["training"] = self.flip()
        if kind in RECURRENT and self.flip(0.3):
            count = 2 if kind == "LSTM" else 1
            options["initial_state"] = [self.floats(3) for _ in range(count)]
        x = self.pick(*self.tensors)
        self.go("call", may_end=True, id=y, on=layer, x=f"${x}", options=options)
        if not config.get("return_state"):
            self.reuse(y)

    def floats(self, width, rows=None):
        return {"kind": "floats", "shape": [rows or self.rows, width], "seed": self.seed()}

    def reuse(self, y):
        """Later calls may use a result of the same shape as the inputs, or what follows from it."""
        shape = (self.rows, self.time, self.width)
        if tuple(self.object(y).shape) == shape:
            self.tensors.append(y)
        if self.flip(0.2):
            self.tensors.append(self.named("t"))
            self.go("op", id=self.tensors[-1], name="half", x=[f"${self.tensors[-2]}"])
        if self.flip(0.25):
            mask = self.pick(self.mask_rows(), None)
            self.tensors.append(self.named("t"))
            self.go("with_mask", id=self.tensors[-1], x=f"${self.tensors[-2]}", mask=mask)

    def call_in_graph(self, layer, kind, config):
        if config.get("stateful") or config.get("return_state"):
            return
        x, model = self.input([self.time, self.width]), self.named("m")
        y = self.call(self.masking, f"${x}") if self.flip(0.6) else x
        options = {"mask": None} if kind in TAKES_MASK and self.flip(0.2) else {}
        z = self.call(layer, f"${y}", **options)
        step = {"inputs": f"${x}", "outputs": f"${z}"}
        self.go("model", id=model, **{"class": "Model"}, **step)
        self.layers.append(model)
        x = self.rows_of(self.time, self.width, "post")
        self.go("predict", on=model, x=x, options={})

    # Masks that ops drop and that the program puts back

    def plan_masks(self):
        """A graph whose masks are dropped and put back; called, fitted and run by hand."""
        ids = self.input([self.time], "int32", "a")
        width = self.whole(2, 4)
        embedding = self.layer("Embedding", input_dim=9, output_dim=width, mask_zero=True)
        x, mask = self.call(embedding, f"${ids}"), self.named("t")
        self.has_private_node = True
        self.go("mask_of", id=mask, x=f"${x}")
        parts = []
        for _ in range(self.whole(1, 3)):
            x, width = self.masked_part(x, mask, width, parts)
        by_step = self.flip()
        if not by_step:
            last, width = self.last(width)
            x = self.call(last, f"${x}")
        head, output = self.head("head0", by_step)
        y, model = self.call(head, f"${x}"), self.named("m")
        if by_step and self.flip():
            y = self.put_back(y, mask)
        self.go("model", id=model, **{"class": "Model"}, inputs=f"${ids}", outputs=f"${y}")
        source = {"name": "a", "kind": "ids", "features": width}
        forms = {"input form": "one", "output form": "one", "class": None, "how": "functional"}
        description = {"inputs": [source], "outputs": [output], "parts": parts, **forms}
        self.add_model(model, {**description, "compiled": None, "is stale": False})
        self.go("fill", on=model, seed=self.seed())
        self.do_apply(model, self.models[model])
        self.life(model, self.whole(3, 6))

    def put_back(self, x, mask):
        y = self.named("t")
        self.go("with_mask", id=y, x=f"${x}", mask=f"${mask}")
        return y

    def masked_part(self, x, mask, width, parts):
        """An op or a layer that drops the mask; the mask again or not; a layer that uses it."""
        y = self.named("t")
        if self.flip():
            self.go("op", id=y, name="half", x=[f"${x}"])
        else:
            dropping = self.layer("Conv1D", filters=width, kernel_size=2, padding="same")
            y = self.call(dropping, f"${x}")
        if self.flip(0.75):
            y = self.put_back(y, mask)
        if self.flip(0.4):
            y = self.call(self.layer("Add"), [f"${x}", f"${y}"])
        kind = self.pick("attention", "self attention", "recurrent", "part")
        if kind == "attention":
            z = self.call(self.layer("Attention"), [f"${y}", f"${y}"])
        elif kind == "self attention":
            z = self.call(self.layer("Transformer", masking=True), f"${y}")
        else:
            layer, result = self.part(width)
            parts.append(layer)
            return self.call(layer, f"${y}"), result
        return z, width

    # Stateful models

    def plan_stateful(self):
        rows, width, x = self.whole(2, 4), self.whole(2, 3), self.named("t")
        shape = [None if self.flip() else self.time, width]
        self.go("input", id=x, shape=shape, dtype="float32", batch=rows)
        own = [self.layer("Masking")] if self.flip() else []
        own += [self.stateful_layer() for _ in range(self.whole(1, 2))]
        own.append(self.layer("Dense", units=2))
        model, names = self.named("m"), [f"${layer}" for layer in own]
        if self.flip():
            self.go("model", id=model, **{"class": "Sequential"}, layers=[f"${x}", *names])
        else:
            y = x
            for layer in own:
                y = self.call(layer, f"${y}")
            step = {"inputs": f"${x}", "outputs": f"${y}"}
            self.go("model", id=model, **{"class": "Model"}, **step)
        self.layers.append(model)
        self.go("fill", on=model, seed=self.seed())
        stateful = [layer for layer in own if self.config_of(layer)[1].get("stateful")]
        for layer in [*stateful, model]:
            self.go("reset_state", on=layer)
        for _ in range(self.whole(4, 9)):
            model = self.stateful_step(model, stateful, rows, width)

    def stateful_layer(self):
        options = {"return_sequences": True, "stateful": True}
        kind = self.pick("recurrent", "recurrent", "both ways", "cells")
        if kind == "recurrent":
            name = self.pick(*RECURRENT)
            return self.layer(name, units=3, **options, go_backwards=self.flip(0.15))
        if kind == "both ways":
            inner = self.layer(self.pick(*RECURRENT), units=3, **options)
            return self.layer("Bidirectional", layer=f"${inner}")
        kinds = (self.pick("LSTMCell", "GRUCell", "PlainCell"), "LayerCell")
        cells = [f"${self.layer(cell, units=3)}" for cell in kinds]
        return self.layer("RNN", cell=cells, **options)

    def stateful_step(self, model, stateful, rows, width):
        frequencies = {"predict": 4, "predict_on_batch": 2, "call": 3, "reset_layer": 1.5}
        others = {"set": 0.5, "reset": 1, "file": 0.4, "weights": 0.3, "states": 0.7}
        kind = self.weighted({**frequencies, **others})
        batches = self.whole(1, 3) if kind == "predict" else 1
        padding = self.pick("post", "none", "holes")
        x = self.rows_of(self.time, width, padding, rows * batches)
        if kind == "predict":
            self.go("predict", may_end=True, on=model, x=x, options={"batch_size": rows})
        elif kind == "predict_on_batch":
            self.go("predict_on_batch", on=model, x=x)
        elif kind == "call":
            options = self.pick({}, {"training": True})
            self.go("call", id=self.named("t"), on=model, x=x, options=options)
        elif kind == "reset_layer":
            if stateful:
                self.go("reset_state", on=self.pick(*stateful))
        elif kind == "reset":
            self.go("reset_state", on=model)
        elif kind == "states":
            readable = [layer for layer in stateful if self.config_of(layer)[0] in RECURRENT]
            if readable:
                self.go("states", on=self.pick(*readable))
        elif kind == "set":
            self.go("set", on=self.pick(model, *stateful), value=self.flip())
        elif kind == "weights":
            self.go("weights", on=model)
        else:
            return self.stateful_file(model)
        return model

    def stateful_file(self, model):
        loaded = self.named("m")
        self.go("file", may_end=True, id=loaded, on=model)
        self.layers.append(loaded)
        self.go("reset_state", on=loaded)
        return loaded
