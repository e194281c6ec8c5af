# SPDX-License-Identifier: MIT
"""Work of random Keras programs in source text: start values, calls, training, plain Python."""
from keras_port_classes import Classes
from keras_port_text import Raw


class Work(Classes):
    def __init__(self, rng):
        super().__init__(rng)
        self.results, self.extra_results = [], []

    def result(self, text):
        name = f"result{len(self.results)}"
        self.results.append(name)
        self.line(f"{name} = {text}")
        return name

    def start_values(self, model):
        """Gives a model start values. A comment stands for those that the runner sets."""
        if self.fixed_start:
            return
        np = "np"
        how = self.weighted({"runner": 5, "list": 1.2, "loop": 0.8, "function": 0.8, "weights": 0.5})
        if how == "runner":
            self.line(f"# start values: {model}")
            return
        self.np()
        curve = self.pick(
            f"{np}.sin({np}.arange(w.size) * 0.3).reshape(w.shape) * 0.4",
            f"{np}.linspace(-0.5, 0.4, w.size).reshape(w.shape)",
            f"{np}.full(w.shape, 0.1)",
            f"0.3 * {np}.cos({np}.arange({np}.prod(w.shape)) / 4).reshape(w.shape)",
        )
        if how == "list":
            self.line(f"{model}.set_weights([{curve} for w in {model}.get_weights()])")
        elif how == "loop":
            self.line("values = []")
            with self.block(f"for w in {model}.get_weights():"):
                self.line(f"values.append({curve})")
            self.line(f"{model}.set_weights(values)")
        elif how == "weights":
            with self.block(f"for w in {model}.weights:"):
                self.line(f"w.assign({np}.linspace(-0.5, 0.4, {np}.prod(w.shape)).reshape(w.shape))")
        else:
            self.line("")
            with self.block("def fill(target):"):
                self.line(f"target.set_weights([{curve} for w in target.get_weights()])")
            self.line("")
            self.line(f"fill({model})")

    def use(self, model, x, is_built=True):
        """Predictions, calls and facts of a model."""
        if not is_built:
            how = self.pick(f"{model}({self.tensor(x)})", f"{model}.predict({x}, verbose=0)")
            self.line(how)
        self.start_values(model)
        quiet = self.pick(", verbose=0", ", verbose=0", ", batch_size=2, verbose=0")
        variable = self.fresh("predictions", "y_pred", "preds")
        self.line(f"{variable} = {model}.predict({x}{quiet})")
        self.result(variable)
        for _ in range(self.whole(1, 3)):
            self.one_use(model, x, variable)

    def tensor(self, x):
        return self.pick(x, f"{self.op('convert_to_tensor')}({x})")

    def one_use(self, model, x, predicted):
        np = self.np()
        word = self.weighted(
            {"call": 2, "shape": 1.5, "arg": 1.2, "print": 1.5, "count": 0.6, "layers": 1, "round": 0.8}
            | {"item": 1, "sum": 1, "loop": 1, "weights": 0.6, "config": 0.3, "compare": 0.6}
        )
        if word == "call":
            training = self.pick("", "", ", training=False")
            self.result(f"{model}({self.tensor(x)}{training})")
        elif word == "shape":
            self.result(self.pick(f"{predicted}.shape", f"list({predicted}.shape)", f"{predicted}.shape[-1]", f"len({predicted})"))
        elif word == "arg":
            self.result(self.pick(f"{np}.argmax({predicted}, axis=-1)", f"{predicted}.argmax(axis=-1)", f"{np}.argmax({predicted}[0])"))
        elif word == "print":
            self.printed(predicted)
        elif word == "count":
            self.result(f"{model}.count_params()")
        elif word == "layers":
            self.result(self.pick(
                f"len({model}.layers)",
                f"[layer.__class__.__name__ for layer in {model}.layers]",
                f"len({model}.trainable_weights)",
            ))
        elif word == "round":
            self.result(self.pick(f"{predicted}.round(3)", f"{np}.round({predicted}, 2)"))
        elif word == "item":
            self.result(self.pick(f"{predicted}[0]", f"{predicted}[-1]", f"{predicted}[0, 0]", f"float({predicted}[0][0])", f"{predicted}[:, 0]", f"{predicted}[:1]"))
        elif word == "sum":
            self.result(self.pick(f"{predicted}.sum()", f"{np}.mean({predicted})", f"{np}.mean({predicted}, axis=0)", f"{predicted}.max()", f"{np}.abs({predicted}).min()"))
        elif word == "loop":
            variable = self.fresh("totals", "scores")
            self.line(f"{variable} = []")
            with self.block(f"for i, row in enumerate({predicted}):"):
                self.line(f"{variable}.append({self.pick('float(row[0]) + i', 'i * 2', 'float(row[0])')})")
            self.result(variable)
        elif word == "weights":
            self.result(self.pick(f"[w.shape for w in {model}.get_weights()]", f"{model}.get_weights()[-1]", f"len({model}.weights)"))
        elif word == "config":
            self.result(f"{model}.layers[-1].units")
        else:
            self.result(self.pick(f"({predicted} > 0.3).astype(int)", f"{predicted} > 0.1", f"{np}.where({predicted} > 0.2, 1, 0)", f"({predicted} > 0.2).astype({self.text('int32')})"))

    def printed(self, predicted):
        self.line(self.pick(
            f"print(f{self.text('first: {' + predicted + '[0][0]:.3f}')})",
            f"print({self.text('shape:')}, {predicted}.shape[0], {predicted}.shape[-1])",
            f"print({self.text('rows')}, len({predicted}))",
            f"print({self.text('%d rows')} % len({predicted}))",
            f"print({self.text('mean {:.2f}')}.format(float({predicted}.mean())))",
            f"print({self.text('done')})",
        ))

    def optimizer(self):
        how = self.weighted({"word": 2, "object": 3, "schedule": 0.5})
        if how == "word":
            return self.pick("adam", "sgd", "rmsprop", "Adam")
        name = self.pick("Adam", "SGD", "RMSprop", "Adagrad", "Nadam", "AdamW", "Adamax")
        rate = self.pick(0.01, 0.05, 0.001, 0.1)
        if how == "schedule":
            words = {"initial_learning_rate": rate, "decay_steps": 4, "decay_rate": 0.5}
            rate = Raw(self.call(self.name("optimizers.schedules.ExponentialDecay"), [], **words))
        settings = self.some(0.2, clipnorm=1.0)
        settings.update(self.some(name == "SGD" and 0.5, momentum=0.9))
        return Raw(self.call(self.name(f"optimizers.{name}"), [("learning_rate", rate)], **settings))

    def train(self, model, x, y, kind):
        """Compiles and fits a model, and looks at the history."""
        loss = self.loss(kind)
        wanted = {"value": ["mae"], "class": ["accuracy"], "binary": ["accuracy"]}[kind]
        if self.flip(0.2):
            objects = {"value": "RootMeanSquaredError", "class": "SparseCategoricalAccuracy", "binary": "BinaryAccuracy"}
            wanted = [Raw(f"{self.name('metrics.' + objects[kind])}({self.pick('', 'name=' + self.text('score'))})")]
        has_metrics = self.flip(0.6)
        words = {"optimizer": self.optimizer(), "loss": loss}
        words.update({"metrics": wanted} if has_metrics else {})
        self.line(self.call(f"{model}.compile", [], **words))
        listed = [Raw(self.callback())] if self.flip(0.35) else []
        settings = {"epochs": self.whole(1, 3), "shuffle": False, "verbose": 0}
        settings.update(self.some(0.6, batch_size=self.whole(1, 4)))
        settings.update({"callbacks": listed} if listed else {})
        settings.update(self.some(0.15, validation_split=0.5))
        if not settings.get("validation_split"):
            settings.update(self.some(0.2, validation_data=Raw(f"({x}, {y})")))
        settings.update(self.some(0.15, sample_weight=Raw(f"{self.np()}.array([1.0, 0.5, 2.0, 0.0][:len({x})])")))
        settings.update(self.some(kind == "class" and 0.15, class_weight=Raw("{0: 1.0, 1: 2.0, 2: 0.5}")))
        history = self.fresh("history", "hist", "log")
        fit = self.call(f"{model}.fit", [("x", Raw(x)), ("y", Raw(y))], **settings)
        self.line(f"{history} = {fit}")
        loss_key = self.index("loss")
        self.result(self.pick(f"{history}.history{loss_key}", f"{history}.history{loss_key}[-1]", f"[float(v) for v in {history}.history{loss_key}]", f"sorted({history}.history.keys())", f"{history}.history"))
        self.result(f"{model}.predict({x}, verbose=0)")
        for text in self.extra_results:
            self.result(text)
        if self.flip(0.5):
            self.evaluate(model, x, y, has_metrics)

    def evaluate(self, model, x, y, has_metrics):
        how = self.weighted({"unpack": 2 if has_metrics else 0, "plain": 1, "dict": 1, "batch": 0.5})
        if how == "unpack":
            loss, score = self.fresh("loss", "test_loss"), self.fresh("acc", "score")
            self.line(f"{loss}, {score} = {model}.evaluate({x}, {y}, verbose=0)")
            self.result(loss)
            self.result(score)
            if self.flip():
                self.line(f"print(f{self.text('loss {' + loss + ':.2f}')})")
        elif how == "plain":
            scores = self.fresh("results", "scores")
            self.line(f"{scores} = {model}.evaluate({x}, {y}, verbose=0)")
            self.result(f"{scores}[0]" if has_metrics else scores)
        elif how == "dict":
            self.result(f"{model}.evaluate({x}, {y}, verbose=0, return_dict=True)")
        elif has_metrics:
            self.result(f"{model}.train_on_batch({x}, {y})[0]")
        else:
            self.result(f"{model}.test_on_batch({x}, {y})")

    def plain(self):
        """Plain Python whose meaning differs easily from JavaScript's."""
        word = self.text
        rows = [[self.whole(0, 9) for _ in range(self.whole(1, 4))] for _ in range(3)]
        name = self.fresh("table", "nested")
        self.line(f"{name} = {self.value(rows)}")
        forms = (
            f"[len(r) for r in {name}]",
            f"max(len(r) for r in {name})",
            f"[v for r in {name} for v in r if v % 2 == 0]",
            f"{{i: sum(r) for i, r in enumerate({name})}}",
            f"sorted({name}, key=lambda r: r[0])" if self.flip(0.3) else f"sorted([r[0] for r in {name}], reverse=True)",
            f"{name}[-1][0] // 2",
            f"-{name}[0][0] % 3",
            f"-7 // 2 + {name}[0][0]",
            f"[a + b for a, b in zip({name}[0], {name}[1])]",
            f"{name}[0] + {name}[1]",
            f"{name}[0] * 2",
            f"[0] * {self.whole(1, 4)} + {name}[2][:1]",
            f"{name}[0][::-1]",
            f"{name}[:-1]",
            f"sum(map(len, {name}))",
            f"any(v > 7 for v in {name}[0])",
            f"all(v > 0 for v in {name}[0])",
            f"{word('-')}.join(str(v) for v in {name}[0])",
            f"{word('a b c')}.split()",
            f"{word(' The Film ')}.strip().lower()",
            f"{word('the film was good')}.count({word('o')})",
            f"{name}[0] == {name}[1]",
            f"3 in {name}[0]",
            f"7 not in {name}[0]",
            f"1 if {name}[1] else 2",
            f"2 ** {self.whole(1, 5)} / 4",
            f"divmod({self.whole(5, 30)}, 4)",
            f"round({self.pick('2.5', '3.5', '2.345, 2', '-0.5')})",
            f"int({self.pick('7.9', '-7.9')})",
            f"list(range({self.whole(0, 3)}, {self.whole(4, 9)}, 2))",
            f"dict(zip({word('ab')}, {name}[0]))",
            f"[*{name}[0], *{name}[1]]",
            f"min({name}[0]) < 3 <= max({name}[0])",
            f"f{word('{' + name + '[0][0]:03d}|{3.14159:.2f}|{' + name + '[0][0]}')}",
            f"str({name}[0][0]) + {word('x')} * 3",
            f"len(set({name}[0] + {name}[1]))",
            f"{name}[0].index({name}[0][-1])",
            f"[] or {name}[0]",
            f"not {name}[0]",
            f"{name}[0] and 5",
            f"0.1 + 0.2",
            f"abs(-{self.whole(1, 9)}) if {name}[0][0] > 3 else None",
        )
        for _ in range(self.whole(1, 3)):
            self.result(self.pick(*forms))
        if self.flip(0.5):
            self.plain_block(name)

    def plain_block(self, name):
        how = self.pick("count", "while", "function", "words", "unpack", "try")
        word = self.text
        if how == "count":
            self.line("counts = {}")
            with self.block(f"for row in {name}:"):
                with self.block("for value in row:"):
                    self.line("counts[value] = counts.get(value, 0) + 1")
            self.result("sorted(counts.items())")
        elif how == "while":
            self.line("steps = 0")
            with self.block("while True:"):
                self.line("steps += 1")
                with self.block("if steps > 3:"):
                    self.line("break")
            self.result("steps")
        elif how == "function":
            with self.block(f"def longest(rows, limit={self.whole(2, 5)}, *, extra=0):"):
                self.docstring("Returns the longest length.")
                self.line("best = 0")
                with self.block("for row in rows:"):
                    with self.block("if len(row) > best and len(row) <= limit:"):
                        self.line("best = len(row)")
                self.line("return best + extra")
            self.line("")
            self.result(self.pick(f"longest({name})", f"longest({name}, 3, extra=2)", f"longest(limit=9, rows={name})"))
        elif how == "words":
            self.line(f"sentence = {word('the film was not good the end')}")
            self.line("vocabulary = {}")
            with self.block("for w in sentence.split():"):
                with self.block("if w not in vocabulary:"):
                    self.line("vocabulary[w] = len(vocabulary) + 1")
            self.result(self.pick("[vocabulary[w] for w in sentence.split()]", "len(vocabulary)", f"vocabulary.get({word('bad')}, 0)"))
        elif how == "unpack":
            self.line(f"head, *tail = {name}")
            self.line("(a, b), c = (1, 2), 3")
            self.line("a, b = b, a")
            self.result("[a, b, c, len(tail)]")
        else:
            with self.block("try:"):
                self.line(f"value = {name}[0][99]")
            with self.block("except IndexError:"):
                self.line("value = -1")
            self.result("value")
