#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""torch_modules.py FOLDER [--seed N] [--count M] [--first K]: random modules of PyTorch, their
files in every format, and what PyTorch computes with packed lengths and initial states.
tests/fuzz/keras.js replays them. Needs torch alone."""
import argparse
import base64
import io
import json
import os
import random
import struct

import torch
from recorded_file import recorded_file
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

# Cases of a file.
SIZE = 100
PREFIXES = ["", "", "", "model.", "module.", "_orig_mod.", "encoder.layer.", "module.model."]
SAFETENSORS = {
    torch.float32: "F32",
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.float64: "F64",
    torch.int64: "I64",
}


# Type of the floats in the files of a case.
stored = torch.float32
# Type in which the modules compute: float64 shows how far PyTorch's own float32 is from the truth.
computed = torch.float32


def prepared(module):
    """The module in eval mode, with the numbers that its files keep."""
    for tensor in [*module.parameters(), *module.buffers()]:
        if tensor.is_floating_point():
            tensor.copy_(tensor.to(stored).float())
    return module.eval().to(computed)


def random_floats(*shape):
    return torch.randn(*shape).to(computed)


def text(data):
    return base64.b64encode(data).decode()


def encode(tensor):
    """A tensor as JSON."""
    array = tensor.detach().contiguous().numpy()
    array = array.astype("int32" if array.dtype.kind == "i" else "float32")
    return {"dtype": str(array.dtype), "shape": list(array.shape), "data": text(array.tobytes())}


def safetensors(state):
    head, parts, offset = {"__metadata__": {"format": "pt"}}, [], 0
    for name, value in state.items():
        value = value.contiguous()
        bits = value.view(torch.int16) if value.dtype == torch.bfloat16 else value
        part = bits.numpy().tobytes()
        head[name] = {
            "dtype": SAFETENSORS[value.dtype],
            "shape": list(value.shape),
            "data_offsets": [offset, offset + len(part)],
        }
        offset += len(part)
        parts.append(part)
    header = json.dumps(head).encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + b"".join(parts)


class Classifier(nn.Module):
    def __init__(self, rng):
        super().__init__()
        self.ids, dim, units = rng.randint(5, 40), rng.randint(2, 9), rng.randint(2, 12)
        self.both, layers = rng.random() < 0.5, rng.randint(1, 3)
        self.embedding = nn.Embedding(self.ids, dim, padding_idx=0)
        make = getattr(nn, rng.choice(["LSTM", "GRU", "RNN"]))
        self.rnn = make(dim, units, layers, bidirectional=self.both, batch_first=True)
        features = units * (2 if self.both else 1)
        self.fc = nn.Linear(features, rng.choice([1, 3, 7]), bias=rng.random() < 0.8)

    def forward(self, ids, lengths):
        x = self.embedding(ids)
        x = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        _, state = self.rnn(x)
        state = state[0] if isinstance(state, tuple) else state
        return self.fc(torch.cat([state[-2], state[-1]], 1) if self.both else state[-1])


def rnn(rng, batch, time, lengths):
    cell = rng.choice(["LSTM", "GRU", "RNN"])
    settings = {
        "num_layers": rng.randint(1, 4),
        "bias": rng.random() < 0.85,
        "batch_first": rng.random() < 0.7,
        "bidirectional": rng.random() < 0.5,
    }
    if cell == "RNN":
        settings["nonlinearity"] = rng.choice(["tanh", "relu"])
    features, units = rng.randint(1, 8), rng.randint(1, 10)
    module = getattr(nn, cell)(features, units, **settings)
    prepared(module)
    x = random_floats(batch, time, features)
    states = None
    if rng.random() < 0.4:
        count = settings["num_layers"] * (2 if settings["bidirectional"] else 1)
        states = [random_floats(count, batch, units) for _ in range(2 if cell == "LSTM" else 1)]
    first = settings["batch_first"]
    packed = pack_padded_sequence(
        x if first else x.transpose(0, 1), lengths, batch_first=first, enforce_sorted=False
    )
    initial = states and (tuple(states) if cell == "LSTM" else states[0])
    y, final = module(packed, initial)
    y, _ = pad_packed_sequence(y, batch_first=True)
    return module, {
        "config": {"input_size": features, "hidden_size": units, **settings},
        "x": encode(x),
        "initial": states and [encode(state) for state in states],
        "output": encode(y),
        "states": [encode(state) for state in (final if cell == "LSTM" else [final])],
    }


def classifier(rng, batch, time, lengths):
    module = prepared(Classifier(rng))
    keep = torch.arange(time)[None] < torch.tensor(lengths)[:, None]
    ids = torch.randint(1, module.ids, (batch, time)) * keep
    y = module(ids, torch.tensor(lengths))
    return module, {"config": {}, "x": encode(ids), "output": encode(y)}


def attention(rng, batch, time, lengths):
    heads = rng.randint(1, 4)
    size = heads * rng.randint(1, 5)
    sizes = {"bias": rng.random() < 0.8}
    other = rng.random() < 0.4
    if other:
        sizes.update(kdim=rng.randint(1, 6), vdim=rng.randint(1, 6))
    module = nn.MultiheadAttention(size, heads, batch_first=True, **sizes)
    # PyTorch begins with zeros.
    for parameter in module.parameters():
        if parameter.dim() == 1:
            nn.init.uniform_(parameter, -0.3, 0.3)
    prepared(module)
    # Queries may be more or fewer than keys.
    x = random_floats(batch, rng.randint(1, 9) if other else time, size)
    key = random_floats(batch, time, sizes["kdim"]) if other else x
    value = random_floats(batch, time, sizes["vdim"]) if other else x
    keep = torch.arange(time)[None] < torch.tensor(lengths)[:, None]
    causal = not other and rng.random() < 0.4
    future = torch.triu(torch.ones(time, time, dtype=torch.bool), 1) if causal else None
    y, weights = module(
        x, key, value, key_padding_mask=~keep, attn_mask=future, average_attn_weights=False
    )
    config = {"embed_dim": size, "num_heads": heads, "causal": causal, **sizes}
    return module, {
        "config": config,
        "x": encode(x),
        "key": encode(key),
        "value": encode(value),
        "output": encode(y),
        "weights": encode(weights),
    }


def encoder(rng, batch, time, lengths):
    heads = rng.randint(1, 3)
    size = heads * rng.randint(2, 5)
    settings = {
        "dim_feedforward": rng.randint(3, 12),
        "activation": rng.choice(["relu", "gelu"]),
        "norm_first": rng.random() < 0.5,
        "layer_norm_eps": rng.choice([1e-5, 1e-5, 1e-2]),
        "bias": rng.random() < 0.8,
    }
    layer = nn.TransformerEncoderLayer(size, heads, batch_first=True, **settings)
    config = {"d_model": size, "nhead": heads, **settings}
    module = layer
    if rng.random() < 0.8:
        config["num_layers"] = rng.randint(1, 3)
        # One setting is for all norms.
        norm = None
        if rng.random() < 0.4:
            norm = nn.LayerNorm(size, eps=settings["layer_norm_eps"])
        module = nn.TransformerEncoder(
            layer, config["num_layers"], norm=norm, enable_nested_tensor=False
        )
    for parameter in module.parameters():
        nn.init.uniform_(parameter, -0.7, 0.7)
    prepared(module)
    x = random_floats(batch, time, size)
    keep = torch.arange(time)[None] < torch.tensor(lengths)[:, None]
    future = None
    if rng.random() < 0.3:
        config["causal"] = True
        future = torch.triu(torch.ones(time, time, dtype=torch.bool), 1)
    with torch.enable_grad():
        argument = "mask" if module is not layer else "src_mask"
        y = module(x, src_key_padding_mask=~keep, **{argument: future})
    return module, {"config": config, "x": encode(x), "output": encode(y)}


def conv(rng, batch, time, _lengths):
    channels, kernel = rng.randint(1, 5), rng.randint(1, 4)
    groups = rng.choice([1, 1, channels])
    same = rng.random() < 0.4
    settings = {
        "padding": "same" if same else rng.choice([0, 0, 1, 2]),
        "stride": 1 if same else rng.choice([1, 1, 2, 3]),
        "dilation": rng.choice([1, 1, 2]),
        "groups": groups,
        "bias": rng.random() < 0.8,
    }
    filters = rng.randint(1, 6) * groups
    module = prepared(nn.Conv1d(channels, filters, kernel, **settings))
    steps = max(time, (kernel - 1) * settings["dilation"] + 1)
    x = random_floats(batch, channels, steps)
    config = {
        "in_channels": channels,
        "out_channels": filters,
        "kernel_size": kernel,
        **settings,
    }
    return module, {
        "config": config,
        "x": encode(x.transpose(1, 2)),
        "output": encode(module(x).transpose(1, 2)),
        "lengths": None,
    }


def norms(rng, batch, time, _lengths):
    size = rng.randint(2, 8)
    steps = time if rng.random() < 0.5 else None
    kind = rng.choice(["LayerNorm", "LayerNorm", "RMSNorm"])
    arguments = {"eps": rng.choice([1e-5, 1e-3, 0.1])}
    if kind == "LayerNorm":
        arguments["bias"] = rng.random() < 0.8
    options = {
        "ln": {"kind": kind, **arguments},
        "bn": {"eps": rng.choice([1e-5, 1e-3, 0.1])},
        "act": {"rank": 2 if steps is None else 3},
    }
    parts = {
        "fc": nn.Linear(size, size, bias=rng.random() < 0.8),
        "ln": getattr(nn, kind)(size, **arguments),
        "bn": nn.BatchNorm1d(size, affine=rng.random() < 0.8, **options["bn"]),
        "act": nn.PReLU(rng.choice([1, size])),
        "em": nn.Embedding(6, size),
    }
    module = nn.ModuleDict(parts)
    for parameter in module.parameters():
        parameter.copy_(torch.randn_like(parameter))
    module.bn.running_mean.normal_()
    module.bn.running_var.uniform_(0.3, 2)
    prepared(module)
    x = random_floats(batch, size) if steps is None else random_floats(batch, steps, size)
    y = module.ln(module.fc(x))
    # PyTorch has the channels second.
    channels = y if steps is None else y.transpose(1, 2)
    y = module.act(module.bn(channels))
    y = y if steps is None else y.transpose(1, 2)
    fields = {"config": {}, "options": options, "x": encode(x), "output": encode(y)}
    return module, {**fields, "lengths": None}


class Tagger(nn.Module):
    """A result for each step, of modules inside others."""

    def __init__(self, rng):
        super().__init__()
        self.ids, dim, units = rng.randint(5, 40), rng.randint(2, 9), rng.randint(2, 12)
        self.padding = rng.choice([0, 1, self.ids - 1, -2])
        both, eps = rng.random() < 0.5, rng.choice([1e-5, 1e-2])
        features = units * (2 if both else 1)
        make = getattr(nn, rng.choice(["LSTM", "GRU", "RNN"]))
        layers = rng.randint(1, 3)
        recurrent = make(dim, units, layers, bidirectional=both, batch_first=True, dropout=0.2)
        embedding = nn.Embedding(self.ids, dim, padding_idx=self.padding)
        self.encoder = nn.ModuleDict({"embed": embedding, "rnn": recurrent})
        self.head = nn.Sequential(
            nn.LayerNorm(features, eps=eps), nn.Dropout(0.3), nn.Linear(features, 4)
        )
        self.options = {"embed": {"padding_idx": self.padding}, "norm": {"eps": eps}}

    def forward(self, ids, lengths):
        x = self.encoder["embed"](ids)
        x = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        y, _ = pad_packed_sequence(self.encoder["rnn"](x)[0], batch_first=True)
        return self.head(y)


def tagger(rng, batch, time, lengths):
    module = prepared(Tagger(rng))
    padding = module.padding % module.ids
    keep = torch.arange(time)[None] < torch.tensor(lengths)[:, None]
    ids = torch.randint(0, module.ids - 1, (batch, time))
    ids = torch.where(keep, ids + (ids >= padding), padding)
    y = module(ids, torch.tensor(lengths))
    fields = {"config": {}, "options": module.options, "x": encode(ids), "output": encode(y)}
    return module, fields


KINDS = [rnn, rnn, rnn, classifier, tagger, attention, encoder, conv, norms]


def saved(value, **options):
    stream = io.BytesIO()
    torch.save(value, stream, **options)
    return text(stream.getvalue())


def wrapped(rng, state):
    """The state dict, or a checkpoint with it."""
    optimizer = {
        "state": {0: {"exp_avg": torch.ones(2, 2), "step": torch.tensor(3.0)}},
        "param_groups": [{"lr": 1e-3, "params": [0]}],
    }
    return rng.choice(
        [
            state,
            state,
            {"epoch": 3, "model_state_dict": state, "optimizer_state_dict": optimizer},
            {"state_dict": state, "optimizer_states": [optimizer], "loss": torch.tensor(0.5)},
            [state, optimizer],
        ]
    )


def decoded(array):
    floats = torch.frombuffer(bytearray(base64.b64decode(array["data"])), dtype=torch.float32)
    return floats.double()


def measured(kind, rng, *sizes):
    """Makes a module, and adds `noise`: how far PyTorch's float32 is from its float64, relative to
    the tolerance of the comparison."""
    global computed
    before, torch_before = rng.getstate(), torch.get_rng_state()
    computed = torch.float64
    _, exact = kind(rng, *sizes)
    computed = torch.float32
    rng.setstate(before)
    torch.set_rng_state(torch_before)
    module, fields = kind(rng, *sizes)
    arrays = [
        (decoded(one), decoded(two))
        for key in ["output", "states", "weights"]
        for one, two in zip(listed(fields.get(key)), listed(exact.get(key)))
    ]
    noise = max(((a - b).abs() / (2e-6 + 1e-5 * b.abs())).max().item() for a, b in arrays)
    return module, {**fields, "noise": noise}


def listed(value):
    return value if isinstance(value, list) else [value] if value else []


def record(seed, number):
    global stored
    rng = random.Random(f"{seed} {number}")
    torch.manual_seed(rng.randint(0, 2**31))
    batch, time = rng.randint(1, 5), rng.randint(1, 12)
    lengths = [rng.randint(1, time) for _ in range(batch - 1)] + [time]
    kind = rng.choice(KINDS)
    name = rng.choice(["float32"] * 8 + ["float16", "bfloat16", "float64"])
    stored = getattr(torch, name)
    module, fields = measured(kind, rng, batch, time, lengths)
    case = {"id": f"{kind.__name__}-{seed}-{number}", "kind": kind.__name__, "lengths": lengths}
    case.update(fields)
    state = module.state_dict()
    state = {k: v.to(stored) if v.is_floating_point() else v for k, v in state.items()}
    prefix = rng.choice(PREFIXES)
    state = {prefix + name: value for name, value in state.items()}
    case["prefix"] = prefix[:-1]
    case["names"] = {name: list(value.shape) for name, value in state.items()}
    files = {"model.pth": saved(wrapped(rng, state))}
    old = saved(wrapped(rng, state), _use_new_zipfile_serialization=False)
    extra = rng.choice(["model.safetensors", "old.pth", "protocol 4", "module", "old module"])
    if extra == "model.safetensors":
        files[extra] = text(safetensors(state))
    elif extra == "old.pth":
        files[extra] = old
    elif extra == "protocol 4":
        files[extra] = saved(state, pickle_protocol=4)
    elif not prefix and name == "float32":
        files[extra] = saved(module, _use_new_zipfile_serialization=extra == "module")
    return {**case, "files": files}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    os.makedirs(options.folder, exist_ok=True)
    end = options.first + options.count
    for start in range(options.first, end, SIZE):
        with torch.no_grad():
            cases = [record(options.seed, i) for i in range(start, min(start + SIZE, end))]
        path = os.path.join(options.folder, f"{start}.json")
        with recorded_file(path) as file:
            json.dump({"cases": cases}, file)


main()
