// SPDX-License-Identifier: MIT
#include "model/execution.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "layer/layer.hpp"
#include "model/model.hpp"

namespace maskflow {
namespace {

const Node& node_of(const Tensor& symbol) { return *symbol.origin()->node(); }

Layer* layer_of(const Node& node) {
  return node.operation->is_layer() ? static_cast<Layer*>(node.operation.get()) : nullptr;
}

// Calls f for each symbol of a call, masks last.
void for_each_symbol(Args& args, FunctionRef<void(Tensor& symbol, bool in_mask)> f) {
  args.for_each_tensor([&](Tensor& tensor) {
    if (tensor.is_symbolic()) f(tensor, false);
  });
  if (!args.mask) return;
  for (MaskPtr& mask : *args.mask) {
    if (!mask || !mask->original().is_symbolic()) continue;
    Tensor values = mask->original();
    f(values, true);
    mask = make_mask(values);
  }
}

}  // namespace

Execution::Execution(const Graph& graph) {
  compile_steps(graph);
  for (const Tensor& input : graph.inputs()) inputs_.push_back(slot_of(input));
  for (const Tensor& output : graph.outputs()) outputs_.push_back(slot_of(output));
  find_last_uses();
  find_mask_steps();
}

void Execution::compile_steps(const Graph& graph) {
  for (const auto& node : graph.nodes()) {
    Step& step = steps_.emplace_back();
    step.node = node;
    step.first = static_cast<Slot>(slots_);
    step.is_input = std::ranges::any_of(
        graph.inputs(), [&](const Tensor& input) { return &node_of(input) == node.get(); });
    Layer* const layer = layer_of(*node);
    step.is_model = layer != nullptr && layer->as_model() != nullptr;
    has_models_ = has_models_ || step.is_model;
    slots_ += step.results();
    const auto position = std::ranges::lower_bound(first_slots_, node.get(), {},
                                                   &std::pair<const Node*, Slot>::first);
    first_slots_.insert(position, {node.get(), step.first});
  }
  for (Step& step : steps_) {
    if (step.is_input) continue;
    Args args = step.node->args;
    for_each_symbol(args, [&](Tensor& symbol, bool in_mask) {
      step.sources.push_back(slot_of(symbol));
      step.masks += in_mask ? 1 : 0;
    });
    step.inputs_only = args.tensors.empty() && args.keys.empty() && !args.mask &&
                       args.options.entries().empty() && step.sources.size() == args.inputs.size();
  }
}

Execution::Slot Execution::slot_of(const Tensor& symbol) const {
  const auto entry = std::ranges::lower_bound(first_slots_, &node_of(symbol), {},
                                              &std::pair<const Node*, Slot>::first);
  return entry->second + static_cast<Slot>(symbol.origin()->index());
}

void Execution::find_last_uses() {
  constexpr std::size_t kNever = SIZE_MAX;
  std::vector<std::size_t> last(slots_, kNever);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    // An unused result is dropped at once.
    for (Slot slot = 0; slot < steps_[i].results(); ++slot) last[steps_[i].first + slot] = i;
    for (const Slot slot : steps_[i].sources) last[slot] = i;
  }
  for (const Slot output : outputs_) last[output] = kNever;
  for (Slot slot = 0; slot < slots_; ++slot) {
    if (last[slot] != kNever) steps_[last[slot]].dead.push_back(slot);
  }
}

// Goes from the last step to the first, so that each step knows all uses of its values.
void Execution::find_mask_steps() {
  constexpr std::uint8_t kData = 1;
  constexpr std::uint8_t kMask = 2;
  constexpr std::uint8_t kCopy = 4;  // as the copy in with_mask()
  std::vector<std::uint8_t> used(slots_);
  for (const Slot output : outputs_) used[output] = kData;
  for (std::size_t i = steps_.size(); i-- > 0;) {
    Step& step = steps_[i];
    if (step.is_input) continue;
    std::uint8_t uses = 0;
    for (std::size_t r = 0; r < step.results(); ++r) uses |= used[step.first + r];
    const Operation& operation = *step.node->operation;
    const bool is_copy = uses == kCopy && operation.name() == "ConvertToTensor";
    step.for_mask = (uses == kMask && !operation.is_layer()) || is_copy;
    const bool attaches = step.is_model && layer_of(*step.node)->as_model()->only_attaches_masks();
    for (std::size_t s = 0; s < step.sources.size(); ++s) {
      const bool mask = (step.for_mask && !is_copy) || s + step.masks >= step.sources.size();
      used[step.sources[s]] |= mask ? kMask : attaches ? kCopy : kData;
    }
  }
}

