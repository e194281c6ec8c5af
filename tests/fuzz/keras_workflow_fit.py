# SPDX-License-Identifier: MIT
"""Draws data, compile, fit and its relatives for the models of a random workflow."""
from keras_workflow_build import Build
from keras_workflow_data import is_description

# Losses for the activation of an output: the name, and the kind of its targets.
LOSSES = {
    None: [
        ("mean_squared_error", "floats"),
        ("mean_absolute_error", "floats"),
        ("huber", "floats"),
        ("log_cosh", "floats"),
    ],
    "sigmoid": [("binary_crossentropy", "binary"), ("mse", "floats")],
    "softmax": [
        ("categorical_crossentropy", "one-hot"),
        ("sparse_categorical_crossentropy", "sparse"),
        ("kl_divergence", "one-hot"),
    ],
}
CLASSES_OF_LOSSES = {"mse": "MeanSquaredError", "kl_divergence": "KLDivergence"}
METRICS = {
    "sparse": ["accuracy"],
    "one-hot": ["accuracy", "mae"],
    "binary": ["accuracy", "mae", "mse"],
    "floats": ["mae", "mse"],
}
REDUCTIONS = ("sum_over_batch_size", "sum", "mean_with_sample_weight")
CALLBACKS = {
    **{"events": 0.2, "rate": 0.15, "stop": 0.12, "log": 0.1, "early": 0.12, "plateau": 0.08},
    **{"schedule": 0.08, "weights": 0.08, "freeze": 0.12},
}


def is_free(model):
    """Does the model compute a loss without one in compile?"""
    return model["class"] == "FreeNet"


