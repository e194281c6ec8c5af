#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""torch_programs.py FOLDER [--seed N] [--count M] [--first K]: random models of PyTorch in state
dicts and saved whole, and what they compute, for the programs that `maskflow info` prints of their
files. tests/fuzz/keras.js replays them. Needs torch alone."""
import argparse
import base64
import io
import json
import os
import random

import torch
from recorded_file import recorded_file
from torch import nn

# Cases of a file.
SIZE = 50
NAMES = {
    nn.Embedding: ["embedding", "emb", "word_embed", "words.embed"],
    nn.LSTM: ["lstm", "rnn"],
    nn.GRU: ["gru", "rnn"],
    nn.RNN: ["rnn", "recurrent"],
    nn.Linear: ["fc", "linear", "out_proj", "classifier"],
    nn.LayerNorm: ["norm", "ln"],
    nn.BatchNorm1d: ["bn", "batch_norm"],
    nn.Conv1d: ["conv", "conv1"],
    nn.TransformerEncoderLayer: ["block", "attention"],
    nn.TransformerEncoder: ["transformer", "encoder"],
}


def encode(tensor):
    array = tensor.detach().contiguous().numpy()
    array = array.astype("int32" if array.dtype.kind == "i" else "float32")
    data = base64.b64encode(array.tobytes()).decode()
    return {"dtype": str(array.dtype), "shape": list(array.shape), "data": data}


class Program(nn.Module):
    """Modules that run one after the other."""

    def __init__(self, rng, whole):
        super().__init__()
        self.order = []
        self.rng, self.whole, self.complete = rng, whole, True
        self.ids = self.features = None
        if rng.random() < 0.7:
            self.ids, self.features = rng.randint(4, 20), rng.randint(2, 8)
            padding = rng.choice([None, None, 0, 0, 1, -1])
            self.add(nn.Embedding(self.ids, self.features, padding_idx=padding))
        else:
            self.features = rng.randint(2, 8)
        self.first = self.features
        self.both = False
        self.stacks = rng.choice([0, 1, 1, 1, 2])
        for make in rng.sample([self.add_conv, self.add_norm, self.add_encoder], rng.randint(0, 2)):
            make()
        for index in range(self.stacks):
            self.both = self.add_recurrent()
            if index == 0 and rng.random() < 0.2:
                self.add_norm()
        for make in rng.sample([self.add_norm, self.add_batch_norm], rng.randint(0, 1)):
            make()
        for _ in range(rng.randint(0 if self.stacks else 1, 2)):
            self.add_linear()

    def add(self, module):
        """Adds a module under a name that no other has."""
        name = self.rng.choice(NAMES[type(module)])
        while name in self.order:
            name += "2"
        owner, parts = self, name.split(".")
        for part in parts[:-1]:
            if not hasattr(owner, part):
                owner.add_module(part, nn.Module())
            owner = getattr(owner, part)
        if hasattr(owner, parts[-1]):
            return self.add(module)
        owner.add_module(parts[-1], module)
        self.order.append(name)
        return module

    def add_recurrent(self):
        rng = self.rng
        units, both = rng.randint(1, 8), rng.random() < 0.4
        settings = {"bidirectional": both, "bias": rng.random() < 0.9, "batch_first": True}
        make = rng.choice([nn.LSTM, nn.GRU, nn.RNN])
        if make is nn.RNN and self.whole:
            settings["nonlinearity"] = rng.choice(["tanh", "relu"])
        self.add(make(self.features, units, rng.randint(1, 3), **settings))
        self.features = units * (2 if both else 1)
        return both

    def add_conv(self):
        rng, filters = self.rng, self.rng.randint(1, 6)
        settings = {}
        if self.whole:
            settings = {"padding": rng.choice([0, 1]), "stride": rng.choice([1, 2])}
        self.add(nn.Conv1d(self.features, filters, rng.randint(1, 3), **settings))
        self.features = filters

    def add_norm(self):
        eps = self.rng.choice([1e-5, 1e-2]) if self.whole else 1e-5
        self.add(nn.LayerNorm(self.features, eps=eps))

    def add_batch_norm(self):
        eps = self.rng.choice([1e-5, 1e-2]) if self.whole else 1e-5
        self.add(nn.BatchNorm1d(self.features, eps=eps))

    def add_encoder(self):
        rng = self.rng
        heads = rng.choice([n for n in range(1, 5) if self.features % n == 0])
        settings = {"dim_feedforward": rng.randint(2, 9), "batch_first": True}
        if self.whole:
            settings["norm_first"] = rng.random() < 0.5
            settings["activation"] = rng.choice(["relu", "gelu"])
        layer = nn.TransformerEncoderLayer(self.features, heads, **settings)
        if rng.random() < 0.5:
            layer = nn.TransformerEncoder(layer, rng.randint(1, 2), enable_nested_tensor=False)
        self.add(layer)
        self.complete = self.complete and self.whole

    def add_linear(self):
        units = self.rng.randint(1, 6)
        self.add(nn.Linear(self.features, units, bias=self.rng.random() < 0.9))
        self.features = units

    def forward(self, x, style):
        """All steps, the last step or the final states, through the modules that follow."""
        left = self.stacks
        for name in self.order:
            module = self.get_submodule(name)
            if isinstance(module, nn.RNNBase):
                left -= 1
                x, state = module(x)
                h = state[0] if isinstance(state, tuple) else state
                if left == 0 and style == "last":
                    x = x[:, -1]
                if left == 0 and style == "states":
                    x = torch.cat([h[-2], h[-1]], 1) if self.both else h[-1]
            elif isinstance(module, nn.Conv1d):
                x = module(x.transpose(1, 2)).transpose(1, 2)
            elif isinstance(module, nn.BatchNorm1d) and x.dim() == 3:
                x = module(x.transpose(1, 2)).transpose(1, 2)
            else:
                x = module(x)
        return x


def saved(value):
    stream = io.BytesIO()
    torch.save(value, stream)
    return base64.b64encode(stream.getvalue()).decode()


def record(seed, number):
    rng = random.Random(f"{seed} {number}")
    torch.manual_seed(rng.randint(0, 2**31))
    whole = rng.random() < 0.4
    model = Program(rng, whole).eval()
    for parameter in model.parameters():
        parameter.copy_(torch.randn_like(parameter) * 0.5)
    for module in model.modules():
        if isinstance(module, nn.BatchNorm1d):
            module.running_mean.normal_()
            module.running_var.uniform_(0.3, 2)
    batch, time = rng.randint(1, 4), rng.randint(6, 12)
    x = torch.randn(batch, time, model.first)
    if model.ids:
        x = torch.randint(0, model.ids, (batch, time))
        for row in x:
            # Zeros, as of padding, in any place.
            row[rng.randint(0, time) :] = 0
    case = {"id": f"{seed}-{number}", "both": model.both, "isComplete": model.complete}
    # Gradients keep encoders off their fast path, which has another precision.
    with torch.enable_grad():
        case["outputs"] = {s: encode(model(x, s)) for s in ["all", "last", "states"]}
    case.update(x=encode(x), recurrent=model.stacks, order=model.order)
    model.rng = None
    return {**case, "file": saved(model if whole else model.state_dict())}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    # Some builds of oneDNN compute an LSTM of plain batches wrongly.
    torch.backends.mkldnn.enabled = False
    os.makedirs(options.folder, exist_ok=True)
    end = options.first + options.count
    for start in range(options.first, end, SIZE):
        with torch.no_grad():
            cases = [record(options.seed, i) for i in range(start, min(start + SIZE, end))]
        path = os.path.join(options.folder, f"{start}.json")
        with recorded_file(path) as file:
            json.dump({"cases": cases}, file)


main()
