// SPDX-License-Identifier: MIT
// What JavaScript can call of optimizers, schedules and constraints.
#include <emscripten/bind.h>

#include "held_layers.hpp"
#include "training/optimizer.hpp"

namespace maskflow::bindings {
namespace {

// An optimizer crosses as the address of a pointer to it that JavaScript's `Optimizer` owns and
// frees.
using OptimizerHandle = std::uintptr_t;

// A function of the step that JavaScript computes before each step.
class FunctionSchedule final : public Schedule {
 public:
  explicit FunctionSchedule(float rate) : Schedule("function"), rate_(rate) {}
  void describe(Fields& /*fields*/) override {}
  [[nodiscard]] float operator()(float /*step*/) const override { return rate_; }
  // A configuration has no place for a function.
  [[nodiscard]] Value serialize() override { return static_cast<double>(rate_); }

 private:
  float rate_;
};

val with_optimizer(OptimizerHandle handle, FunctionRef<val(Optimizer&)> f) {
  return guarded([&] { return f(**reinterpret_cast<OptimizerPtr*>(handle)); });
}

// Own weights of layers, as layer and number one after the other.
struct Place {
  LayerPtr layer;
  VariablePtr variable;
};
Place place_at(const val& places, std::size_t i) {
  LayerPtr layer = layer_at(places[2 * i].as<int>());
  const auto& own = layer->own_weights();
  const auto index = static_cast<std::size_t>(places[2 * i + 1].as<int>());
  if (index >= own.size()) state_error("'", layer->name(), "' has no weight ", index);
  return {layer, own[index]};
}
std::vector<VariablePtr> variables_at(const val& places) {
  std::vector<VariablePtr> variables;
  const std::size_t count = length_of(places) / 2;
  for (std::size_t i = 0; i < count; ++i) variables.push_back(place_at(places, i).variable);
  return variables;
}

ConfigurableKind kind_of(int kind) { return static_cast<ConfigurableKind>(kind); }

val optimizer_create(const val& serialized) {
  return guarded([&] {
    auto made = std::static_pointer_cast<Optimizer>(
        deserialize_configurable(ConfigurableKind::kOptimizer, value_from(serialized)));
    return val(reinterpret_cast<OptimizerHandle>(
        std::make_unique<OptimizerPtr>(std::move(made)).release()));
  });
}

void optimizer_free(OptimizerHandle handle) {
  const std::unique_ptr<OptimizerPtr> owned(reinterpret_cast<OptimizerPtr*>(handle));
}

// {module, class_name, config} with all settings: what is not right is an error now.
val configurable_normalize(int kind, const val& serialized) {
  return guarded([&] {
    return to_js(deserialize_configurable(kind_of(kind), value_from(serialized))->serialize());
  });
}

val schedule_value(const val& serialized, double step) {
  return guarded([&] {
    const auto schedule = std::static_pointer_cast<Schedule>(
        deserialize_configurable(ConfigurableKind::kSchedule, value_from(serialized)));
    return val((*schedule)(static_cast<float>(step)));
  });
}

val optimizer_info(OptimizerHandle handle) {
  return with_optimizer(handle, [](Optimizer& optimizer) {
    JsObject info;
    info.set("className", std::string(optimizer.class_name()));
    info.set("name", optimizer.name());
    info.set("built", optimizer.built());
    info.set("learningRate", optimizer.learning_rate());
    info.set("iterations", optimizer.iterations());
    info.set("steps", static_cast<double>(optimizer.steps()));
    info.set("lossScale", optimizer.loss_scale());
    return info;
  });
}

val optimizer_serialize(OptimizerHandle handle) {
  return with_optimizer(handle, [](Optimizer& optimizer) { return to_js(optimizer.serialize()); });
}

// `matches` is JavaScript's search for a regular expression; null when it throws.
val optimizer_build(OptimizerHandle handle, const val& places, const val& paths,
                    const val& matches) {
  return with_optimizer(handle, [&](Optimizer& optimizer) {
    const std::vector<std::string> names = strings_from(paths);
    std::vector<Trained> trained;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Place place = place_at(places, i);
      trained.push_back(
          {place.variable, names[i], constraint_of(*place.layer, place.variable->name())});
    }
    optimizer.build(std::move(trained), [&](const std::string& pattern, const std::string& text) {
      const val found = matches(pattern, text);
      if (found.isNull()) fail_with(ErrorKind::kCallback, "JavaScript code threw");
      return found.as<bool>();
    });
    return val(true);
  });
}

val optimizer_apply(OptimizerHandle handle, const val& gradients, const val& places) {
  return with_optimizer(handle, [&](Optimizer& optimizer) {
    const std::vector<VariablePtr> variables = variables_at(places);
    std::vector<VariableGradient> all;
    for (std::size_t i = 0; i < length_of(gradients); ++i) {
      const val gradient = gradients[i];
      all.push_back({is_missing(gradient) ? Tensor() : tensor_from(gradient)});
    }
    optimizer.apply(all, variables);
    return val(true);
  });
}

val optimizer_finalize(OptimizerHandle handle, const val& places) {
  return with_optimizer(handle, [&](Optimizer& optimizer) {
    optimizer.finalize_variable_values(variables_at(places));
    return val(true);
  });
}

// A number, a serialized schedule, or {function: number}: what a function of JavaScript's gives
// now.
val optimizer_set_rate(OptimizerHandle handle, const val& rate) {
  return with_optimizer(handle, [&](Optimizer& optimizer) {
    const Value given = value_from(rate);
    LearningRate now;
    if (const Value* number = given.find("function")) {
      now.schedule =
          std::make_shared<FunctionSchedule>(static_cast<float>(number->as_number("learningRate")));
    } else {
      read_value(given, "learningRate", now);
    }
    optimizer.set_learning_rate(std::move(now));
    return val(true);
  });
}

val optimizer_exclude(OptimizerHandle handle, const val& patterns) {
  return with_optimizer(handle, [&](Optimizer& optimizer) {
    optimizer.exclude_from_weight_decay(strings_from(patterns));
    return val(true);
  });
}

val optimizer_variables(OptimizerHandle handle) {
  return with_optimizer(handle, [](Optimizer& optimizer) {
    JsList list;
    for (const Optimizer::StateVariable& one : optimizer.variables()) {
      JsObject entry;
      entry.set("name", one.variable->name());
      entry.set("path", one.path);
      entry.set("shape", to_js(one.variable->shape()));
      entry.set("dtype", static_cast<int>(one.variable->dtype()));
      list.push(entry);
    }
    return list;
  });
}

val optimizer_get_weight(OptimizerHandle handle, int index) {
  return with_optimizer(handle, [&](Optimizer& optimizer) {
    const std::vector<Optimizer::StateVariable> all = optimizer.variables();
    const auto place = static_cast<std::size_t>(index);
    if (place >= all.size()) {
      state_error("the optimizer has ", all.size(), " variables now; read `variables` again");
    }
    return to_js(all[place].variable->value());
  });
}

val optimizer_set_weights(OptimizerHandle handle, const val& values) {
  return with_optimizer(handle, [&](Optimizer& optimizer) {
    optimizer.set_weights(tensors_from(values));
    return val(true);
  });
}

EMSCRIPTEN_BINDINGS(maskflow_optimizers) {
  using emscripten::function;
  function("configurableNormalize", &configurable_normalize);
  function("scheduleValue", &schedule_value);
  function("optimizerCreate", &optimizer_create);
  function("optimizerFree", &optimizer_free);
  function("optimizerInfo", &optimizer_info);
  function("optimizerSerialize", &optimizer_serialize);
  function("optimizerBuild", &optimizer_build);
  function("optimizerApply", &optimizer_apply);
  function("optimizerFinalize", &optimizer_finalize);
  function("optimizerSetRate", &optimizer_set_rate);
  function("optimizerExclude", &optimizer_exclude);
  function("optimizerVariables", &optimizer_variables);
  function("optimizerGetWeight", &optimizer_get_weight);
  function("optimizerSetWeights", &optimizer_set_weights);
}

}  // namespace
}  // namespace maskflow::bindings
