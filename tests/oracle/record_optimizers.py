# SPDX-License-Identifier: MIT
"""Records tests/fixtures/training/optimizers: trajectories of optimizers, schedules, constraints.

    python record_optimizers.py FIXTURES [--case TEXT] [--check]

Everything is computed with float32 and again with float64: `spread` is the distance between both,
relative to the largest number. It says how far another implementation may be.
"""

import copy

import keras
import numpy as np
from keras.src import backend
from oracle import Report, decode, encode, numbers, options, read, write

STEPS = 16


def spread_of(single, double):
    """Returns the largest relative distance of some arrays of both precisions."""
    distances = [0.0]
    for ours, exact in zip(single, double):
        size = np.max(np.abs(exact), initial=0)
        if size > 0:
            distances.append(float(np.max(np.abs(ours - exact), initial=0) / size))
    return max(distances)


def steps_without_gradient(case):
    """Returns the variable and the steps of "bias at steps 1, 4 (counted from 0)"."""
    words = case.get("no_gradient", "").replace(",", "").split()
    return (words[0], [int(word) for word in words if word.isdigit()]) if words else ("", [])


def built_optimizer(case, problem, dtype):
    # from_config changes the configuration of an inner optimizer.
    optimizer = keras.saving.deserialize_keras_object(copy.deepcopy(case["optimizer"]))
    variables = [
        keras.Variable(decode(x).astype(dtype), dtype=dtype, name=x["name"])
        for x in problem["variables"]
    ]
    if "exclude_from_weight_decay" in case:
        optimizer.exclude_from_weight_decay(var_names=case["exclude_from_weight_decay"])
    if "constraint_on_first" in case:
        constraint = keras.saving.deserialize_keras_object(case["constraint_on_first"])
        variables[0].constraint = constraint
    optimizer.build(variables)
    return optimizer, variables


def gradients_of(case, problem, step, dtype):
    without, steps = steps_without_gradient(case)
    gradients = []
    for index, (recorded, variable) in enumerate(zip(problem["gradients"], problem["variables"])):
        gradient = decode(recorded).astype(dtype)[step] * case.get("gradients_times", 1)
        if index == 0 and case.get("infinite_first_gradient_at") == step:
            gradient = np.full_like(gradient, np.inf)
        is_left_out = variable["name"] == without and step in steps
        gradients.append(None if is_left_out else backend.convert_to_tensor(gradient.astype(dtype)))
    return gradients


def trajectory(case, problem, dtype):
    """Returns the results of all steps: variables, rates, the optimizer's variables, final values."""
    keras.config.set_floatx(dtype)
    optimizer, variables = built_optimizer(case, problem, dtype)
    after, rates = [[] for _ in variables], []
    for step in range(problem["gradients"][0]["shape"][0]):
        optimizer.apply(gradients_of(case, problem, step, dtype))
        rates.append(float(numbers(backend.convert_to_tensor(optimizer.learning_rate))))
        for stack, variable in zip(after, variables):
            stack.append(numbers(variable.value).copy())
    own = [(variable.name, variable.path, numbers(variable.value)) for variable in optimizer.variables]
    optimizer.finalize_variable_values(variables)
    final = [numbers(variable.value).copy() for variable in variables]
    return [np.stack(stack) for stack in after], rates, own, final


def optimizer_now(case, problems):
    problem = problems[case["problem"]]
    after, rates, own, final = trajectory(case, problem, "float32")
    exact, _, exact_own, _ = trajectory(case, problem, "float64")
    keras.config.set_floatx("float32")
    now = {
        **case,
        "after_step": [encode(x) for x in after],
        "learning_rate_after_step": rates,
        "optimizer_variables": [
            {"name": name, "path": path, **encode(x), "spread": spread_of([x], [other[2]])}
            for (name, path, x), other in zip(own, exact_own)
        ],
        "spread": spread_of(after, exact),
    }
    return {**now, "finalized": [encode(x) for x in final]} if "finalized" in case else now


def schedule_now(case):
    schedule = keras.optimizers.schedules.deserialize(case["schedule"])
    rates = [float(numbers(backend.convert_to_tensor(schedule(step)))) for step in range(STEPS)]
    return {**case, "values": rates}


def constraint_now(case):
    constraint = keras.saving.deserialize_keras_object(case["constraint"])
    return {**case, "y": encode(constraint(backend.convert_to_tensor(decode(case["x"]))))}


def kept_spreads(recorded, computed):
    """Keeps recorded spreads, which are rounded, unless the new ones are far larger."""
    if isinstance(recorded, dict) and isinstance(computed, dict):
        now = {key: kept_spreads(recorded.get(key), value) for key, value in computed.items()}
        if "spread" in recorded and now["spread"] < 4 * max(recorded["spread"], 1e-6):
            now["spread"] = recorded["spread"]
        return now
    if isinstance(recorded, list) and isinstance(computed, list):
        return [kept_spreads(*pair) for pair in zip(recorded, computed)]
    return computed


if __name__ == "__main__":
    report = Report(options("Records optimizers, schedules and constraints."))
    kinds = {
        "optimizers": lambda case, content: kept_spreads(
            case, optimizer_now(case, content["problems"])
        ),
        "schedules": lambda case, _: schedule_now(case),
        "constraints": lambda case, _: constraint_now(case),
    }
    for name, now in kinds.items():
        file = report.chosen.fixtures / "training" / "optimizers" / f"{name}.json"
        content = read(file)
        for index, case in enumerate(content["cases"]):
            title = case.get("name", f"{index}")
            if report.is_chosen(title):
                computed = now(case, content)
                content["cases"][index] = report.compare(f"{name} {title} ", case, computed)
        if not report.chosen.check:
            write(file, {**content, "keras_version": keras.__version__})
    report.end()
