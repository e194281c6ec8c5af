# SPDX-License-Identifier: MIT
"""Records tests/fixtures/models: models with their inputs, outputs, masks and `evaluate`.

    python record_models.py FIXTURES [--case TEXT] [--check] [--folder next-3.16/models]
    python record_models.py FIXTURES --new MODEL.py

MODEL.py builds `model`, a named model of Keras with weights, and `inputs`: an array, or a list or a
dictionary of arrays. Its name is that of the model.
"""

import runpy

import keras
import numpy as np
from keras.src import backend, tree
from oracle import Report, decode, dropped_masks, encode, is_tensor, options, read, values, write


def arrays(item):
    """Returns a recorded structure with arrays in place of tensors."""
    if is_tensor(item):
        return decode(item)
    if isinstance(item, dict):
        return {key: arrays(value) for key, value in item.items()}
    return [arrays(value) for value in item] if isinstance(item, list) else item


def structure(result, leaf):
    """Returns a result as recordings have it: a dictionary, or a list also of one tensor."""
    if isinstance(result, dict):
        return {key: leaf(value) for key, value in result.items()}
    return [leaf(value) for value in tree.flatten(result)]


def inputs_of(recorded):
    inputs = values(recorded)
    return inputs[0] if isinstance(inputs, list) and len(inputs) == 1 else inputs


def evaluated(model, recorded, inputs):
    """Returns the results of evaluate with and without weights, in one batch."""
    y = arrays(recorded["y"])
    model.compile(
        loss=recorded["loss"],
        metrics=list(recorded["metrics"]),
        weighted_metrics=list(recorded["weighted_metrics"]),
    )
    x = tree.map_structure(lambda each: np.asarray(backend.convert_to_numpy(each)), inputs)
    settings = {"batch_size": len(tree.flatten(y)[0]), "verbose": 0, "return_dict": True}
    result = model.evaluate(x, y, **settings)
    weights = arrays(recorded["sample_weight"])
    weighted = model.evaluate(x, y, sample_weight=weights, **settings)
    return {**recorded, "result": result, "weighted_result": weighted}


def weights_of(model, recorded):
    """Returns the paths and shapes of the weights.

    Those of a loaded model begin with its innermost layer, so that recorded paths stay.
    """
    now = [{"path": weight.path, "shape": list(weight.shape)} for weight in model.weights]
    shapes = [[weight["shape"] for weight in weights] for weights in (recorded, now)]
    return recorded if shapes[0] == shapes[1] else now


def io_of(model, recorded):
    """Returns the content of an .io.json file as Keras computes it now."""
    inputs = inputs_of(recorded["inputs"])
    with dropped_masks() as dropped:
        result = model(inputs)
    now = {
        **recorded,
        "weights": weights_of(model, recorded.get("weights", [])),
        "outputs": structure(result, encode),
        "masks": structure(result, lambda x: encode(backend.get_keras_mask(x))),
        "layers_warning_mask_destroyed": sorted(set(dropped)),
        "keras_version": keras.__version__,
    }
    if "second_call_outputs" in recorded:
        now["second_call_outputs"] = structure(model(inputs), encode)
        for layer in model._flatten_layers():
            if getattr(layer, "stateful", False) and hasattr(layer, "reset_state"):
                layer.reset_state()
        now["after_reset_outputs"] = structure(model(inputs), encode)
    if "evaluate" in recorded:
        now["evaluate"] = evaluated(model, recorded["evaluate"], inputs)
    return now


def opened(path):
    with dropped_masks():
        return keras.saving.load_model(path, compile=False)


def other_files(folder, entry, model, recorded):
    """Opens the HDF5 files of a model; returns the outputs that differ from those of its .keras file."""
    if "h5" in entry and "h5_reload_error" not in entry:
        yield entry["h5"], io_of(opened(folder / entry["h5"]), recorded)["outputs"]
    if "weights_h5" in entry:
        copy = keras.models.clone_model(model)
        copy.load_weights(folder / entry["weights_h5"])
        yield entry["weights_h5"], io_of(copy, recorded)["outputs"]


def record(folder, index, report):
    for entry in index["models"]:
        name = entry["name"]
        if not report.is_chosen(name):
            continue
        path = folder / f"{name}.io.json"
        recorded = read(path)
        model = opened(folder / entry["keras"])
        # Sorted, because warnings are about layers and not about their order.
        recorded["layers_warning_mask_destroyed"].sort()
        computed = io_of(model, {**recorded, "keras_version": keras.__version__})
        computed["keras_version"] = recorded["keras_version"]
        now = report.compare(f"{name} ", recorded, computed)
        for file, outputs in other_files(folder, entry, model, recorded):
            report.compare(f"{file} ", recorded["outputs"], outputs)
        if not report.chosen.check:
            write(path, {**now, "keras_version": keras.__version__})
            save(folder, entry, opened(folder / entry["keras"]))


def save(folder, entry, model):
    model.save(folder / entry["keras"])
    if "h5" in entry:
        model.save(folder / entry["h5"])
    if "weights_h5" in entry:
        model.save_weights(folder / entry["weights_h5"])


def add(folder, index, path):
    made = runpy.run_path(path)
    model, inputs = made["model"], made["inputs"]
    if not isinstance(inputs, (dict, list)):
        inputs = [inputs]
    inputs = structure(inputs, encode)
    name = model.name
    entry = {
        "name": name,
        "keras": f"{name}.keras",
        "kind": type(model).__name__,
        "params": model.count_params(),
    }
    save(folder, entry, model)
    write(folder / f"{name}.io.json", io_of(model, {"name": name, "inputs": inputs, "config": None}))
    index["models"] = [each for each in index["models"] if each["name"] != name] + [entry]
    write(folder / "index.json", index)
    print(f"{name}: {entry['params']} parameters")


if __name__ == "__main__":
    chosen = options(
        "Records models.",
        folder={"default": "models", "help": "models, or next-3.16/models with that version"},
        new={"help": "a Python file that builds a model to add"},
    )
    folder = chosen.fixtures / chosen.folder
    own = folder / "index.json"
    index = read(own if own.exists() else folder.parent / "index.json")
    if chosen.new:
        add(folder, index, chosen.new)
    else:
        report = Report(chosen)
        record(folder, index, report)
        report.end()
