# SPDX-License-Identifier: MIT
"""Records what Keras's older Tokenizer returns for random settings, texts and ids, and its pickles.

    KERAS_BACKEND=torch python keras_tokenizer.py OUT.jsonl [--seed 1] [--count 5000]

One line of JSON a case; tests/support/tokenizers.js runs them through the package.
"""

import argparse
import base64
import collections
import json
import pickle
import random

from keras.src.legacy.preprocessing.text import Tokenizer, tokenizer_from_json
from recorded_file import recorded_file

WORDS = (
    "the cat dog film Good GOOD bad a it's wasn't state-of-the-art 2007 10 007 x.y,z __proto__ constructor <OOV> UNK "
    "Straße İstanbul ΣΑΣ ΟΔΟΣ Σ ςσ ǅ ﬁ K Å naïve 日本語 нет НЕТ 👍🏽 e\u0301 \u00a0 \u2028 \x1c _ $& $1 \\ \" ' ' [x] ]^- "
).split(" ") + ["two words", "tab\tline\nfeed", "\r", "", "a\u200db", "Ⅷ", "ẞ", "𐐀"]
FILTERS = ["", "!.,", "a", "aA", "]^-\\[", "é日👍$", " ", "\t\n", "ß", "Σσ"]


def text(r):
    joined = r.choice([" ", " ", " ", ", ", "  ", "!", "--", "\t", ""])
    return joined.join(r.choice(WORDS) for _ in range(r.randint(0, 9)))


def texts(r):
    return [text(r) if r.random() < 0.85 else [r.choice(WORDS) for _ in range(r.randint(0, 6))] for _ in range(r.randint(0, 5))]


def ids(r):
    return [[r.randint(0, r.choice([3, 12, 40])) for _ in range(r.randint(0, 8))] for _ in range(r.randint(0, 4))]


def settings(r):
    config = {}
    if r.random() < 0.5:
        config["num_words"] = r.choice([None, 0, 1, 2, 3, 5, 8, 20])
    if r.random() < 0.3:
        config["filters"] = r.choice(FILTERS)
    if r.random() < 0.3:
        config["lower"] = r.random() < 0.5
    if r.random() < 0.2:
        config["split"] = r.choice([",", "--", "a", " ", "\n", "👍🏽", "the"])
    if r.random() < 0.15:
        config["char_level"] = True
    if r.random() < 0.5:
        config["oov_token"] = r.choice(["<OOV>", "UNK", "the", "good", "a", ""])
    return config


STEPS = {
    "fit_on_texts": (texts, 4),
    "fit_on_sequences": (ids, 1),
    "texts_to_sequences": (texts, 4),
    "sequences_to_texts": (ids, 2),
    "texts_to_matrix": (texts, 2),
    "sequences_to_matrix": (ids, 1),
    "json": (None, 1),
}


def run(tokenizer, name, args):
    if name == "json":
        read = tokenizer_from_json(tokenizer.to_json())
        # Keras makes plain dictionaries of them, so counting new words would be a KeyError.
        read.word_docs = collections.defaultdict(int, read.word_docs)
        read.index_docs = collections.defaultdict(int, read.index_docs)
        return read, None
    result = getattr(tokenizer, name)(*args)
    return tokenizer, result.tolist() if hasattr(result, "tolist") else result


def case(key):
    r = random.Random(key)
    config = settings(r)
    tokenizer = Tokenizer(**config)
    steps = []
    names = r.choices(list(STEPS), [weight for _, weight in STEPS.values()], k=r.randint(1, 6))
    for name in names:
        draw, _ = STEPS[name]
        args = [] if draw is None else [draw(r)]
        if name.endswith("matrix"):
            args.append(r.choice(["binary", "count", "tfidf", "freq"]))
        step = {"name": name, "args": args}
        try:
            tokenizer, step["result"] = run(tokenizer, name, args)
        except Exception as error:
            step["error"] = f"{type(error).__name__}: {error}"
        steps.append(step)
    file = pickle.dumps(tokenizer, protocol=r.randint(0, 5))
    return {
        "id": key,
        "config": config,
        "steps": steps,
        "json": tokenizer.to_json(),
        "pickle": base64.b64encode(file).decode(),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5000)
    args = parser.parse_args()
    with recorded_file(args.out) as out:
        for i in range(args.count):
            out.write(json.dumps(case(f"{args.seed}:{i}"), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