Args Execution::arguments(const Step& step, const Values& values) {
  const Args& recorded = step.node->args;
  const Slot* source = step.sources.data();
  if (step.inputs_only) {
    // Copies only the inputs: copying all arguments would take a tenth of the time of a small
    // model.
    Args args;
    args.inputs.reserve(step.sources.size());
    for (const Slot slot : step.sources) args.inputs.push_back(values[slot]);
    args.list = recorded.list;
    args.training = recorded.training;
    return args;
  }
  Args args = recorded;
  for_each_symbol(args, [&](Tensor& tensor, bool) { tensor = values[*source++]; });
  return args;
}

// If the graph calls models, all copies of a value share a mask that one copy may receive later.
void Execution::await_mask(Tensor& value) const {
  if (has_models_) value.await_mask();
}

void Execution::put_inputs(const Tensors& inputs, Values& values) const {
  values.resize(slots_);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    values[inputs_[i]] = inputs[i];
    await_mask(values[inputs_[i]]);
  }
}

Tensors Execution::outputs_of(const Values& values) const {
  Tensors outputs;
  outputs.reserve(outputs_.size());
  for (const Slot slot : outputs_) outputs.push_back(values[slot]);
  return outputs;
}

void Execution::run_step(const Step& step, Values& values, Frame& frame) const {
  Args args = arguments(step, values);
  if (frame.training && frame.replaces_training) args.training.reset();
  // As in Keras, a model that is called with masks attaches them to its inputs, where later calls
  // find them.
  const bool attaches = step.is_model && args.mask && !frame.inline_models;
  for (std::size_t i = 0; attaches && i < args.mask->size(); ++i) {
    if (i < args.inputs.size() && (*args.mask)[i]) args.inputs[i].set_mask((*args.mask)[i]);
  }
  frame.for_mask = step.for_mask;
  Structure result = step.node->operation->run(std::move(args), frame);
  if (result.tensors.size() != step.results()) {
    value_error("'", step.node->operation->name(), "' returned ", result.tensors.size(),
                " tensors, but ", step.results(), " when the model was built");
  }
  for (std::size_t r = 0; r < step.results(); ++r) {
    await_mask(result.tensors[r]);
    values[step.first + r] = std::move(result.tensors[r]);
  }
}

Tensors Execution::run(const Tensors& inputs, Frame& frame) const {
  Values values;
  put_inputs(inputs, values);
  for (const Step& step : steps_) {
    if (!step.is_input) run_step(step, values, frame);
    for (const Slot dead : step.dead) values[dead] = {};
  }
  return outputs_of(values);
}

std::vector<TensorSpec> Execution::specs(const Tensors& inputs) const {
  Values symbols(slots_);
  const auto put = [&](Slot slot, const TensorSpec& spec, const Step& step) {
    const int index = static_cast<int>(slot - step.first);
    symbols[slot] = Tensor::symbolic(spec, std::make_shared<Symbol>(step.node, index));
  };
  for (const Step& step : steps_) {
    std::vector<TensorSpec> specs = step.node->outputs;
    if (!step.is_input) {
      const Args args = arguments(step, symbols);
      Layer* const layer = layer_of(*step.node);
      const auto run = [&](Args inferred) {
        Frame frame = quiet_frame();
        return step.node->operation->run(std::move(inferred), frame).tensors;
      };
      specs = layer != nullptr ? layer->output_specs(args) : infer_op_specs(args, run);
    }
    for (std::size_t r = 0; r < specs.size() && r < step.results(); ++r) {
      put(step.first + static_cast<Slot>(r), specs[r], step);
    }
    if (!step.is_input) continue;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const bool is_result = inputs_[i] >= step.first && inputs_[i] < step.first + step.results();
      if (is_result) put(inputs_[i], inputs[i].spec(), step);
    }
  }
  std::vector<TensorSpec> result;
  for (const Slot output : outputs_) result.push_back(symbols[output].spec());
  return result;
}

}  // namespace maskflow
