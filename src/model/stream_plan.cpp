// SPDX-License-Identifier: MIT
// Decides whether a model can run step by step. Layers declare it; ops are tried with random
// numbers.
#include <algorithm>
#include <cmath>

#include "layers/core/embedding.hpp"
#include "layers/core/input_layer.hpp"
#include "model/stream.hpp"
#include "model/stream_attention.hpp"
#include "ops/custom_function.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr Dim kTrialSteps = 3;
constexpr int kTrials = 3;

// True if an input holds ids, [batch, time]: a layer adds a third axis.
bool holds_ids(const Graph& graph, const Tensor& input) {
  return std::ranges::any_of(graph.nodes(), [&](const auto& node) {
    return std::ranges::any_of(node->args.inputs, [&](const Tensor& tensor) {
      return tensor.origin() == input.origin() && tensor.rank() == 2 &&
             node->outputs.front().shape.rank() == 3;
    });
  });
}

Tensor step_input(const Tensor& input, Dim batch, bool has_ids) {
  Shape shape = input.shape();
  shape.set(0, batch);
  if (shape.rank() >= 3 || has_ids) shape.set(1, kUnknown);
  for (int axis = 2; axis < shape.rank(); ++axis) {
    if (shape[axis] != kUnknown) continue;
    shape_error("a step of input '", input.origin()->node()->operation->name(), "' of shape ",
                input.shape(), " has no fixed size; pass Input({ shape }) all axes but time");
  }
  return input_symbol({shape, input.dtype()}, input.origin()->node()->operation->name());
}

// Returns symbolic inputs. `shapes` are the input shapes of a Sequential that does not begin with
// an Input.
Tensors inputs_of(Model& model, Dim batch, const std::vector<Shape>& shapes) {
  Tensors inputs;
  const std::vector<LayerPtr> layers = model.sublayers();
  if (model.kind() == "sequential" && !shapes.empty() && !layers.empty() &&
      !static_cast<Sequential&>(model).begins_with_input()) {
    const Tensor input = input_symbol({shapes.front(), DType::kFloat32});
    const bool ids = is_embedding(*layers.front());
    return {step_input(input, batch, ids)};
  }
  for (const Tensor& input : model.graph().inputs()) {
    inputs.push_back(step_input(input, batch, holds_ids(model.graph(), input)));
  }
  return inputs;
}

template <class F>
void for_each_timed(const Args& args, const F& f) {
  Args copy = args;
  const auto visit = [&](const Tensor& tensor) {
    if (tensor.is_symbolic() && StreamPlan::timed(tensor)) f(tensor);
  };
  copy.for_each_tensor(visit);
  if (!args.mask) return;
  for (const MaskPtr& mask : *args.mask) {
    if (mask) visit(mask->original());
  }
}

bool has_time(const Args& args) {
  bool result = false;
  for_each_timed(args, [&](const Tensor&) { result = true; });
  return result;
}

// --- layers -------------------------------------------------------------------------------------

void check_inputs(const Layer& layer, const Args& args) {
  const int rank = args.inputs.front().rank();
  for (const Tensor& input : args.inputs) {
    if (!input.is_symbolic() || !StreamPlan::timed(input) || input.rank() != rank) {
      refuse_in_stream(
          layer, "joins a sequence with something else",
          "join sequences of the same rank (added positions can be a second input), or call "
          "predict on whole sequences");
    }
  }
  for (const TensorArgument& argument : args.tensors) {
    for (const Tensor& value : argument.values) {
      if (value.is_symbolic() && StreamPlan::timed(value)) {
        refuse_in_stream(layer, text("has a sequence as its argument '", argument.name, "'"));
      }
    }
  }
}

