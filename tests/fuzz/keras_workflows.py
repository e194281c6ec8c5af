#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""keras_workflows.py FOLDER [--seed N] [--count M] [--saves 1]: random programs as users write
them: build, freeze, compile, fit, save, load, copy, edit, call. tests/fuzz/keras.js replays them
step by step. With --saves 1, each program saves its last model at its end.

Left out, because Keras or PyTorch is at fault, or back ends differ:
- training after a change of `trainable` without compile: PyTorch reads it again, TensorFlow and
  JAX keep the state of compile; therefore callbacks freeze at the end of fit;
- stateful layers in fit, which PyTorch refuses;
- attention without scores in training: PyTorch's fused gradients are wrong for queries that attend
  to nothing;
- rows without a kept step, whose means are NaN;
- metrics without a name, which Keras numbers by session;
- `trainable=False` for the constructor of a layer with sublayers, or kept in a file, a clone or a
  config of a custom one: Keras trains the sublayers, the package freezes them;
- FalsePositives and its kin in validation, and weights of classes by step: Keras's own mistakes;
- TimeDistributed of a custom layer with sublayers, which Keras builds in part;
- files of models whose masks were put back: Keras has no public call for it;
- errors that are not deliberate, such as KeyError, and the texts of errors."""
import numpy as np
from keras_random import COUNTS, arguments, record_all
from keras_workflow_decoder import Decoder
from keras_workflow_draw import Ended, Refused

options = arguments(__doc__, saves=0)

PLANS = {
    **{"life": 5, "frozen": 3.5, "transfer": 2, "forms": 3.5, "override": 3, "edit": 2},
    **{"eager": 3, "masks": 2, "stateful": 1.5, "seq2seq": 1.5},
}
# Refusals that Keras means. Others are accidents of Keras or PyTorch.
DELIBERATE = (
    *("You should provide one `sample_weight`", "For a model with multiple outputs"),
    *("`class_weight` is only", "No loss to compute", "Unknown variable"),
    *("`loss_weights` must match", "You must call `compile"),
)


class Program(Decoder):
    def plan_life(self):
        self.life(self.model(), self.whole(4, 10))

    def plan_frozen(self):
        name = self.model()
        for _ in range(self.whole(1, 3)):
            self.toggle_some(1, name)
        self.fit(name)
        if self.flip() and not self.is_lost(name):
            name = self.loaded(name)
        self.toggle_some(1, name)
        self.fit(name)
        self.life(name, self.whole(1, 4))

    def loaded(self, name):
        loaded = self.named("m")
        self.go("file", may_end=True, id=loaded, on=name)
        self.derived(loaded, self.models[name])
        return loaded

    def plan_transfer(self):
        """A frozen base and a head; the base is unfrozen after the model was saved and loaded."""
        name, width = self.named("m"), self.whole(2, 3)
        base, features = self.base(width, 1)
        x = self.input([self.time, width], name="a")
        masking = self.layer("Masking")
        y = self.call(base, f"${self.call(masking, f'${x}')}")
        last, features = self.last(features)
        head, output = self.head("head0", False)
        y = self.call(head, f"${self.call(last, f'${y}')}")
        self.go("model", id=name, **{"class": "Model"}, inputs=f"${x}", outputs=f"${y}")
        source = {"name": "a", "kind": "sequence", "features": width}
        forms = {"input form": "one", "output form": "one", "class": None, "how": "functional"}
        description = {"inputs": [source], "outputs": [output], "parts": [last], **forms}
        self.add_model(name, {**description, "compiled": None, "is stale": False})
        self.go("fill", on=name, seed=self.seed())
        self.go("set", on=base, value=False)
        self.fit(name)
        if not self.is_lost(name):
            self.do_save(name, self.models[name])
            name = self.loaded(name)
        inner = self.named("l")
        self.go("get", id=inner, on=name, index=2)
        self.layers.append(inner)
        self.go("set", on=inner, value=True)
        self.need_compile()
        self.fit(name)
        self.life(name, self.whole(1, 3))

    def plan_forms(self):
        name = self.model("functional", inputs=self.whole(1, 2), outputs=self.whole(1, 3))
        steps = {"compile": 1, "fit": 3, "train_on_batch": 2, "test_on_batch": 2, "evaluate": 3}
        for _ in range(self.whole(3, 7)):
            kind = self.weighted({**steps, "predict": 1, "metrics": 1})
            if kind == "predict":
                self.predict(name)
            elif kind == "metrics":
                self.ready(name)
                self.go("metrics", may_end=True, on=name)
            else:
                getattr(self, f"do_{kind}")(name, self.models[name])

    def plan_override(self):
        kinds = {"LossNet": 1, "FreeNet": 0.6, "MetricNet": 0.8, "StepNet": 2, "GroupNet": 1}
        others = {"TestNet": 2, "PredictNet": 1, "SeenNet": 1.2, "WatchNet": 1.2}
        how = self.pick("sequential", "functional", "deferred", "subclass")
        name = self.model(how, kind=self.weighted({**kinds, **others}), outputs=1)
        self.fit(name)
        self.life(name, self.whole(2, 5))

    def plan_edit(self):
        self.life(self.model(self.pick("sequential", "deferred", "adds")), self.whole(5, 9))


def without_accident(steps):
    """The steps without a last one that Keras refused by accident, or only because targets and
    weights are a list here and a dictionary there."""
    *others, last = steps
    if "error" not in last:
        return steps
    targets, weights = last.get("y"), last.get("options", {}).get("sample_weight")
    differ = {type(targets), type(weights)} == {list, dict} and "typo" not in weights
    if differ or not any(text in last["error"] for text in DELIBERATE):
        COUNTS["refused by accident, left out"] += 1
        return others
    return steps


def record(rng, number):
    plans, weights = list(PLANS), np.array(list(PLANS.values()))
    plan = str(rng.choice(plans, p=weights / weights.sum()))
    program = Program(rng)
    try:
        getattr(program, f"plan_{plan}")()
        if options.saves and program.models:
            program.save_last()
    except Ended:
        pass
    except Refused as refusal:
        COUNTS[f"given up ({plan}): {str(refusal)[:130]}"] += 1
        return None
    COUNTS[f"plan {plan}"] += 1
    return {"note": plan, "steps": without_accident(program.steps)}


record_all(options, record)
