# SPDX-License-Identifier: MIT
"""Data and models of random Keras programs in source text."""
from keras_port_layers import Layers
from keras_port_text import Raw


class Models(Layers):
    def rows(self, batch, time, vocabulary):
        """Rows of different lengths, as lists."""
        lengths = [self.whole(1, time + 1) for _ in range(batch)]
        return [[self.whole(1, vocabulary - 1) for _ in range(length)] for length in lengths]

    def ids(self, batch, time, vocabulary):
        """Defines padded ids and returns the variable."""
        variable = self.fresh("x", "ids", "inputs_data", "token_ids", "X")
        rows = self.rows(batch, time, vocabulary)
        if self.flip(0.55):
            listed = self.fresh("sequences", "rows", "docs")
            if self.flip(0.3):
                inner = self.unit * (self.depth + 1)
                body = "".join(f"\n{inner}{self.value(row)}," for row in rows)
                self.line(f"{listed} = [{body}\n{self.unit * self.depth}]")
            else:
                self.line(f"{listed} = {self.value(rows)}")
            sides = {**self.some(0.6, padding=self.pick("post", "pre"))}
            sides.update(self.some(0.3, truncating=self.pick("post", "pre")))
            length = {"maxlen": time} if self.flip(0.8) or max(map(len, rows)) < 3 else {}
            where = "preprocessing.sequence" if self.is_tf and self.flip(0.5) else "utils"
            pad = self.name(f"{where}.pad_sequences")
            self.line(f"{variable} = {self.call(pad, [('sequences', Raw(listed))], **sides, **length)}")
            return variable
        side = self.flip(0.7)
        padded = [(row[:time] + [0] * time)[:time] for row in rows]
        padded = padded if side else [row[::-1] for row in padded]
        dtype = self.some(0.4, dtype=self.pick("int32", "int64", Raw(f"{self.np()}.int32")))
        self.line(f"{variable} = {self.call(f'{self.np()}.array', [('', padded)], **dtype)}")
        return variable

    def floats(self, batch, time, features, masked=True):
        """Defines features of steps and returns the variable."""
        variable, np = self.fresh("x", "features", "signal", "data"), self.np()
        count, shape = batch * time * features, (batch, time, features)
        kinds = (
            f"{np}.sin({np}.arange({count}) * {self.pick('0.2', '0.1')})",
            f"{np}.linspace(-1, 1, {count})",
            f"{np}.cos({np}.arange({count}, dtype={self.text('float32')}) / 5)",
            f"{np}.arange({count}) / {self.pick('10', '10.0', '7')}",
        )
        text = self.pick(*kinds)
        text = f"({text})" if "/" in text else text
        if self.flip(0.8):
            sizes = self.pick(", ".join(map(str, shape)), self.value(shape))
            text = f"{text}.reshape({sizes})"
        else:
            text = f"{np}.reshape({text}, {self.value(shape)})"
        if self.flip(0.4):
            text = f"({text}).astype({self.pick(self.text('float32'), f'{np}.float32')})"
        self.line(f"{variable} = {text}")
        if masked and self.flip(0.7):
            self.mask_rows(variable, batch, time)
        return variable

    def mask_rows(self, variable, batch, time):
        """Sets steps of some rows to zero."""
        if self.flip(0.5):
            for row in range(batch):
                if self.flip(0.6):
                    where = self.pick(f"{self.whole(1, time - 1)}:", f":{self.whole(0, time - 1)}")
                    index = self.pick(f"{row}, {where}", f"{row}, {where}, :")
                    self.line(f"{variable}[{index}] = {self.pick('0', '0.0')}")
            return
        rows = [[int(step < self.whole(1, time)) for step in range(time)] for _ in range(batch)]
        kept = self.fresh("kept", "valid")
        self.line(f"{kept} = {self.np()}.array({self.value(rows)})")
        new = self.pick("None", f"{self.np()}.newaxis")
        self.line(f"{variable} = {variable} * {kept}[{self.pick(':, :', '...')}, {new}]")

    def targets(self, batch, kind):
        variable, np = self.fresh("y", "labels", "targets"), self.np()
        if kind == "class":
            text = f"{np}.array({self.value([self.whole(0, 2) for _ in range(batch)])})"
        elif kind == "binary":
            text = f"{np}.array({self.value([self.whole(0, 1) for _ in range(batch)])})"
        else:
            text = f"{np}.linspace(0, 1, {batch})"
        if kind != "class" and self.flip(0.4):
            text += self.pick(".reshape(-1, 1)", f"[:, {np}.newaxis]", "[:, None]")
        self.line(f"{variable} = {text}")
        return variable

    def body(self, words):
        """Some layers over steps, as calls; `words` limits their number."""
        return [
            self.recurrent(True) if self.flip(0.3) else self.over_steps() for _ in range(words)
        ]

    def sequential(self, source, head):
        """Defines a Sequential model and returns the variable."""
        name = self.fresh("model", "model", "net", "classifier")
        first = [self.embedding(source["vocabulary"])] if source["ids"] else []
        if not source["ids"]:
            first = [self.masking()] if self.flip(0.7) else []
        shape = (None,) if source["ids"] else (source["time"], source["features"])
        known = self.flip(0.6) or not first
        dtype = self.some(source["ids"] and 0.4, dtype="int32")
        start = [self.call(self.input(), [], shape=shape, **dtype)] if known else []
        layers = [*start, *first, *self.body(self.whole(0, 3)), self.last(), head]
        if not known and self.flip(0.4):
            layers[0] = self.with_old_size(layers[0], source)
        self.written_sequential(name, layers)
        return name

    def with_old_size(self, layer, source):
        """A first layer with the size of its input, as before Keras 3."""
        shape = Raw(self.value((source["time"], source.get("features"))))
        words = f"input_length={source['time']}" if source["ids"] else f"input_shape={shape}"
        return layer[: layer.rindex(")")].rstrip().rstrip(",") + (
            f"{'' if layer.endswith('()') else ', '}{words})"
        )

    def written_sequential(self, name, layers):
        how = self.weighted({"list": 4, "adds": 3, "loop": 0.7, "named": 0.8})
        made = self.model_class("Sequential")
        inner = self.unit * (self.depth + 1)
        if how == "adds":
            self.line(f"{name} = {made}()")
            for layer in layers:
                self.comment("next layer", "the mask flows through", "TODO: tune")
                self.line(f"{name}.add({layer})")
        elif how == "loop":
            self.line(f"{name} = {made}({self.pick('[]', '')})")
            body = "".join(f"\n{inner}{layer}," for layer in layers)
            listed = self.fresh("stack", "blocks")
            self.line(f"{listed} = [{body}\n{self.unit * self.depth}]")
            with self.block(f"for layer in {listed}:"):
                self.line(f"{name}.add(layer)")
        else:
            comment = "  # comes first" if self.flip(0.2) else ""
            body = f",{comment}\n{inner}".join(layers)
            named = f", name={self.text('small')}" if how == "named" else ""
            end = self.pick(",", "")
            self.line(f"{name} = {made}([\n{inner}{body}{end}\n{self.unit * self.depth}]{named})")

    def inputs_of(self, source, name=None):
        variable = self.fresh("inputs", "inp", "x_in", "sequence")
        if source["ids"]:
            shape = self.pick((None,), (source["time"],))
            settings = {"dtype": self.pick("int32", "int64")}
        else:
            shape, settings = (self.pick(None, source["time"]), source["features"]), {}
        settings.update({"name": name} if name else {})
        self.line(f"{variable} = {self.call(self.input(), [], shape=shape, **settings)}")
        return variable

    def functional(self, source, head, name="model"):
        """Defines a functional model of one input and returns the variable."""
        given = self.inputs_of(source)
        x = self.fresh("x", "h", "z")
        first = self.embedding(source["vocabulary"]) if source["ids"] else self.masking()
        self.line(f"{x} = {first}({given})")
        for layer in self.body(self.whole(0, 2)):
            self.line(f"{x} = {layer}({x})")
        self.branch(x)
        output = self.fresh("outputs", "out", "prediction")
        self.line(f"{x} = {self.last()}({x})")
        if self.flip(0.25):
            self.line(f"{x} = {self.arithmetic(x)}")
        self.line(f"{output} = {head}({x})")
        model = self.fresh(name, "net") if name == "model" else name
        words = [("inputs", Raw(given)), ("outputs", Raw(output))]
        named = self.some(0.2, name=self.fresh("tagger", "encoder_model"))
        self.line(f"{model} = {self.call(self.model_class('Model'), words, **named)}")
        return model

    def arithmetic(self, x):
        mean = f"{self.op('mean')}({x}, {self.pick('axis=-1', '-1')}, keepdims=True)"
        return self.pick(
            f"{x} * {self.pick('2', '0.5')} + {self.pick('1', '0.1')}",
            f"({x} + {x}) / 2",
            f"-{x}",
            f"1.0 - {x}",
            f"{x} ** 2",
            f"{self.op('tanh')}({x})",
            f"{x} - {mean}",
            f"{self.op('concatenate')}([{x}, {x}], axis=-1)",
            f"{self.op('relu')}({x} - 0.1) + {x}",
            f"{self.op('maximum')}({x}, 0) / 3",
        )

    def branch(self, x):
        """Perhaps a branch that merges again: a residual, two directions, attention."""
        kind = self.weighted({"none": 3, "residual": 1, "merge": 1.2, "attention": 1, "heads": 0.8})
        if kind == "residual":
            y = self.fresh("residual", "skip")
            self.line(f"{y} = {self.call(self.layer('Dense'), [('units', 3)], **self.start())}({x})")
            self.line(f"{x} = {self.call(self.layer('Dense'), [('units', 3)], **self.start())}({x})")
            add = self.pick(f"{x} + {y}", f"{self.call(self.layer('Add'))}([{x}, {y}])")
            self.line(f"{x} = {self.pick(add, self.layer('add') + f'([{x}, {y}])')}")
        elif kind == "merge":
            a, b = self.fresh("forward", "left"), self.fresh("backward", "right")
            self.line(f"{a} = {self.recurrent(True, 2, go_backwards=False)}({x})")
            self.line(f"{b} = {self.recurrent(True, 2, go_backwards=False)}({x})")
            name = self.pick("Concatenate", "Multiply", "Average", "Maximum", "Subtract", "Add")
            settings = self.some(0.5, axis=-1) if name == "Concatenate" else {}
            self.line(f"{x} = {self.call(self.layer(name), [], **settings)}([{a}, {b}])")
        elif kind == "attention":
            name = self.pick("Attention", "AdditiveAttention")
            # The scale of AdditiveAttention starts at random.
            settings = self.some(1 if self.fixed_start else 0.3, use_scale=False)
            self.line(f"{x} = {self.call(self.layer(name), [], **settings)}([{x}, {x}])")
        elif kind == "heads" and not self.is_trained:
            heads = self.call(
                self.layer("MultiHeadAttention"),
                [("num_heads", self.whole(1, 2)), ("key_dim", 2)],
                **self.start(),
            )
            y = self.fresh("attended", "context")
            causal = self.pick("", "", ", use_causal_mask=True")
            self.line(f"{y} = {heads}({x}, {x}{causal})")
            norm = self.call(self.layer("LayerNormalization"))
            self.line(f"{x} = {norm}({x} + {y})")

    def two_inputs(self, source):
        """Two inputs in a list or a dictionary, with a shared layer or one each."""
        other = {**source, "ids": True, "vocabulary": 9}
        a = self.inputs_of(source, name="first")
        b = self.inputs_of(other, name="second")
        first = self.embedding(source["vocabulary"]) if source["ids"] else self.masking()
        encoders = [self.recurrent(False, 3) for _ in range(2)]
        self.line(f"{a}_h = {first}({a})")
        self.line(f"{b}_h = {self.embedding(9)}({b})")
        self.line(f"{a}_h = {encoders[0]}({a}_h)")
        self.line(f"{b}_h = {encoders[1]}({b}_h)")
        merge = self.pick(
            f"{self.call(self.layer('Concatenate'))}([{a}_h, {b}_h])",
            f"{self.layer('concatenate')}([{a}_h, {b}_h], axis=-1)",
            f"{a}_h * {b}_h",
            f"{self.call(self.layer('Dot'), [], axes=1)}([{a}_h, {b}_h])",
            f"{self.op('concatenate')}([{a}_h, {b}_h], axis=1)",
        )
        self.line(f"merged = {merge}")
        self.line(f"score = {self.head('binary')}(merged)")
        inputs = self.pick(f"[{a}, {b}]", f"{{{self.text('first')}: {a}, {self.text('second')}: {b}}}")
        outputs = self.pick("score", "score", f"{{{self.text('score')}: score, {self.text('code')}: merged}}", "[score, merged]")
        words = [("inputs", Raw(inputs)), ("outputs", Raw(outputs))]
        self.line(f"model = {self.call(self.model_class('Model'), words)}")
        return "model", inputs.startswith("{"), outputs

    def seq2seq(self, vocabulary):
        """An encoder whose states start a decoder."""
        kind = self.pick("LSTM", "GRU")
        units = self.units()
        shape = (None,)
        self.line(f"encoder_inputs = {self.call(self.input(), [], shape=shape, dtype='int32')}")
        self.line(f"encoded = {self.embedding(vocabulary, True)}(encoder_inputs)")
        more = {"return_state": True, "go_backwards": False}
        encoder = self.recurrent(False, Raw(units), kind, **more)
        if kind == "LSTM":
            self.line(f"encoder_outputs, state_h, state_c = {encoder}(encoded)")
            self.line("encoder_states = [state_h, state_c]")
        else:
            self.line(f"_, encoder_states = {encoder}(encoded)")
        self.line(f"decoder_inputs = {self.call(self.input(), [], shape=shape, dtype='int32')}")
        self.line(f"decoded = {self.embedding(vocabulary)}(decoder_inputs)")
        decoder = self.recurrent(True, Raw(units), kind, return_sequences=True, go_backwards=False)
        states = self.pick("encoder_states", "encoder_states")
        self.line(f"decoded = {decoder}(decoded, initial_state={states})")
        dense = self.call(self.layer("Dense"), [("units", 3)], activation="softmax", **self.start())
        wrapped = self.call(self.layer("TimeDistributed"), [("layer", Raw(dense))])
        self.line(f"decoder_outputs = {self.pick(dense, wrapped)}(decoded)")
        words = [("inputs", Raw("[encoder_inputs, decoder_inputs]")), ("outputs", Raw("decoder_outputs"))]
        self.line(f"model = {self.call(self.model_class('Model'), words)}")
        return "model"
