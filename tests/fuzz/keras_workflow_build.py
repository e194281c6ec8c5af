# SPDX-License-Identifier: MIT
"""Draws whole models of a random workflow.

A model is described by its inputs, its outputs, how it was made, the structures of its inputs and
outputs ("one", "list", "dict"), what it was compiled with, and whether it needs compile again."""
from keras_workflow_draw import Draw


def structured(names, structure, keys):
    if structure == "one":
        return f"${names[0]}"
    if structure == "list":
        return [f"${name}" for name in names]
    return {key: f"${name}" for key, name in zip(keys, names)}


class Build(Draw):
    def model(self, how=None, kind=None, inputs=None, outputs=None):
        """A model with random weights; layers may be frozen on the way. Returns its name."""
        ways = ("sequential", "sequential", "functional", "functional", "functional")
        how = how or self.pick(*ways, "deferred", "subclass", "adds")
        description = {"inputs": [], "outputs": [], "how": how, "class": kind, "compiled": None}
        description.update({"is stale": False, "input form": "one", "output form": "one"})
        if how == "functional":
            model = self.functional(description, inputs, outputs)
        else:
            model = self.sequence(description)
        self.go("fill", on=model, seed=self.whole(1, 99))
        return model

    def add_model(self, model, description):
        self.models[model] = description
        self.layers.append(model)

    def derived(self, model, description, **changes):
        """Adds a model that was made from another one, whose layers the program cannot name."""
        own = {"parts": [], "is loaded": True, **changes}
        self.add_model(model, {**description, **own})

    def toggle_some(self, probability, *first):
        if self.flip(probability):
            self.toggle(self.pick(*first, *self.layers))

    def source(self, kind, features, name):
        """An input: whole numbers or floats, of a known length or not."""
        has_positions = any(step.get("class") == "Positions" for step in self.steps)
        if kind != "ids":
            return self.input([self.pick(None, self.time), features], "float32", name)
        # An input of unknown length looks up made-up positions while its shape is found.
        is_open = self.flip(0.3) and (not has_positions or self.flip(0.03))
        return self.input([None if is_open else self.time], "int32", name)

    def parts(self, features):
        parts = []
        for _ in range(self.whole(1, 3)):
            part, features = self.part(features)
            parts.append(part)
        return parts, features

    # Models whose layers follow each other.

    def sequence(self, description):
        how, model = description["how"], self.named("m")
        kind = self.pick("ids", "ids", "sequence", "floats")
        name = "a" if self.flip(0.6) else None
        first, features = self.first(kind)
        description["inputs"] = [{"name": name, "kind": kind, "features": features}]
        width = features
        parts, features = self.parts(features)
        self.toggle_some(0.35)
        by_step, ends = self.flip(0.45), []
        if not by_step:
            last, features = self.last(features)
            ends = [last]
        head, output = self.head("head0", by_step)
        description.update(outputs=[output], parts=[*parts, *ends])
        names = [f"${one}" for one in [*first, *parts, *ends, head]]
        has_input = how not in ("deferred", "subclass")
        source = [f"${self.source(kind, width, name)}"] if has_input else []
        self.make_sequence(model, description, source, names)
        self.toggle_some(0.3, model)
        if not has_input:
            self.build_late(model, description)
        return model

    def make_sequence(self, model, description, source, names):
        how, kind = description["how"], description["class"]
        if how == "subclass":
            where = {"where": self.pick("list", "dict", "attr")}
            config = {**where, "flag": self.pick("none", "training")}
            name = f"{kind}OfNet" if kind else "Net"
            self.go("model", id=model, **{"class": name}, layers=names, config=config)
        else:
            name = f"{kind}OfSequential" if kind else "Sequential"
            first = [] if how == "adds" else source + names
            self.go("model", id=model, **{"class": name}, layers=first)
            for one in source + names if how == "adds" else []:
                self.go("add", on=model, x=one)
        self.add_model(model, description)

    def build_late(self, model, description):
        """Builds a model without an input by its shape or by a call."""
        (one,) = description["inputs"]
        if description["how"] == "deferred" and self.flip():
            features = [] if one["kind"] == "ids" else [one["features"]]
            return self.go("build", on=model, shape=[None, self.time, *features])
        x = self.input_data(one, 1)
        self.go("call", id=self.named("t"), on=model, x=x, options={}, shape_only=True)

    # Models of graphs.

    def functional(self, description, inputs, outputs):
        inputs = inputs or (1 if self.flip(0.7) else 2)
        outputs = outputs or (1 if self.flip(0.6) else self.whole(2, 3))
        sources, x, features = self.begun(description, inputs)
        x, features = self.grown(description, x, features)
        self.toggle_some(0.35)
        ends = []
        for number in range(outputs):
            by_step, end, width = self.flip(0.45), x, features
            if not by_step:
                last, width = self.last(features)
                end = self.call(last, f"${x}")
            head, output = self.head(f"head{number}", by_step)
            ends.append(self.call(head, f"${end}"))
            description["outputs"].append(output)
        return self.closed(description, sources, ends)

    def begun(self, description, count):
        """Inputs of a graph, and their sum, average or product."""
        has_names, sources, tensors, width = self.flip(0.6) or count > 1, [], [], self.whole(2, 3)
        for number in range(count):
            kind = self.pick("ids", "ids", "sequence", "floats")
            first, features = self.first(kind)
            name = "ab"[number] if has_names else None
            x = self.source(kind, features, name)
            description["inputs"].append({"name": name, "kind": kind, "features": features})
            sources.append(x)
            for layer in first:
                x = self.call(layer, f"${x}")
            if count > 1:
                x, features = self.call(self.layer("Dense", units=width), f"${x}"), width
            tensors.append(x)
        if count == 1:
            return sources, tensors[0], features
        merge = self.layer(self.pick("Add", "Average", "Multiply"))
        return sources, self.call(merge, [f"${x}" for x in tensors]), features

    def grown(self, description, x, features):
        used = []
        for _ in range(self.whole(1, 3)):
            shared = [one for one in used if self.features[one] == (features, features)]
            if shared and self.flip(0.2):
                layer = self.pick(*shared)
            else:
                layer, _ = self.part(features)
                used.append(layer)
            y, width = self.call(layer, f"${x}"), self.features[layer][1]
            if width == features and self.flip(0.3):
                y = self.call(self.layer("Add"), [f"${x}", f"${y}"])
            x, features = y, width
        description["parts"] = used
        return x, features

    def closed(self, description, sources, ends):
        model, outputs = self.named("m"), description["outputs"]
        names = [one["name"] for one in description["inputs"]]
        forms = ("list", "list", "dict") if all(names) else ("list",)
        if len(sources) > 1 or self.flip(0.2):
            description["input form"] = self.pick(*forms)
        if len(ends) > 1 or self.flip(0.25):
            description["output form"] = self.pick("list", "list", "dict")
        if description["output form"] == "dict":
            for number, output in enumerate(outputs):
                output["name"] = output["name"] if self.flip(0.4) else "zyx"[number]
        keys = [output["name"] for output in outputs]
        step = {
            "inputs": structured(sources, description["input form"], names),
            "outputs": structured(ends, description["output form"], keys),
        }
        self.go("model", id=model, **{"class": description["class"] or "Model"}, **step)
        self.add_model(model, description)
        return model