class Fit(Build):
    # Data

    def input_data(self, one, seed, rows=None):
        padding, shape = self.pick("post", "pre", "holes", "none"), [rows or self.rows, self.time]
        data = {"seed": seed, "padding": padding}
        if one["kind"] == "ids":
            return {"kind": "ids", "shape": shape, "limit": 9, **data}
        if one["kind"] == "mask":
            return {"kind": "mask", "shape": shape, **data}
        data = {"kind": "sequence", "shape": [*shape, one["features"]], **data}
        return data if one["kind"] == "sequence" else {**data, "padding": "none"}

    def x_of(self, model, seed, rows=None, form=None):
        """Data for all inputs in a form that a user may choose."""
        inputs = model["inputs"]
        values = [self.input_data(one, seed + i, rows) for i, one in enumerate(inputs)]
        usual = 0.85 if model["how"] == "functional" else 0.99
        is_one = len(values) == 1 and (model["how"] == "subclass" or self.flip(usual))
        form = form or ("one" if is_one else self.pick("list", "dict"))
        if form == "dict" and all(one["name"] for one in inputs):
            return {one["name"]: value for one, value in zip(inputs, values)}
        return values if form == "list" or len(values) > 1 else values[0]

    def x_as_built(self, model, seed):
        return self.x_of(model, seed, form=model["input form"])

    def shape_of(self, by_step, rows=None):
        return [rows or self.rows, *([self.time] if by_step else [])]

    def target(self, output, kind, seed, rows=None):
        shape, units = self.shape_of(output["by step"], rows), output["units"]
        if kind == "sparse":
            shape = shape if self.flip(0.6) else [*shape, 1]
            return {"kind": "classes", "shape": shape, "limit": units, "seed": seed}
        if kind == "one-hot":
            return {"kind": "one-hot", "shape": shape, "limit": units, "seed": seed}
        if kind == "binary":
            return {"kind": "classes", "shape": [*shape, units], "limit": 2, "seed": seed}
        return {"kind": "floats", "shape": [*shape, units], "seed": seed}

    def per_output(self, model, values, form=None):
        """Values of the outputs in a form that a user may choose."""
        outputs, usual = model["outputs"], 0.98 if model["how"] == "functional" else 0.995
        is_one = len(outputs) == 1 and self.flip(usual)
        form = form or ("one" if is_one else self.pick("list", "list", "dict"))
        if model["output form"] == "dict" and form != "one":
            form = "dict"
        if form == "dict":
            return {output["name"]: value for output, value in zip(outputs, values)}
        return values if len(outputs) > 1 or form == "list" else values[0]

    def y_of(self, model, seed, rows=None, form=None):
        pairs = zip(model["outputs"], model["targets"])
        targets = [self.target(*pair, seed + 7 * i, rows) for i, pair in enumerate(pairs)]
        return self.per_output(model, targets, form)

    def weights_of(self, model, seed, y, rows=None):
        """Sample weights in a form that a user may choose, sometimes a wrong one; or None."""
        weights = [
            self.weights_of_output(model, output, seed + i, rows)
            for i, output in enumerate(model["outputs"])
        ]
        if all(weight is None for weight in weights):
            return None
        some = next(weight for weight in weights if weight)
        if len(weights) > 1 and self.flip(0.06):
            return some
        if len(weights) > 1 and self.flip(0.08):
            return weights[:-1] if self.flip() else [*weights, some]
        form = "one" if is_description(y) else "dict" if isinstance(y, dict) else "list"
        value = self.per_output(model, weights, None if self.flip(0.05) else form)
        if isinstance(value, dict) and not is_description(value):
            value = {key: w for key, w in value.items() if w is not None or self.flip(0.9)}
            if self.flip(0.1):
                value["typo"] = some
        return value

    def weights_of_output(self, model, output, seed, rows):
        if len(model["outputs"]) > 1 and self.flip(0.12):
            return None
        shape = self.shape_of(output["by step"] and self.flip(0.95), rows)
        return {"kind": "weights", "shape": shape, "seed": seed}

    def weighted_data(self, model, seed, probability, rows=None):
        """Targets with sample weights or without."""
        weighs = self.flip(probability) and not is_free(model)
        # Keras accepts dictionaries of weights only where the outputs are one.
        has_list = weighs and len(model["outputs"]) > 1 and self.flip(0.97)
        y = self.y_of(model, seed, rows, "list" if has_list else None)
        return y, self.weights_of(model, seed + 50, y, rows) if weighs else None

    # compile

    def optimizer(self):
        kind, rate = self.pick("SGD", "SGD", "SGD", "Adam", "RMSprop"), self.pick(0.05, 0.1, 0.02)
        config = {"learning_rate": rate if kind == "SGD" else rate / 5}
        if kind != "SGD":
            config["epsilon"] = 0.01
        elif self.flip(0.4):
            config["momentum"] = 0.9
        if self.flip(0.15):
            config[self.pick("clipnorm", "clipvalue", "global_clipnorm")] = 0.5
        return {"class_name": kind, "config": config}

    def compile(self, name, keeps_loss=False):
        model = self.models[name]
        if model["compiled"] and (keeps_loss or self.flip(0.12)):
            return self.compile_again(name)
        config, outputs = {}, model["outputs"]
        losses, targets = zip(*[self.loss_of(output) for output in outputs])
        losses, targets = list(losses), list(targets)
        if len(losses) > 1 and self.flip(0.2):
            losses[self.whole(0, len(losses) - 1)] = None
        if len(losses) > 1 and self.flip(0.1):
            config["loss"], targets = "mse", ["floats"] * len(targets)
        elif is_free(model):
            targets = ["floats"] * len(targets)
        else:
            config["loss"] = self.per_output(model, losses)
        model["targets"] = targets
        config["optimizer"] = self.optimizer()
        self.add_metrics(model, config)
        if len(losses) > 1 and self.flip(0.4) and config.get("loss") != "mse":
            weights = [0.5 + i for i in range(len(losses))]
            config["loss_weights"] = self.per_output(model, weights, self.pick("list", "dict"))
        if self.flip(0.1):
            optimizer = self.named("o")
            self.go("optimizer", id=optimizer, config=config["optimizer"])
            config["optimizer"] = f"${optimizer}"
        self.go("compile", may_end=True, on=name, config=config)
        model["compiled"], model["is stale"] = config, False

    def compile_again(self, name):
        """Compiles without a loss, perhaps with other metrics."""
        model, config = self.models[name], {}
        if self.flip(0.9):
            config["optimizer"] = self.optimizer()
        if self.flip(0.3):
            one = len(model["outputs"]) == 1
            config["metrics"] = ["mae"] if one else [["mae"] for _ in model["outputs"]]
        self.go("compile", on=name, config=config)
        model["is stale"] = False

    def loss_of(self, output):
        name, kind = self.pick(*LOSSES[output["activation"]][:3])
        if self.flip(0.65):
            return name, kind
        words = "".join(word.capitalize() for word in name.split("_"))
        config = {"reduction": self.pick(*REDUCTIONS)}
        return {"class_name": CLASSES_OF_LOSSES.get(name, words), "config": config}, kind

    def add_metrics(self, model, config):
        several = len(model["targets"]) > 1
        for key, probability in (("metrics", 0.6), ("weighted_metrics", 0.3)):
            if self.flip(probability) and not is_free(model):
                names = [[m for m in METRICS[kind] if self.flip(0.6)] for kind in model["targets"]]
                form = self.pick("list", "dict") if several else "one"
                config[key] = self.per_output(model, names, form)

    def ready(self, name):
        """A model that is compiled, and since its layers were frozen or unfrozen."""
        model = self.models[name]
        if not model["compiled"] or model["is stale"]:
            self.compile(name)
        return model

    # fit and its relatives

    def callbacks(self, scale=1.0):
        return [
            self.callback(kind)
            for kind, probability in CALLBACKS.items()
            if self.flip(probability * scale)
        ]

    def callback(self, kind):
        if kind in ("rate", "stop"):
            return {"kind": kind, "at": self.whole(0, 1), "value": 0.01}
        if kind == "weights":
            return {"kind": kind, "seed": self.whole(1, 50)}
        if kind == "freeze":
            # At the end of fit: back ends differ in what the rest of a fit does.
            return {"kind": kind, "on": self.pick(*self.layers), "value": self.flip(0.3)}
        if kind not in ("early", "plateau"):
            return {"kind": kind}
        config = {"monitor": "loss", "patience": self.whole(0, 1)}
        if kind == "early":
            config["restore_best_weights"] = self.flip()
        else:
            config.update(factor=0.5, min_lr=1e-6)
        return {"kind": kind, "config": config}

    def fit(self, name):
        model, seed = self.ready(name), self.whole(1, 200)
        y, weights = self.weighted_data(model, seed, 0.35)
        options = {"batch_size": self.pick(2, 3, 4, 32), "epochs": self.whole(1, 3)}
        if weights is not None:
            options["sample_weight"] = weights
        elif self.flip(0.12) and self.has_classes(model):
            units = model["outputs"][0]["units"] if self.flip(0.7) else 1
            options["class_weight"] = {str(i): 0.5 + i for i in range(units)}
        self.add_validation(model, options, seed)
        if self.flip(0.1) and options["epochs"] > 1:
            options["initial_epoch"] = 1
        callbacks = self.callbacks()
        x = self.x_of(model, seed)
        step = {"x": x, "y": y, "options": options, "callbacks": callbacks}
        self.go("fit", may_end=True, on=name, **step)
        if any(callback["kind"] == "freeze" for callback in callbacks):
            self.need_compile()

    def has_classes(self, model):
        """Are the first targets classes of rows? Weights of classes by step are another matter:
        Keras takes the argmax over time."""
        by_step = any(output["by step"] for output in model["outputs"])
        return not by_step and model["targets"][0] in ("sparse", "one-hot")

    def add_validation(self, model, options, seed):
        if not self.flip(0.3):
            if self.flip(0.12):
                options["validation_split"] = 0.3
            return
        x = self.x_of(model, seed + 20, 3)
        y, weights = self.weighted_data(model, seed + 21, 0.3, rows=3)
        options["validation_data"] = [x, y, *([] if weights is None else [weights])]
        if self.flip(0.2):
            options["validation_freq"] = 2

    def batch(self, name, do):
        """evaluate, train_on_batch or test_on_batch."""
        model = self.models[name]
        if do == "train_on_batch" or not model["compiled"]:
            model = self.ready(name)
        seed, options = self.whole(1, 200), {}
        y, weights = self.weighted_data(model, seed, 0.35)
        if weights is not None:
            options["sample_weight"] = weights
        step = {"x": self.x_of(model, seed), "y": y, "options": options}
        if do == "evaluate":
            options["batch_size"] = self.pick(2, 3, 32)
            step["callbacks"] = [{"kind": "events"}] if self.flip(0.25) else []
        self.go(do, may_end=True, on=name, **step)

    def predict(self, name, form=None, **options):
        step = {"x": self.x_of(self.models[name], self.whole(1, 99), form=form)}
        if self.flip(0.15):
            step["callbacks"] = [{"kind": "events"}]
        self.go("predict", may_end=True, on=name, options=options, **step)
