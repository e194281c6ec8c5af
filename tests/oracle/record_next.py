# SPDX-License-Identifier: MIT
"""Records tests/fixtures/next-3.16/layers_masks.json: where the masks and warnings of a later
version of Keras differ from those of tests/fixtures/layers.

    python record_next.py FIXTURES [--family lstm] [--check]

Run it with the later version. A difference of numbers is named, and is never written.
"""

import keras
from keras.src import backend
from oracle import Report, differences, options, read, write
from record_layers import recorded_again

KEYS = ("masks", "warns_mask_destroyed")


def changes_of(content):
    """Returns { case: its new masks and warning } and the differences of numbers of a family."""
    changed, different = {}, []
    for case in content["cases"]:
        if "fn" in case or "error" in case["expect"]:
            continue
        now = recorded_again(case)["expect"]
        if "error" in now:
            different.append(f"{case['name']}: {now['error']}")
            continue
        rest = [{k: v for k, v in each.items() if k not in KEYS} for each in (case["expect"], now)]
        different += [f"{case['name']} {line}" for line in differences(*rest)]
        if differences(*({key: each[key] for key in KEYS} for each in (case["expect"], now))):
            changed[case["name"]] = {key: now[key] for key in KEYS}
    return changed, different


def short(changed, recorded):
    """Writes a mask as the recorded file does where that one refers to a mask of the case."""
    masks = [
        old if isinstance(old, str) and new is not None else new
        for old, new in zip(recorded.get("masks", changed["masks"]), changed["masks"])
    ]
    return {**changed, "masks": masks}


if __name__ == "__main__":
    chosen = options("Records masks of a later version.", family={"action": "append"})
    report = Report(chosen)
    path = chosen.fixtures / "next-3.16" / "layers_masks.json"
    overlay = read(path)
    for file in sorted((chosen.fixtures / "layers").glob("*.json")):
        content = read(file)
        if chosen.family and file.stem not in chosen.family:
            continue
        if content["backend"] != backend.backend():
            print(f"{file.stem}: left out, because it is recorded with {content['backend']}")
            continue
        changed, different = changes_of(content)
        for line in different:
            print(f"{file.stem} {line}")
        before = overlay["families"].get(file.stem, {})
        now = {name: short(change, before.get(name, {})) for name, change in changed.items()}
        for name in {**before, **now}:
            report.compare(f"{file.stem} {name} ", before.get(name), now.get(name))
        if now:
            overlay["families"][file.stem] = now
    if not chosen.check:
        write(path, {**overlay, "keras_version": keras.__version__})
    report.end()
