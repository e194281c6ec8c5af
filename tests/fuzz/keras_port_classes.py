# SPDX-License-Identifier: MIT
"""Classes of random Keras programs in source text: layers, models, cells, losses, callbacks."""
from keras_port_models import Models
from keras_port_text import Raw


class Classes(Models):
    def base(self, name):
        """The name of a base class, which is in keras and in keras.layers or keras.models."""
        if name == "Layer":
            return self.layer("Layer")
        return self.model_class(name)

    def constructor(self, name, arguments=""):
        """The head of __init__ and the call of the base class."""
        old = self.flip(0.3)
        first = f"self, {arguments}" if arguments else "self"
        hint = self.pick("", "", " -> None") if arguments else ""
        self.init_head = f"def __init__({first}, **kwargs){hint}:"
        return f"super({name}, self).__init__(**kwargs)" if old else "super().__init__(**kwargs)"

    def docstring(self, *texts):
        if self.flip(0.25):
            self.line(f'"""{self.pick(*texts)}"""')

    def mask_text(self, mask, x):
        """Writes how a mask becomes weights of the features; returns its name."""
        new = f"{mask}[..., {self.pick('None', f'{self.np()}.newaxis')}]"
        if self.uses_tf_ops:
            new = self.pick(f"{mask}[..., tf.newaxis]", new)
            cast = self.pick(f"{self.op('cast')}({mask}, tf.float32)", f"tf.cast({mask}, {x}.dtype)")
        else:
            cast = f"{self.op('cast')}({mask}, {self.pick(self.text('float32'), f'{x}.dtype')})"
        kept = self.fresh("weights", "keep", "m")
        if self.flip(0.5):
            self.line(f"{kept} = {cast.replace(mask, new, 1)}")
        else:
            self.line(f"{kept} = {cast}")
            expand = f"{self.op('expand_dims')}({kept}, {self.pick('-1', 'axis=-1')})"
            self.line(f"{kept} = {self.pick(expand, f'{kept}[:, :, None]')}")
        return kept

    def masked_mean(self):
        """A layer that returns the mean of the kept steps, or another pooling."""
        name = self.fresh("MaskedMean", "MeanPool", "Pooling")
        self.line("")
        with self.block(f"class {name}({self.base('Layer')}):"):
            self.docstring("Averages the steps that the mask keeps.", "Mean over time.")
            if self.flip(0.6):
                start = self.constructor(name)
                with self.block(self.init_head):
                    self.line(start)
                    self.line("self.supports_masking = True")
                self.line("")
            with self.block("def call(self, x, mask=None):"):
                if self.flip(0.7):
                    with self.block("if mask is None:"):
                        axis = self.pick("axis=1", "1")
                        self.line(f"return {self.op('mean')}(x, {axis})")
                    kept = self.mask_text("mask", "x")
                else:
                    with self.block("if mask is not None:"):
                        kept = self.mask_text("mask", "x")
                    with self.block("else:"):
                        self.line(f"{kept} = {self.op('ones_like')}(x[:, :, :1])")
                total = f"{self.op('sum')}(x * {kept}, axis=1)"
                count = f"{self.op('sum')}({kept}, axis=1)"
                safe = f"{self.op('maximum')}({count}, 1.0)"
                self.line(f"return {total} / {self.pick(safe, f'({count} + 1e-6)')}")
            with_none = self.flip(0.7)
            if with_none:
                self.line("")
                with self.block("def compute_mask(self, inputs, mask=None):"):
                    self.line("return None")
        self.line("")
        return f"{name}()"

    def scaled(self):
        """A layer over steps with weights of its own."""
        name = self.fresh("Scale", "Affine", "Gate")
        factor = self.pick(1.0, 0.5, 2.0)
        self.line("")
        with self.block(f"class {name}({self.base('Layer')}):"):
            start = self.constructor(name, f"factor={factor}")
            with self.block(self.init_head):
                self.line(start)
                self.line("self.factor = factor")
                self.line("self.supports_masking = True")
            self.line("")
            with self.block("def build(self, input_shape):"):
                shape = self.pick("(input_shape[-1],)", "(int(input_shape[-1]),)")
                ones = self.pick("ones", Raw(self.call(self.name("initializers.Constant"), [("value", 0.7)])))
                words = {"name": "scale", "shape": Raw(shape), "initializer": ones}
                self.line(f"self.scale = {self.call('self.add_weight', [], **words, trainable=True)}")
                if self.flip(0.4):
                    bias = {"shape": Raw("(input_shape[-1],)"), "initializer": "zeros", "name": "shift"}
                    self.line(f"self.shift = {self.call('self.add_weight', [], **bias)}")
                    has_shift = True
                else:
                    has_shift = False
                if self.flip(0.3):
                    self.line("super().build(input_shape)")
            self.line("")
            with self.block(f"def call(self, {self.pick('inputs', 'x')}):".replace("x)", "inputs)")):
                more = " + self.shift" if has_shift else ""
                self.line(f"return inputs * self.scale * self.factor{more}")
            self.line("")
            if self.flip(0.5):
                with self.block("def get_config(self):"):
                    if self.flip():
                        self.line("config = super().get_config()")
                        self.line("config.update({'factor': self.factor})")
                        self.line("return config")
                    else:
                        self.line("return {**super().get_config(), 'factor': self.factor}")
        self.line("")
        return self.pick(f"{name}()", f"{name}(factor=1.5)", f"{name}(0.25)")

    def block_layer(self):
        """A layer over steps that holds layers: a residual block or a transformer block."""
        name = self.fresh("Block", "EncoderBlock", "ResidualBlock")
        width = self.whole(2, 3)
        self.block_width = width
        with_heads = self.flip(0.6)
        self.line("")
        with self.block(f"class {name}({self.base('Layer')}):"):
            start = self.constructor(name, f"units, rate={self.pick('0.0', '0.1') if not self.is_trained else '0.0'}")
            with self.block(self.init_head):
                self.line(start)
                self.line("self.supports_masking = True")
                if with_heads:
                    heads = [("num_heads", 2), ("key_dim", Raw("units"))]
                    self.line(f"self.att = {self.call(self.layer('MultiHeadAttention'), heads, **self.start())}")
                one = self.call(self.layer("Dense"), [("units", Raw("units * 2"))], activation="relu", **self.start())
                two = self.call(self.layer("Dense"), [("units", Raw("units"))], **self.start())
                if self.flip(0.5):
                    self.line(f"self.ffn = {self.model_class('Sequential')}([{one}, {two}])")
                    feed = "self.ffn({})"
                else:
                    self.line(f"self.dense1 = {one}")
                    self.line(f"self.dense2 = {two}")
                    feed = "self.dense2(self.dense1({}))"
                self.line(f"self.norm = {self.call(self.layer('LayerNormalization'), [], epsilon=1e-6)}")
                self.line(f"self.drop = {self.call(self.layer('Dropout'), [('rate', Raw('rate'))])}")
            self.line("")
            training = self.pick("training=None", "training=False", "training=None, mask=None")
            with self.block(f"def call(self, x, {training}):"):
                if with_heads:
                    self.line("a = self.att(x, x)")
                    self.line("x = self.norm(x + self.drop(a, training=training))")
                self.line(f"h = {feed.format('x')}")
                self.line("h = self.drop(h, training=training)")
                result = self.pick("return x + h", "return self.norm(x + h)")
                self.line(result if with_heads else "return self.norm(h)")
        self.line("")
        return f"{name}({width})"

    def model_subclass(self, source, head):
        """A subclassed model with mask and training; returns its constructor's call."""
        name = self.fresh("Classifier", "Tagger", "Net", "MyModel")
        use_mask = source["ids"] and self.flip(0.6)
        pool = self.masked_mean() if self.flip(0.4) else None
        self.line("")
        with self.block(f"class {name}({self.base('Model')}):"):
            start = self.constructor(name, "units=3")
            with self.block(self.init_head):
                self.line(start)
                first = self.embedding(source["vocabulary"], True) if source["ids"] else self.masking()
                self.line(f"self.first = {first}")
                self.line(f"self.rnn = {self.recurrent(True, Raw('units'))}")
                self.line(f"self.pool = {pool or self.last()}")
                count = self.whole(0, 2)
                if count:
                    dense = self.call(self.layer("Dense"), [("units", Raw("units"))], activation="tanh", **self.start())
                    self.line(f"self.hidden = [{dense} for _ in range({count})]")
                self.line(f"self.head = {head}")
            self.line("")
            explicit = use_mask and self.flip(0.6)
            training = self.pick("", ", training=None", ", training=False")
            argument = self.pick("inputs", "x")
            with self.block(f"def call(self, {argument}{training}):"):
                if explicit:
                    ask = self.pick(
                        f"mask = self.first.compute_mask({argument})",
                        f"mask = {self.op('not_equal')}({argument}, 0)",
                    )
                    self.line(ask)
                self.line(f"x = self.first({argument})")
                mask = ", mask=mask" if explicit else ""
                pass_on = ", training=training" if training and self.flip() else ""
                self.line(f"x = self.rnn(x{mask}{pass_on})")
                self.line(f"x = self.pool(x{mask if explicit and pool else ''})")
                if count:
                    with self.block("for layer in self.hidden:"):
                        self.line("x = layer(x)")
                self.line("return self.head(x)")
        self.line("")
        return f"{name}({self.pick('', 'units=2', '4')})"

    def cell_class(self):
        """A recurrent cell; returns its constructor's call."""
        name = self.fresh("MinimalCell", "Cell", "MyCell")
        self.line("")
        with self.block(f"class {name}({self.base('Layer')}):"):
            start = self.constructor(name, "units")
            with self.block(self.init_head):
                self.line(start)
                self.line("self.units = units")
                self.line("self.state_size = units")
                self.line("self.output_size = units")
            self.line("")
            with self.block("def build(self, input_shape):"):
                one = {"shape": Raw("(input_shape[-1], self.units)"), "initializer": "ones", "name": "kernel"}
                two = {"shape": Raw("(self.units, self.units)"), "initializer": "ones", "name": "recurrent"}
                self.line(f"self.kernel = {self.call('self.add_weight', [], **one)}")
                self.line(f"self.recurrent = {self.call('self.add_weight', [], **two)}")
            self.line("")
            with self.block("def call(self, inputs, states):"):
                self.line(f"previous = {self.pick('states[0]', 'states[0]')}")
                matmul = self.op("matmul")
                h = self.pick(f"{matmul}(inputs, self.kernel)", "inputs @ self.kernel")
                self.line(f"h = {h}")
                self.line(f"output = {self.op('tanh')}(h + {matmul}(previous, self.recurrent) * 0.1)")
                self.line(self.pick("return output, [output]", "return (output, [output])"))
        self.line("")
        return f"{name}({self.whole(1, 3)})"

    def loss(self, kind):
        """A loss: its name, an object, a function or a class."""
        words = {
            "value": ("mse", "mean_squared_error", "mae", "mean_absolute_error"),
            "class": ("sparse_categorical_crossentropy",) * 2,
            "binary": ("binary_crossentropy",) * 2,
        }
        objects = {
            "value": ("MeanSquaredError", "Huber", "LogCosh"),
            "class": ("SparseCategoricalCrossentropy",),
            "binary": ("BinaryCrossentropy",),
        }
        how = self.weighted({"word": 3, "object": 2, "function": 0.8, "class": 0.4, "lambda": 0.3})
        if how == "object":
            return Raw(f"{self.name('losses.' + self.pick(*objects[kind]))}()")
        if kind != "value" or how == "word":
            return self.pick(*words[kind])
        square, mean = self.op("square"), self.op("mean")
        if how == "lambda":
            return Raw(f"lambda y_true, y_pred: {mean}({square}(y_true - y_pred), axis=-1)")
        if how == "function":
            name = self.fresh("custom_loss", "my_loss")
            with self.block(f"def {name}(y_true, y_pred):"):
                self.line("difference = y_true - y_pred")
                self.line(f"return {mean}({square}(difference), axis=-1) * {self.pick('0.5', '2')}")
        else:
            name = self.fresh("WeightedLoss", "MyLoss")
            with self.block(f"class {name}({self.name('losses.Loss')}):"):
                with self.block("def call(self, y_true, y_pred):"):
                    self.line(f"return {mean}({square}(y_pred - y_true), axis=-1)")
            self.line("")
            return Raw(f"{name}()")
        self.line("")
        return Raw(name)

    def callback(self):
        """A callback and perhaps its class; returns its expression."""
        kind = self.weighted({"stop": 2, "plateau": 1, "class": 2, "lambda": 1, "schedule": 1})
        if kind == "stop":
            words = {"monitor": "loss", "patience": self.whole(0, 2), **self.some(0.4, restore_best_weights=True)}
            return self.call(self.name("callbacks.EarlyStopping"), [], **words, **self.some(0.2, min_delta=0.01))
        if kind == "plateau":
            words = {"monitor": "loss", "factor": 0.5, "patience": 0, **self.some(0.4, min_lr=0.001)}
            return self.call(self.name("callbacks.ReduceLROnPlateau"), [], **words)
        if kind == "schedule":
            body = self.pick("lr * 0.5", "lr if epoch < 1 else lr * 0.1", "0.01 / (epoch + 1)")
            words = [("schedule", Raw(f"lambda epoch, lr: {body}"))]
            return self.call(self.name("callbacks.LearningRateScheduler"), words)
        if kind == "lambda":
            self.line("seen = []")
            words = {"on_epoch_end": Raw("lambda epoch, logs: seen.append(epoch)")}
            self.extra_results.append(self.pick("seen", "len(seen)"))
            return self.call(self.name("callbacks.LambdaCallback"), [], **words)
        name = self.fresh("LossHistory", "Recorder")
        self.line("")
        with self.block(f"class {name}({self.name('callbacks.Callback')}):"):
            with self.block("def on_train_begin(self, logs=None):"):
                self.line("self.losses = []")
            self.line("")
            event = self.pick("epoch", "batch", "train_batch")
            with self.block(f"def on_{event}_end(self, {event.split('_')[-1]}, logs={self.pick('None', '{}')}):"):
                self.line(f"self.losses.append({self.pick('logs', 'logs')}{self.pick(self.index('loss'), '.get(' + self.text('loss') + ')')})")
                if event == "epoch" and self.flip(0.4):
                    with self.block("if epoch >= 1:"):
                        self.line("self.model.stop_training = True")
        self.line("")
        variable = self.fresh("recorder", "loss_history")
        self.line(f"{variable} = {name}()")
        self.extra_results.append(f"{variable}.losses")
        return variable

    def index(self, key):
        return f"[{self.text(key)}]"
