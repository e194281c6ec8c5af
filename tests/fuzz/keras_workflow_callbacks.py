# SPDX-License-Identifier: MIT
"""Callbacks of random workflows: {"kind", …} becomes a callback of Keras."""
import keras
from keras_workflow_data import start_values

# Methods of a callback, and whether the first argument is the number of an epoch or a batch.
EVENTS = {
    f"on_{kind}_{end}": is_numbered
    for kinds, is_numbered in (
        (("train", "test", "predict"), False),
        (("epoch", "train_batch", "test_batch", "predict_batch"), True),
    )
    for kind in kinds
    for end in ("begin", "end")
}


def recorder(events):
    """Records each event with its number, and with the names of the logs if it is an end."""
    callback = keras.callbacks.Callback()

    def method(name, is_numbered):
        def called(*arguments, logs=None):
            numbers = [int(arguments[0])] if is_numbered else []
            if logs is None and len(arguments) > is_numbered:
                logs = arguments[-1]
            names = sorted(logs or {}) if name.endswith("end") else []
            # The results of a batch of predict are numbered, not named.
            events.append([name, *numbers, [] if "predict" in name else names])

        return called

    for name, is_numbered in EVENTS.items():
        setattr(callback, name, method(name, is_numbered))
    return callback


def changer(config, objects):
    """Changes something of the model at the end of an epoch, or ends the training."""
    callback = keras.callbacks.Callback()

    def on_train_batch_end(batch, logs=None):
        if config["kind"] == "stop" and batch == config["at"]:
            callback.model.stop_training = True

    def on_epoch_end(epoch, logs=None):
        model, kind = callback.model, config["kind"]
        if kind == "rate" and epoch == config["at"]:
            model.optimizer.learning_rate = config["value"]
        elif kind == "log":
            logs["mine"] = float(epoch)
        elif kind == "weights":
            model.set_weights(start_values(model, config["seed"]))

    def on_train_end(logs=None):
        if config["kind"] == "freeze":
            objects[config["on"]].trainable = config["value"]

    callback.on_train_batch_end = on_train_batch_end
    callback.on_epoch_end = on_epoch_end
    callback.on_train_end = on_train_end
    return callback


def callback_of(config, objects, events):
    kind = config["kind"]
    if kind == "early":
        return keras.callbacks.EarlyStopping(**config["config"])
    if kind == "plateau":
        return keras.callbacks.ReduceLROnPlateau(**config["config"])
    if kind == "schedule":
        halved = lambda epoch, rate: rate * 0.5 if epoch else rate
        return keras.callbacks.LearningRateScheduler(halved)
    return recorder(events) if kind == "events" else changer(config, objects)