[[noreturn]] void refuse_layer(Layer& layer, Streaming streaming) {
  if (layer.kind() == "js") {
    refuse_in_stream(
        layer, "is a custom layer, whose code may use all steps at once",
        "wrap it in TimeDistributed if it treats each step separately, write it as the cell of an "
        "RNN if it has state, pass the positions as a second input if it counts them, or call "
        "predict on whole sequences");
  }
  if (layer.class_name() == "Bidirectional") {
    refuse_in_stream(layer, "has a layer that starts at the last step",
                     "use a forward layer instead, or call predict on whole sequences");
  }
  if (layer.as_recurrent() != nullptr) {
    refuse_in_stream(layer, "starts at the last step: go_backwards is true",
                     "set it to false, or call predict on whole sequences");
  }
  const Dict config = layer.get_config();
  const Value* activation = config.find("activation");
  if (activation != nullptr && !CustomFunction::from_config(*activation).empty()) {
    refuse_in_stream(layer, "has a function as its activation, which may use all steps at once",
                     "wrap the layer in TimeDistributed, or call predict on whole sequences");
  }
  if (layer.class_name() == "EinsumDense") {
    refuse_in_stream(layer,
                     text("does not keep batch and time as the first two axes: '",
                          layer.get_config()["equation"].as_string("equation"), "'"),
                     "use an equation such as 'abc,cd->abd', or call predict on whole sequences");
  }
  if (streaming == Streaming::kNever) {
    refuse_in_stream(layer, "needs later steps with its settings");
  }
  refuse_in_stream(layer, "does not compute each step from that step and earlier ones");
}

// Checks a model of with_mask(), the only ones in a graph that runs step by step.
void check_mask(const Layer& layer, const Args& args) {
  if (args.mask->front()->original().is_symbolic()) return;
  refuse_in_stream(layer, "attaches a constant mask",
                   "make the mask an input of the model, or call predict on whole sequences");
}

bool layer_keeps_state(const Node& node) {
  auto& layer = static_cast<Layer&>(*node.operation);
  if (layer.as_model() != nullptr) {
    check_mask(layer, node.args);
    return false;
  }
  if (is_attention(layer)) return attention_keeps_state(layer, node.args);
  const Shape& input = node.args.inputs.front().shape();
  const Streaming streaming = layer.streaming(input);
  if (streaming == Streaming::kUndeclared || streaming == Streaming::kNever) {
    refuse_layer(layer, streaming);
  }
  check_inputs(layer, node.args);
  // With two axes, time is the last, which other layers than embeddings treat as features.
  if (input.rank() < 3 && node.outputs.front().shape.rank() <= input.rank()) {
    refuse_in_stream(layer, text("treats the time axis of ", input, " as features"));
  }
  return streaming == Streaming::kKeepsState;
}

// --- ops ----------------------------------------------------------------------------------------

Tensor random_like(const TensorSpec& spec, Random& random) {
  Shape shape = spec.shape;
  if (shape.rank() >= 2 && shape[1] == kUnknown) shape.set(1, kTrialSteps);
  Tensor result(DType::kFloat32, shape);
  for (float& x : result.mutable_data<float>()) x = static_cast<float>(random.uniform() * 4 - 2);
  return ops::cast(result, spec.dtype);
}

bool is_close(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return false;
  const Tensor x = ops::cast(a, DType::kFloat32);
  const Tensor y = ops::cast(b, DType::kFloat32);
  return std::ranges::equal(x.data<float>(), y.data<float>(), [](float p, float q) {
    return std::fabs(p - q) <= 1e-5F * std::max(1.0F, std::fabs(p)) || p == q ||
           (std::isnan(p) && std::isnan(q));
  });
}

// Runs an op on random numbers for the symbols of a call. The same symbol always has the same
// numbers.
class Trial {
 public:
  explicit Trial(int seed) : random_(static_cast<std::uint64_t>(seed)) {}

