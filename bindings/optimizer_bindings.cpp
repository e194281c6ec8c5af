// SPDX-License-Identifier: MIT
// Optimizers, schedules and constraints as JavaScript calls them. Only the module of maskflow/train
// links this table.
#include "bind.hpp"
#include "training/optimizer.hpp"

namespace maskflow::bindings {
namespace {

// An optimizer crosses as the address of an OptimizerPtr that JavaScript's `Optimizer` owns and
// frees.
using OptimizerHandle = std::uintptr_t;

}  // namespace

template <>
struct Receiver<Optimizer&> {
  using Wire = OptimizerHandle;
  static val run(OptimizerHandle handle, FunctionRef<val(Optimizer&)> f) {
    return guarded([&] { return f(**reinterpret_cast<OptimizerPtr*>(handle)); });
  }
};

namespace {

// The present value of a JavaScript function of the step; JavaScript computes it before each step.
class FunctionSchedule final : public Schedule {
 public:
  explicit FunctionSchedule(float rate) : Schedule("function"), rate_(rate) {}
  void describe(Fields& /*fields*/) override {}
  [[nodiscard]] float operator()(float /*step*/) const override { return rate_; }
  // Returns the present rate, because a configuration cannot contain a function.
  [[nodiscard]] Value serialize() override { return static_cast<double>(rate_); }

 private:
  float rate_;
};

// A weight of a layer. JavaScript names weights by one flat list: the handle of the first weight's
// layer, the index among that layer's own weights, the handle of the second weight's layer, …
struct OwnWeight {
  LayerPtr layer;
  VariablePtr variable;
};
OwnWeight weight_at(const val& weights, std::size_t i) {
  LayerPtr layer = layer_at(weights[2 * i].as<int>());
  const auto& own = layer->own_weights();
  const auto index = static_cast<std::size_t>(weights[2 * i + 1].as<int>());
  if (index >= own.size()) state_error("'", layer->name(), "' has no weight ", index);
  return {layer, own[index]};
}
std::vector<VariablePtr> variables_of(const val& weights) {
  std::vector<VariablePtr> variables;
  const std::size_t count = length_of(weights) / 2;
  for (std::size_t i = 0; i < count; ++i) variables.push_back(weight_at(weights, i).variable);
  return variables;
}

OptimizerHandle optimizer_create(const Value& serialized) {
  return give(std::static_pointer_cast<Optimizer>(
      deserialize_configurable(ConfigurableKind::kOptimizer, serialized)));
}

void optimizer_free(OptimizerHandle handle) { free_given<OptimizerPtr>(handle); }

// Returns {module, class_name, config, registered_name} with all settings; invalid ones are errors.
Value configurable_normalize(int kind, const Value& serialized) {
  return deserialize_configurable(static_cast<ConfigurableKind>(kind), serialized)->serialize();
}

double schedule_value(const Value& serialized, double step) {
  const auto schedule = std::static_pointer_cast<Schedule>(
      deserialize_configurable(ConfigurableKind::kSchedule, serialized));
  return (*schedule)(static_cast<float>(step));
}

JsObject optimizer_info(Optimizer& optimizer) {
  return object_of(Field{"className", std::string(optimizer.class_name())},
                   Field{"name", optimizer.name()}, Field{"built", optimizer.built()},
                   Field{"learningRate", optimizer.learning_rate()},
                   Field{"iterations", optimizer.iterations()}, Field{"steps", optimizer.steps()},
                   Field{"lossScale", optimizer.loss_scale()});
}

Value optimizer_serialize(Optimizer& optimizer) { return optimizer.serialize(); }

// `matches` is JavaScript's search for a regular expression; it returns null if it throws.
void optimizer_build(Optimizer& optimizer, const val& weights,
                     const std::vector<std::string>& paths, const val& matches) {
  std::vector<Trained> trained;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const OwnWeight weight = weight_at(weights, i);
    trained.push_back(
        {weight.variable, paths[i], constraint_of(*weight.layer, weight.variable->name())});
  }
  optimizer.build(std::move(trained), [&](const std::string& pattern, const std::string& text) {
    const val is_match = matches(pattern, text);
    if (is_match.isNull()) callback_error();
    return is_match.as<bool>();
  });
}

void optimizer_apply(Optimizer& optimizer, const val& gradients, const val& weights) {
  const std::vector<VariablePtr> variables = variables_of(weights);
  std::vector<VariableGradient> all;
  for (std::size_t i = 0; i < length_of(gradients); ++i) {
    const val gradient = gradients[i];
    all.push_back({is_missing(gradient) ? Tensor() : tensor_from(gradient)});
  }
  optimizer.apply(all, variables);
}

void optimizer_finalize(Optimizer& optimizer, const val& weights) {
  optimizer.finalize_variable_values(variables_of(weights));
}

// `rate` is a number, a serialized schedule, or {function: number} with the present value of a
// JavaScript function.
void optimizer_set_rate(Optimizer& optimizer, const Value& rate) {
  LearningRate learning_rate;
  if (const Value* number = rate.find("function")) {
    learning_rate.schedule =
        std::make_shared<FunctionSchedule>(static_cast<float>(number->as_number("learningRate")));
  } else {
    read_value(rate, "learningRate", learning_rate);
  }
  optimizer.set_learning_rate(std::move(learning_rate));
}

void optimizer_exclude(Optimizer& optimizer, const std::vector<std::string>& patterns) {
  optimizer.exclude_from_weight_decay(patterns);
}

JsList optimizer_variables(Optimizer& optimizer) {
  return list_of(optimizer.variables(), [](const Optimizer::StateVariable& state) {
    return object_of(Field{"name", state.variable->name()}, Field{"path", state.path},
                     Field{"shape", state.variable->shape()},
                     Field{"dtype", state.variable->dtype()});
  });
}

Tensor optimizer_get_weight(Optimizer& optimizer, int index) {
  const std::vector<Optimizer::StateVariable> all = optimizer.variables();
  const auto place = static_cast<std::size_t>(index);
  if (place >= all.size()) {
    state_error("the optimizer has ", all.size(), " variables now; read `variables` again");
  }
  return all[place].variable->value();
}

Tensors optimizer_get_weights(Optimizer& optimizer) {
  Tensors values;
  for (const Optimizer::StateVariable& state : optimizer.variables()) {
    values.push_back(state.variable->value());
  }
  return values;
}

void optimizer_set_weights(Optimizer& optimizer, const Tensors& values) {
  optimizer.set_weights(values);
}

EMSCRIPTEN_BINDINGS(maskflow_optimizers) {
  emscripten::function("optimizerFree", &optimizer_free);
  bind<&configurable_normalize>("configurableNormalize");
  bind<&schedule_value>("scheduleValue");
  bind<&optimizer_create>("optimizerCreate");
  bind<&optimizer_info>("optimizerInfo");
  bind<&optimizer_serialize>("optimizerSerialize");
  bind<&optimizer_build>("optimizerBuild");
  bind<&optimizer_apply>("optimizerApply");
  bind<&optimizer_finalize>("optimizerFinalize");
  bind<&optimizer_set_rate>("optimizerSetRate");
  bind<&optimizer_exclude>("optimizerExclude");
  bind<&optimizer_variables>("optimizerVariables");
  bind<&optimizer_get_weight>("optimizerGetWeight");
  bind<&optimizer_get_weights>("optimizerGetWeights");
  bind<&optimizer_set_weights>("optimizerSetWeights");
}

}  // namespace
}  // namespace maskflow::bindings
