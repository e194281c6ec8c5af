# SPDX-License-Identifier: MIT
"""Plans of random Keras programs in source text: what a whole program is about."""
from keras_port_text import Raw
from keras_port_work import Work

PLANS = {
    **{"sequential": 4, "functional": 3.5, "two inputs": 1.5, "seq2seq": 1, "subclass": 2.5},
    **{"forms": 2, "layers": 2.5, "cells": 1, "masks": 2, "tensors": 2, "builder": 1.5, "parts": 1},
    **{"tape": 0.6, "plain": 1, "numpy": 1.2, "tokenizer": 0.6},
}


class Program(Work):
    def draw(self):
        """Writes a program and returns its plan."""
        plan = self.weighted(PLANS)
        self.is_trained = self.flip(0.35) or plan == "tape"
        self.fixed_start = self.flip(0.15)
        self.batch, self.time = self.whole(1, 4), self.whole(2, 5)
        self.kind = self.pick("value", "class", "binary")
        self.is_fresh_class = plan in ("subclass", "layers", "cells", "tape", "tokenizer")
        if self.flip(0.1) and plan not in ("masks", "tensors", "plain"):
            with self.block("def main():"):
                getattr(self, f"plan_{plan.replace(' ', '_')}")()
                self.line(f"return [{', '.join(self.results)}]")
            self.line("")
            with self.block(f"if __name__ == {self.text('__main__')}:"):
                self.line("results = main()")
        else:
            getattr(self, f"plan_{plan.replace(' ', '_')}")()
            if self.flip(0.1):
                self.plain()
        return plan

    def source_of_data(self):
        if self.flip(0.55):
            return {"ids": True, "vocabulary": self.whole(6, 20), "time": self.time}
        return {"ids": False, "features": self.whole(1, 3), "time": self.time}

    def data(self, source):
        if source["ids"]:
            return self.ids(self.batch, self.time, source["vocabulary"])
        return self.floats(self.batch, self.time, source["features"])

    def go_on(self, model, x, is_built=True):
        """Uses a model, or trains it."""
        if self.is_trained:
            if not is_built:
                self.line(f"{model}.predict({x}, verbose=0)")
            self.start_values(model)
            y = self.targets(self.batch, self.kind)
            self.train(model, x, y, self.kind)
        else:
            self.use(model, x, is_built)
        if self.flip(0.06) and not self.is_fresh_class:
            self.saved(model, x)

    def saved(self, model, x):
        """Saves a model and loads it."""
        path = self.text(self.pick("model.keras", "my_model.keras"))
        self.line(f"{model}.save({path})")
        self.line(f"loaded = {self.name('models.load_model')}({path})")
        self.result(f"loaded.predict({x}, verbose=0)")

    def plan_sequential(self):
        source = self.source_of_data()
        x = self.data(source)
        model = self.sequential(source, self.head(self.kind))
        self.go_on(model, x, is_built=False)

    def plan_functional(self):
        source = self.source_of_data()
        x = self.data(source)
        model = self.functional(source, self.head(self.kind))
        self.go_on(model, x)

    def plan_two_inputs(self):
        source = self.source_of_data()
        a = self.data(source)
        b = self.ids(self.batch, self.time, 9)
        model, is_named, outputs = self.two_inputs(source)
        self.start_values(model)
        data = f"[{a}, {b}]"
        if is_named:
            data = f"{{{self.text('first')}: {a}, {self.text('second')}: {b}}}"
        if outputs == "score" and self.is_trained:
            y = self.targets(self.batch, "binary")
            return self.train(model, data, y, "binary")
        self.line(f"answer = {model}.predict({data}, verbose=0)")
        if outputs == "score":
            self.result("answer")
            self.result(f"{model}({data})")
        elif outputs.startswith("{"):
            self.result(f"answer[{self.text('score')}]")
            self.result("sorted(answer)" if self.flip() else "list(answer.keys())")
        else:
            self.result("answer[0]")
            self.result("len(answer)")

    def plan_seq2seq(self):
        a = self.ids(self.batch, self.time, 12)
        b = self.ids(self.batch, self.time, 12)
        model = self.seq2seq(12)
        self.start_values(model)
        self.result(f"{model}.predict([{a}, {b}], verbose=0)")
        if self.flip():
            self.line("encoder_model = " + self.call(
                self.model_class("Model"), [("inputs", Raw("encoder_inputs")), ("outputs", Raw("encoder_states"))]
            ))
            self.line(f"states = encoder_model.predict({a}, verbose=0)")
            self.result("states")

    def plan_subclass(self):
        source = self.source_of_data()
        made = self.model_subclass(source, self.head(self.kind))
        x = self.data(source)
        model = self.fresh("model", "net")
        self.line(f"{model} = {made}")
        self.go_on(model, x, is_built=False)

    def plan_layers(self):
        """A Sequential or functional model with custom layers."""
        source = self.source_of_data()
        made = [self.pick(self.scaled, self.block_layer)() for _ in range(self.whole(0, 2))]
        dense = self.call(self.layer("Dense"), [("units", getattr(self, "block_width", 3))], **self.start())
        pool = self.masked_mean() if not made or self.flip() else self.last()
        x = self.data(source)
        first = self.embedding(source["vocabulary"]) if source["ids"] else self.masking()
        layers = [first, dense, *made, pool, self.head(self.kind)]
        if self.flip():
            model = self.fresh("model", "net")
            self.written_sequential(model, layers)
            return self.go_on(model, x, is_built=False)
        given = self.inputs_of(source)
        self.line(f"x = {layers[0]}({given})")
        for layer in layers[1:-1]:
            self.line(f"x = {layer}(x)")
        self.line(f"model = {self.call(self.model_class('Model'), [('inputs', Raw(given)), ('outputs', Raw(layers[-1] + '(x)'))])}")
        self.go_on("model", x)

    def plan_cells(self):
        source = self.source_of_data()
        cell = self.cell_class() if self.flip(0.7) else None
        x = self.data(source)
        first = self.embedding(source["vocabulary"]) if source["ids"] else self.masking()
        rnn = self.stacked_cells(False)
        if cell:
            rnn = self.call(self.layer("RNN"), [("cell", Raw(cell))], **self.some(0.3, return_sequences=False))
        model = self.fresh("model", "net")
        self.written_sequential(model, [first, rnn, self.head(self.kind)])
        self.go_on(model, x, is_built=False)

    def plan_masks(self):
        """Where a mask goes: compute_mask, _keras_mask, layers called with a mask."""
        vocabulary = 12
        x = self.ids(self.batch, self.time, vocabulary)
        layer = self.fresh("embedding", "embed")
        self.line(f"{layer} = {self.embedding(vocabulary, True)}")
        shown = self.fresh("embedded", "e")
        self.line(f"{shown} = {layer}({self.pick(x, self.op('convert_to_tensor') + f'({x})')})")
        if not self.fixed_start:
            self.line(f"# start values: {layer}")
            self.line(f"{shown} = {layer}({x})")
        mask = self.fresh("mask")
        ways = (f"{shown}._keras_mask", f"{layer}.compute_mask({x})", f"getattr({shown}, {self.text('_keras_mask')})")
        plain = (f"{self.op('not_equal')}({x}, 0)", f"{x} != 0")
        self.line(f"{mask} = {self.pick(*ways, *ways, *plain)}")
        self.result(mask)
        rnn = self.fresh("lstm", "layer")
        self.line(f"{rnn} = {self.recurrent(self.flip())}")
        call = f"{rnn}({shown}{self.pick('', f', mask={mask}')})"
        self.line(call)
        self.line(f"# start values: {rnn}")
        self.result(call)
        if self.flip():
            new = self.pick("None", f"{self.np()}.newaxis")
            kept = self.mask_text(mask, shown)
            self.result(f"{self.op('sum')}({shown} * {kept}, axis=1)")
        if self.flip():
            self.result(f"{self.call(self.layer('GlobalAveragePooling1D'))}({shown}, mask={mask})")
        if self.flip(0.4):
            self.result(f"{self.call(self.layer('Dense'), [('units', 2)], kernel_initializer='ones')}({shown})._keras_mask")

    def plan_tensors(self):
        """Operators, slices and ops on tensors."""
        x = self.floats(self.batch, self.time, self.whole(2, 3), masked=False)
        self.line(f"t = {self.op('convert_to_tensor')}({x}, dtype={self.text('float32')})")
        op = self.op
        forms = (
            "t[:, -1]", "t[:, 0, :]", "t[0]", "t[..., 0]", "t[:, 1:]", "t[:, :-1]", "t[..., None]",
            "t[:, None, :, :]", "t[:, ::2]", "t[-1, -1]", "t[:1, :, :1]", "t + 1", "2 * t - t / 3",
            "t ** 2", "-t", "(t > 0)", "t >= 0.1", "t * t", "1 / (t + 3)", "t[0] @ " + op("transpose") + "(t[0])",
            f"{op('matmul')}(t, {op('transpose')}(t, {'[0, 2, 1]' if self.uses_tf_ops else self.pick('(0, 2, 1)', 'axes=(0, 2, 1)')}))",
            f"{op('sum')}(t)", f"{op('sum')}(t, axis=1)", f"{op('mean')}(t, axis=(1, 2))", f"{op('max')}(t, axis=-1, keepdims=True)",
            f"{op('concatenate')}([t, t * 2], axis=1)", f"{op('stack')}([t, t], axis=0)", f"{op('expand_dims')}(t, axis=1)",
            f"{op('reshape')}(t, (-1, t.shape[-1]))", f"{op('reshape')}(t, [t.shape[0], -1])", f"{op('where')}(t > 0, t, {op('zeros_like')}(t))",
            f"{op('softmax')}(t, axis=1)", f"{op('exp')}(-t)", f"{op('sqrt')}({op('abs')}(t))", f"{op('cast')}(t > 0, {self.text('int32')})",
            f"{op('maximum')}(t, 0.0)", f"{op('minimum')}(t, 0.5) + {op('square')}(t)", f"{op('argmax')}(t, axis=-1)",
            f"t.shape", "len(t.shape)", f"{op('cumsum')}(t, axis=1)", f"{op('equal')}(t, t)", f"{op('ones')}((2, 3)) * 2",
            f"{op('zeros')}([2, 2])", f"{op('squeeze')}(t[:, :1], axis=1)", f"{op('tanh')}(t) + {op('sigmoid')}(t)", f"{op('relu')}(t)",
            f"float({op('sum')}(t))", "t[0, 0]", f"{op('logical_and')}(t > 0, t < 0.5)", f"{op('range') if self.uses_tf_ops else op('arange')}(4)",
            f"[{op('sum')}(t[:, i]) for i in range(t.shape[1])]", f"{op('tile')}(t[:1], [2, 1, 1])",
        )
        for _ in range(self.whole(2, 6)):
            self.result(self.pick(*forms))

    def plan_builder(self):
        """A function that builds the model."""
        source = self.source_of_data()
        name = self.fresh("build_model", "create_model", "make_model", "get_model")
        head = self.head(self.kind)
        self.line("")
        arguments = self.pick("units=3", "units: int = 3", "units=3, depth=1", "hidden, depth=2")
        with self.block(f"def {name}({arguments}):"):
            self.docstring("Builds the model.", "Returns a model.")
            size = "hidden" if "hidden" in arguments else "units"
            first = self.embedding(source["vocabulary"]) if source["ids"] else self.masking()
            middle = self.recurrent(True, Raw(size))
            deep = "depth" in arguments
            if self.flip():
                self.line(f"model = {self.model_class('Sequential')}()")
                self.line(f"model.add({first})")
                if deep:
                    with self.block("for _ in range(depth):"):
                        self.line(f"model.add({middle})")
                else:
                    self.line(f"model.add({middle})")
                self.line(f"model.add({self.last()})")
                self.line(f"model.add({head})")
                self.line("return model")
                is_built = False
            else:
                given = self.inputs_of(source)
                self.line(f"x = {first}({given})")
                if deep:
                    with self.block(f"for {self.pick('i', '_')} in range(depth):"):
                        self.line(f"x = {middle}(x)")
                self.line(f"x = {self.last()}(x)")
                words = [("inputs", Raw(given)), ("outputs", Raw(f"{head}(x)"))]
                self.line(f"return {self.call(self.model_class('Model'), words)}")
                is_built = True
        self.line("")
        x = self.data(source)
        call = self.pick("hidden=2", "2", "3, depth=1") if "hidden" in arguments else self.pick("", "units=2", "4")
        self.line(f"model = {name}({call})")
        self.go_on("model", x, is_built)

    def plan_parts(self):
        """A model, and a second one of some of its layers."""
        source = self.source_of_data()
        x = self.data(source)
        given = self.inputs_of(source)
        first = self.embedding(source["vocabulary"]) if source["ids"] else self.masking()
        self.line(f"h = {first}({given})")
        named = {"return_sequences": True, "name": "features"}
        self.line(f"h = {self.recurrent(True, **named)}(h)")
        self.line(f"pooled = {self.last()}(h)")
        words = [("inputs", Raw(given)), ("outputs", Raw(f"{self.head(self.kind)}(pooled)"))]
        self.line(f"model = {self.call(self.model_class('Model'), words)}")
        self.start_values("model")
        feature = self.text("features")
        way = self.pick("h", f"model.get_layer({feature}).output", "model.layers[2].output", "pooled")
        words = [("inputs", Raw(self.pick("model.input", "model.inputs", given))), ("outputs", Raw(way))]
        self.line(f"extractor = {self.call(self.model_class('Model'), words)}")
        self.result(f"extractor.predict({x}, verbose=0)")
        self.result(f"model.predict({x}, verbose=0)")
        self.result(self.pick("model.output_shape", f"model.get_layer({feature}).units", "[layer.name for layer in model.layers][2]", "extractor.output_shape", "len(extractor.layers)"))
        if self.flip():
            self.line(f"model.get_layer({feature}).trainable = False")
            self.result("len(model.trainable_weights)")

    def plan_forms(self):
        """Forms of calls: loops with f-strings as names, dictionaries of settings, helpers."""
        source = self.source_of_data()
        x = self.data(source)
        given = self.inputs_of(source)
        first = self.embedding(source["vocabulary"]) if source["ids"] else self.masking()
        self.line(f"h = {first}({given})")
        for _ in range(self.whole(1, 2)):
            getattr(self, f"form_{self.pick('loop', 'settings', 'helper', 'list', 'condition')}")()
        self.line(f"h = {self.last()}(h)")
        words = [("inputs", Raw(given)), ("outputs", Raw(f"{self.head(self.kind)}(h)"))]
        self.line(f"model = {self.call(self.model_class('Model'), words)}")
        self.go_on("model", x)

    def form_loop(self):
        name, sizes = self.fresh("lstm", "rnn"), [self.units() for _ in range(self.whole(1, 3))]
        way = self.pick(f"i, units in enumerate({self.value(sizes)})", f"i in range({len(sizes)})")
        text = self.quote
        label = Raw(f"f{text}{name}_{{i}}{text}")
        units = Raw("units") if "units" in way else self.pick(2, Raw("i + 1"), Raw("2 * i + 1"))
        with self.block(f"for {way}:"):
            self.line(f"h = {self.recurrent(True, units, name=label)}(h)")

    def form_settings(self):
        name = self.fresh("config", "settings", "params")
        values = {"units": self.units(), "return_sequences": True, **self.some(0.5, use_bias=False)}
        if self.flip():
            pairs = ", ".join(f"{self.text(key)}: {value!r}" for key, value in values.items())
            self.line(f"{name} = {{{pairs}}}")
        else:
            self.line(f"{name} = {self.call('dict', [], **values)}")
        kind = self.layer(self.pick("LSTM", "GRU", "SimpleRNN"))
        more = "".join(f", {key}={self.value(value)}" for key, value in self.recurrent_start().items())
        self.line(f"h = {kind}(**{name}{more})(h)")

    def form_helper(self):
        name = self.fresh("dense_block", "add_layer", "block")
        more = self.pick("**kwargs", "activation=None")
        with self.block(f"def {name}(x, units, {more}):"):
            self.docstring("Adds a layer.")
            words = "**kwargs" if more == "**kwargs" else "activation=activation"
            start = "".join(f", {key}={self.value(value)}" for key, value in self.start().items())
            self.line(f"return {self.layer('Dense')}(units, {words}{start})(x)")
        self.line("")
        word = self.text(self.pick("relu", "tanh"))
        self.line(f"h = {name}(h, {self.units()}, activation={word})")
        self.line(f"h = {name}({self.pick('h, 2', 'x=h, units=3', 'units=2, x=h', 'h, units=2')})")

    def form_list(self):
        name = self.fresh("stack", "layer_list")
        sizes = self.value([self.units() for _ in range(self.whole(1, 3))])
        made = self.call(self.layer("Dense"), [("units", Raw("n"))], activation="tanh", **self.start())
        self.line(f"{name} = [{made} for n in {sizes}]")
        with self.block(f"for layer in {self.pick(name, name, f'reversed({name})', f'{name}[::-1]')}:"):
            self.line("h = layer(h)")

    def form_condition(self):
        name = self.fresh("bidirectional", "use_gru", "deep")
        self.line(f"{name} = {self.pick('True', 'False')}")
        if self.flip():
            with self.block(f"if {self.pick(name, f'not {name}', f'{name} is True')}:"):
                self.line(f"h = {self.bidirectional(True)}(h)")
            with self.block("else:"):
                self.line(f"h = {self.recurrent(True)}(h)")
        else:
            one, two = self.layer("GRU"), self.layer("LSTM")
            self.line(f"cell = {one} if {name} else {two}")
            words = {"return_sequences": True, **self.recurrent_start()}
            self.line(f"h = {self.call('cell', [('units', 2)], **words)}(h)")

    def plan_tape(self):
        """A model with a train_step of its own, or a loop with GradientTape."""
        self.is_tf, self.package, self.root_kind = True, "tensorflow.keras", "tf"
        source = self.source_of_data()
        x = self.data(source)
        y = self.targets(self.batch, "value")
        name = self.fresh("CustomModel", "Trainer")
        self.need("import tensorflow as tf")
        in_class = self.flip(0.6)
        if in_class:
            with self.block(f"class {name}(tf.keras.Model):"):
                with self.block("def train_step(self, data):"):
                    self.line("x, y = data")
                    with self.block("with tf.GradientTape() as tape:"):
                        self.line("y_pred = self(x, training=True)")
                        self.line(self.pick("loss = self.compute_loss(y=y, y_pred=y_pred)", "loss = self.compute_loss(x, y, y_pred)"))
                    self.line("gradients = tape.gradient(loss, self.trainable_variables)")
                    self.line("self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))")
                    with self.block("for metric in self.metrics:"):
                        with self.block("if metric.name == 'loss':"):
                            self.line("metric.update_state(loss)")
                        with self.block("else:"):
                            self.line("metric.update_state(y, y_pred)")
                    self.line("return {m.name: m.result() for m in self.metrics}")
            self.line("")
        given = self.inputs_of(source)
        first = self.embedding(source["vocabulary"]) if source["ids"] else self.masking()
        self.line(f"h = {first}({given})")
        self.line(f"h = {self.recurrent(False)}(h)")
        made = name if in_class else "tf.keras.Model"
        self.line(f"model = {made}({given}, {self.head('value')}(h))")
        self.start_values("model")
        if in_class:
            self.line("model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss='mse')")
            self.line(f"history = model.fit({x}, {y}, epochs=2, shuffle=False, verbose=0)")
            self.result("history.history['loss']")
        else:
            self.line("optimizer = tf.keras.optimizers.SGD(learning_rate=0.05)")
            self.line("loss_fn = tf.keras.losses.MeanSquaredError()")
            self.line("losses = []")
            with self.block("for epoch in range(2):"):
                with self.block("with tf.GradientTape() as tape:"):
                    self.line(f"prediction = model({x}, training=True)")
                    self.line(f"loss = loss_fn({y}, prediction)")
                self.line("grads = tape.gradient(loss, model.trainable_variables)")
                self.line("optimizer.apply_gradients(zip(grads, model.trainable_variables))")
                self.line("losses.append(float(loss))")
            self.result("losses")
        self.result(f"model.predict({x}, verbose=0)")

    def plan_plain(self):
        self.plain()
        self.plain()

    def plan_numpy(self):
        """NumPy on small data."""
        np = self.np()
        x = self.floats(self.batch, self.time, 2)
        forms = (
            f"{x}[:, 0]", f"{x}.shape", f"{x}.mean(axis=0)", f"{x}.std()", f"{np}.concatenate([{x}, {x}], axis=1)",
            f"{np}.zeros((2, 3))", f"{np}.ones(4)", f"{np}.arange(2, 10, 3)", f"{np}.array([1, 2, 3]) * 2", f"{x}.T.shape",
            f"{np}.expand_dims({x}, 0).shape", f"{x}[..., {np}.newaxis].shape", f"{np}.argmax({x}, axis=1)", f"{np}.stack([{x}, {x}])",
            f"{np}.sum({x} > 0)", f"{np}.clip({x}, 0, 0.5)", f"{np}.squeeze({x}[:1])", f"{np}.maximum({x}, 0)", f"{np}.round({x}, 1)",
            f"{np}.dot({np}.ones(3), {np}.arange(3))", f"{np}.vstack([[1, 2], [3, 4]])", f"{np}.transpose({x}, (0, 2, 1))", f"{np}.unique([3, 1, 3])",
            f"{x}.tolist()[0]", f"{np}.eye(3)[[0, 2]]" if self.flip(0.3) else f"{np}.eye(3)", f"{x}.reshape(-1).max()", f"{np}.linspace(0, 1, 5)",
            f"{np}.any({x} != 0, axis=-1)", f"{np}.full((2, 2), 7)", f"{np}.exp({x}[0, 0])", f"{np}.sqrt(16)", f"len({x})", f"{x}.ndim", f"{x}.size",
            f"{np}.allclose({x}, {x})", f"{np}.array([[1, 2], [3, 4]]).flatten()", f"{np}.repeat([1, 2], 2)", f"{np}.mean([1, 2, 3])", f"{np}.array([len(r) for r in {x}])",
        )
        for _ in range(self.whole(2, 5)):
            self.result(self.pick(*forms))
        if self.flip():
            self.line(f"windows = []")
            with self.block("for i in range(3):"):
                self.line(f"windows.append({np}.arange(i, i + 3))")
            self.result(self.pick(f"{np}.array(windows)", f"{np}.stack(windows)", f"{np}.array(windows).reshape((3, 3, 1))"))

    def plan_tokenizer(self):
        """Keras's older Tokenizer, padding and a model."""
        self.is_tf, self.package, self.root_kind = True, "tensorflow.keras", "tf"
        self.need("from tensorflow.keras.preprocessing.text import Tokenizer")
        self.need("from tensorflow.keras.preprocessing.sequence import pad_sequences")
        words = ("the film was good", "a bad film", "Good, good!", "not the best", "it was fine")
        texts = [self.pick(*words) for _ in range(self.batch)]
        self.line(f"texts = {self.value(texts)}")
        settings = {**self.some(0.5, num_words=self.whole(5, 12)), **self.some(0.4, oov_token="<OOV>")}
        self.line(f"tokenizer = {self.call('Tokenizer', [], **settings)}")
        self.line("tokenizer.fit_on_texts(texts)")
        self.line("sequences = tokenizer.texts_to_sequences(texts)")
        self.line(f"padded = {self.call('pad_sequences', [('sequences', Raw('sequences'))], maxlen=self.time, **self.some(0.5, padding='post'))}")
        self.result("sequences")
        self.result("padded")
        self.line("size = len(tokenizer.word_index) + 1")
        self.result("size")
        start = {"embeddings_initializer": "ones"} if self.fixed_start else {}
        sizes = [("input_dim", Raw("size")), ("output_dim", 3)]
        embedding = self.call(self.layer("Embedding"), sizes, mask_zero=True, **start)
        self.written_sequential("model", [embedding, self.last(), self.head(self.kind)])
        self.go_on("model", "padded", is_built=False)
