# SPDX-License-Identifier: MIT
"""Records tests/fixtures/utils/pad_sequences.json: calls of pad_sequences and their results.

    python record_padding.py FIXTURES [--case TEXT] [--check]
"""

import keras
from oracle import Report, options, read, write


def now(case):
    settings = dict(case["kwargs"])
    # A file cannot contain the class, which Keras does not accept by its name.
    if settings.get("dtype") == "object":
        settings["dtype"] = object
    try:
        padded = keras.utils.pad_sequences(case["sequences"], **settings)
    except Exception as error:  # Which errors Keras raises is part of a recording.
        return {**case, "expect": {"error": type(error).__name__}}
    expect = {"shape": list(padded.shape), "dtype": str(padded.dtype), "values": padded.tolist()}
    return {**case, "expect": expect}


if __name__ == "__main__":
    report = Report(options("Records pad_sequences."))
    file = report.chosen.fixtures / "utils" / "pad_sequences.json"
    content = read(file)
    content["cases"] = [
        report.compare(f"{case['name']} ", case, now(case)) if report.is_chosen(case["name"]) else case
        for case in content["cases"]
    ]
    if not report.chosen.check:
        write(file, {**content, "keras_version": keras.__version__})
    report.end()
