# SPDX-License-Identifier: MIT
"""Draws a workflow of translation: an encoder and a decoder with states, and the models that are
cut out of them for inference."""
from keras_workflow_calls import Calls


class Decoder(Calls):
    def plan_seq2seq(self):
        units, kind = self.whole(2, 3), self.pick("LSTM", "GRU", "SimpleRNN")
        count = 2 if kind == "LSTM" else 1
        lengths = [None if self.flip() else self.time for _ in "ab"]
        sources = [self.input([length], "int32", name) for length, name in zip(lengths, "ab")]
        embeddings = [self.embedding() for _ in range(1 if self.flip(0.3) else 2)]
        tables = (embeddings[0], embeddings[-1])
        first, second = (self.call(table, f"${x}") for table, x in zip(tables, sources))
        returns = {"units": units, "return_state": True}
        encoder = self.layer(kind, **returns, return_sequences=self.flip())
        decoder = self.layer(kind, **returns, return_sequences=True)
        states = self.call(encoder, f"${first}", 1 + count)
        options = {"initial_state": [f"${state}" for state in states[1:]]}
        if self.flip(0.3):
            sources.append(self.input([None], "bool", "c"))
            options["mask"] = f"${sources[-1]}"
        y = self.call(decoder, f"${second}", 1 + count, **options)[0]
        has_attention = self.flip(0.4) and self.config_of(encoder)[1]["return_sequences"]
        if has_attention:
            y = self.attended(y, states[0])
        head, output = self.head("head0", True)
        model = self.translation(sources, self.call(head, f"${y}"), output)
        for _ in range(self.whole(1, 3)):
            if self.flip(0.6):
                self.fit(model)
            else:
                self.batch(model, self.pick("train_on_batch", "evaluate"))
        self.predict(model, batch_size=3)
        if not has_attention:
            self.encode_alone(sources[0], states[1:])
            self.decode_alone(embeddings[-1], decoder, head, units, count)
        if self.flip():
            self.life(model, self.whole(1, 4))

    def embedding(self):
        config = {"input_dim": 9, "output_dim": 3, "mask_zero": self.flip(0.7)}
        return self.layer("Embedding", **config)

    def attended(self, y, encoded):
        attention = self.layer(self.pick("Attention", "AdditiveAttention"))
        z = self.call(attention, [f"${y}", f"${encoded}"])
        return self.call(self.layer("Concatenate"), [f"${y}", f"${z}"])

    def translation(self, sources, y, output):
        model, names = self.named("m"), [f"${x}" for x in sources]
        self.go("model", id=model, **{"class": "Model"}, inputs=names, outputs=f"${y}")
        kinds = ["ids", "ids", "mask"][: len(sources)]
        inputs = [{"name": "abc"[i], "kind": kind, "features": 1} for i, kind in enumerate(kinds)]
        forms = {"input form": "list", "output form": "one", "class": None, "how": "functional"}
        description = {"inputs": inputs, "outputs": [output], "parts": [], **forms}
        self.add_model(model, {**description, "compiled": None, "is stale": False})
        self.go("fill", on=model, seed=self.seed())
        return model

    def encode_alone(self, source, states):
        model, names = self.named("m"), [f"${state}" for state in states]
        self.go("model", id=model, **{"class": "Model"}, inputs=f"${source}", outputs=names)
        self.layers.append(model)
        x = self.input_data({"kind": "ids"}, self.seed())
        self.go("predict", may_end=True, on=model, x=x, options={})

    def decode_alone(self, embedding, decoder, head, units, count):
        """One step of the decoder, with its states as inputs and outputs."""
        states, ids = [self.input([units]) for _ in range(count)], self.input([1], "int32")
        x = self.call(embedding, f"${ids}")
        options = {"initial_state": [f"${state}" for state in states]}
        z = self.call(decoder, f"${x}", 1 + count, **options)
        y, model = self.call(head, f"${z[0]}"), self.named("m")
        step = {
            "inputs": [f"${x}" for x in (ids, *states)],
            "outputs": [f"${x}" for x in (y, *z[1:])],
        }
        self.go("model", id=model, **{"class": "Model"}, **step)
        self.layers.append(model)
        for seed in range(2):
            token = {"kind": "classes", "shape": [3, 1], "limit": 9, "seed": seed}
            data = [token, *(self.floats(units, 3) for _ in range(count))]
            self.go("predict", may_end=True, on=model, x=data, options={})