  // True if each step of a run on all steps equals the same step run alone.
  bool treats_steps_alone(const Node& node) {
    const Args whole = with(node.args, [&](const Tensor& symbol) { return value_of(symbol); });
    const Tensors together = run(node, whole);
    for (Dim t = 0; t < kTrialSteps; ++t) {
      const Tensors alone =
          run(node, with(node.args, [&](const Tensor& symbol) {
                const Tensor value = value_of(symbol);
                return StreamPlan::timed(symbol) ? ops::slice_axis(value, 1, t, t + 1) : value;
              }));
      for (std::size_t i = 0; i < together.size(); ++i) {
        if (together[i].rank() < 2 || together[i].shape()[1] != kTrialSteps) return false;
        if (!is_close(ops::slice_axis(together[i], 1, t, t + 1), alone[i])) return false;
      }
    }
    return true;
  }

 private:
  static Tensors run(const Node& node, Args args) {
    Frame frame = quiet_frame();
    return node.operation->run(std::move(args), frame).tensors;
  }
  template <class F>
  static Args with(Args args, const F& f) {
    args.for_each_tensor([&](Tensor& tensor) {
      if (tensor.is_symbolic()) tensor = f(tensor);
    });
    args.mask.reset();
    return args;
  }
  Tensor value_of(const Tensor& symbol) {
    for (const auto& [origin, value] : values_) {
      if (origin == symbol.origin()) return value;
    }
    values_.emplace_back(symbol.origin(), random_like(symbol.spec(), random_));
    return values_.back().second;
  }
  Random random_;
  std::vector<std::pair<SymbolPtr, Tensor>> values_;
};

void check_op(const Node& node) {
  bool holds = true;
  for (int trial = 0; holds && trial < kTrials; ++trial) {
    try {
      holds = Trial(trial).treats_steps_alone(node);
    } catch (const Error&) {
      holds = false;  // The op depends on the length of the sequence or on its values.
    }
  }
  if (!holds) {
    refuse_in_stream(
        *node.operation, "does not compute each step from that step only",
        "if it depends on the position, pass the positions as a second input of the model; else "
        "call predict on whole sequences");
  }
}

// Returns symbolic outputs for any number of steps.
Structure outputs_of(Model& model, Args args) {
  Frame frame = quiet_frame();
  frame.inline_models = true;
  try {
    return model.run(std::move(args), frame);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kShape) throw;
    unsupported_error("the model '", model.name(),
                      "' cannot run step by step: ", std::string(error.what()),
                      "; pass positions and other added sequences as further inputs of the model, "
                      "or call predict on whole sequences");
  }
}

}  // namespace

void refuse_in_stream(const Operation& operation, std::string_view reason,
                      std::string_view remedy) {
  unsupported_error(
      "the model cannot run step by step: ", operation.is_layer() ? "layer '" : "op '",
      operation.name(), "' (", operation.class_name(), ") ", reason, "; ", remedy);
}

StreamPlan::StreamPlan(Model& model, Dim batch_size, const std::vector<Shape>& shapes)
    : batch(batch_size), replaces_training(!model.follows_316()) {
  Args args;
  args.inputs = inputs_of(model, batch, shapes);
  args.list = args.inputs.size() > 1;
  const Tensors inputs = args.inputs;
  if (std::ranges::none_of(inputs, timed)) {
    unsupported_error("the model '", model.name(), "' cannot run step by step: its input ",
                      inputs.front().shape(), " has no time axis; call predict on it");
  }
  outputs = outputs_of(model, std::move(args));
  outputs.list = outputs.list && outputs.tensors.size() > 1;
  graph.emplace(inputs, outputs.tensors);
  execution.emplace(*graph);
  for (const auto& node : graph->nodes()) {
    keeps_state.push_back(0);
    const bool is_input =
        std::ranges::any_of(inputs, [&](const Tensor& t) { return t.origin()->node() == node; });
    if (is_input) continue;
    check_no_scores(*node);
    if (!has_time(node->args)) continue;
    if (node->operation->is_layer()) {
      keeps_state.back() = static_cast<char>(layer_keeps_state(*node));
    } else {
      check_op(*node);
    }
  }
}

}  // namespace maskflow
