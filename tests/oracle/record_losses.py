# SPDX-License-Identifier: MIT
"""Records tests/fixtures/losses/losses.json and metrics.json: values of losses, and the results of
metrics after each of their updates.

    python record_losses.py FIXTURES [--case TEXT] [--check]
"""

import keras
from keras.src.losses import loss as loss_module
from oracle import Report, encode, numbers, options, read, values, with_mask, write


def out_of_place(apply_mask):
    """Returns Keras's function that multiplies a mask into the weights, without its limit.

    PyTorch and NumPy multiply in place and refuse weights [batch, 1] beside a mask of timesteps.
    TensorFlow and JAX broadcast both, and so does this.
    """

    def multiplied(sample_weight, mask, dtype, reduction):
        if mask is None or sample_weight is None:
            return apply_mask(sample_weight, mask, dtype, reduction)
        kept = apply_mask(None, mask, dtype, reduction)
        weights = keras.ops.cast(sample_weight, dtype)
        kept, weights = loss_module.squeeze_or_expand_to_same_rank(kept, weights)
        return weights * kept

    return multiplied


def loss_now(case):
    loss = keras.saving.deserialize_keras_object(case["loss"])
    arguments = values(case["y_true"]), with_mask(case["y_pred"], case["mask"])
    try:
        value = loss(*arguments, sample_weight=values(case["sample_weight"]))
    except Exception as error:  # Which errors Keras raises is part of a recording.
        return {**case, "expect": {"error": type(error).__name__}}
    return {**case, "expect": {"value": encode(value)}}


def metric_now(case):
    metric = keras.saving.deserialize_keras_object(case["metric"])
    results = []
    for update in case["updates"]:
        metric.update_state(
            values(update["y_true"]),
            with_mask(update["y_pred"], update["mask"]),
            sample_weight=values(update["sample_weight"]),
        )
        results.append(numbers(metric.result()).tolist())
    return {**case, "expect": {"results": results}}


if __name__ == "__main__":
    loss_module.apply_mask = out_of_place(loss_module.apply_mask)
    report = Report(options("Records losses and metrics."))
    for name, now in (("losses", loss_now), ("metrics", metric_now)):
        file = report.chosen.fixtures / "losses" / f"{name}.json"
        content = read(file)
        content["cases"] = [
            report.compare(f"{name} {case['name']} ", case, now(case))
            if report.is_chosen(case["name"])
            else case
            for case in content["cases"]
        ]
        if not report.chosen.check:
            write(file, {**content, "keras_version": keras.__version__})
    report.end()
