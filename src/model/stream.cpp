// SPDX-License-Identifier: MIT
#include "model/stream.hpp"

#include <algorithm>
#include <array>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Returns true for a call with one tensor, its own mask and nothing else.
bool is_plain(const Args& args) {
  if (args.inputs.size() != 1 || !args.tensors.empty()) return false;
  return !args.mask || (args.mask->size() == 1 && args.mask->front() == args.inputs.front().mask());
}

// Largest number of inputs of a layer that writes rows.
constexpr std::size_t kMaxRowInputs = 2;

// Returns the layer of a step if it may be able to write rows; else null.
Layer* row_layer_of(const Execution::Step& step) {
  const Node& node = *step.node;
  if (step.is_input || !step.inputs_only || node.args.training || !node.operation->is_layer()) {
    return nullptr;
  }
  auto* const layer = static_cast<Layer*>(node.operation.get());
  const bool fits = layer->each_row_alone() && node.args.list == (step.sources.size() > 1) &&
                    step.sources.size() <= kMaxRowInputs && step.results() == 1;
  return fits ? layer : nullptr;
}

// Returns whether the tensor is rows of floats in memory, without a mask.
bool is_rows(const Tensor& x) {
  return x.dtype() == DType::kFloat32 && x.mask() == nullptr && x.lookup() == nullptr &&
         x.rank() > 0 && x.size() > 0;
}

}  // namespace

Stream::Stream(std::shared_ptr<const StreamPlan> plan) : plan_(std::move(plan)) {
  for (std::size_t i = 0; i < graph().nodes().size(); ++i) {
    const Node& node = *graph().nodes()[i];
    Part& part = parts_.emplace_back();
    part.row_layer = row_layer_of(plan_->execution->steps()[i]);
    if (!plan_->keeps_state[i]) continue;
    part.state = std::make_shared<StreamState>();
    auto& layer = static_cast<Layer&>(*node.operation);
    // Excludes layers such as ConvLSTM1D, which override `call`.
    if (is_plain(node.args) && layer.min_rank() == 3 && node.outputs.size() == 1) {
      part.recurrent = layer.as_recurrent();
    }
  }
  // A step of zeros builds all layers and allocates their memory and states.
  Tensors zeros;
  for (const Tensor& input : graph().inputs()) {
    Shape shape = input.shape();
    if (StreamPlan::timed(input)) shape.set(1, 1);
    zeros.push_back(Tensor::zeros(input.dtype(), shape));
  }
  step(zeros);
  reset();
}

std::shared_ptr<Stream> Stream::clone() const {
  auto copy = std::make_shared<Stream>(plan_);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].state) copy->parts_[i].state->set(parts_[i].state->tensors());
  }
  return copy;
}

Dim Stream::check(const Tensors& inputs) const {
  if (inputs.size() != graph().inputs().size()) {
    shape_error("the model has ", graph().inputs().size(), " inputs but was given ", inputs.size());
  }
  Dim steps = kUnknown;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& symbol = graph().inputs()[i];
    Shape expected = symbol.shape();
    const Shape& shape = inputs[i].shape();
    if (StreamPlan::timed(symbol) && shape.rank() == expected.rank() && shape[1] > 0) {
      if (steps == kUnknown) steps = shape[1];
      expected.set(1, steps);
    }
    if (shape == expected) continue;
    shape_error("a step of input '", symbol.origin()->node()->operation->name(), "' has shape ",
                shape, " but must be ", expected, ", (batch, steps, ...) with batchSize ", batch());
  }
  return steps;
}

void Stream::reserve(Dim steps) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].state == nullptr) continue;
    parts_[i].state->reserve(steps, graph().nodes()[i]->operation->name());
  }
}

// Runs a recurrent layer with one input directly by its kernels, if possible.
bool Stream::run_directly(std::size_t index, Frame& frame) {
  const Part& part = parts_[index];
  if (part.recurrent == nullptr) return false;
  const Execution::Step& step = plan_->execution->steps()[index];
  const Tensor& x = values_[step.sources.front()];
  const MaskPtr& mask = x.mask();
  if (x.dtype() != DType::kFloat32) return false;
  if (mask != nullptr && !part.recurrent->supports_masking()) return false;
  Tensor& output = values_[step.first];
  part.state->advance(part.recurrent->cell(), x, mask, {}, part.recurrent->options(), frame,
                      output);
  const MaskPtr passed = part.recurrent->return_sequences() ? mask : nullptr;
  if (output.mask() != passed) output = output.with_mask(passed);
  return true;
}

// Runs a layer that treats each row alone, into the tensor of its last result.
bool Stream::write_rows(const Part& part, const Execution::Step& step) {
  if (part.row_shape.rank() == 0) return false;
  std::array<const float*, kMaxRowInputs> inputs{};
  for (std::size_t i = 0; i < step.sources.size(); ++i) {
    const Tensor& x = values_[step.sources[i]];
    if (!is_rows(x) || x.shape() != part.row_shape) return false;
    inputs[i] = x.floats();
  }
  Tensor& output = values_[step.first];
  // Code of a layer may have kept the tensor.
  if (output.storage().use_count() > 1) output = Tensor(DType::kFloat32, output.shape());
  const std::size_t width = part.row_shape.length(-1);
  return part.row_layer->write_rows({{inputs.data(), step.sources.size()},
                                     values_[step.sources.front()].size() / width,
                                     width,
                                     output.mutable_floats()});
}

void Stream::note_rows(Part& part, const Execution::Step& step) {
  if (part.row_layer == nullptr) return;
  const Tensor& x = values_[step.sources.front()];
  part.row_shape = is_rows(values_[step.first]) ? x.shape() : Shape();
}

const Tensors& Stream::step(const Tensors& inputs) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].state == nullptr || !parts_[i].state->has_moved()) continue;
    state_error("an earlier step of this stream failed when layer '",
                graph().nodes()[i]->operation->name(),
                "' had already run; call reset() or setState() first");
  }
  reserve(check(inputs));
  const Execution& execution = *plan_->execution;
  Tensors values;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    // The input is a new tensor, because an attention layer may remove its mask.
    const DType dtype = graph().inputs()[i].dtype();
    values.push_back(ops::cast(inputs[i], dtype).with_mask(inputs[i].mask()));
  }
  execution.put_inputs(values, values_);
  outputs_.clear();
  Frame frame;
  frame.training = false;
  frame.replaces_training = plan_->replaces_training;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Execution::Step& step = execution.steps()[i];
    if (step.is_input || run_directly(i, frame) || write_rows(parts_[i], step)) continue;
    frame.state = parts_[i].state.get();
    execution.run_step(step, values_, frame);
    note_rows(parts_[i], step);
  }
  outputs_ = execution.outputs_of(values_);
  settle();
  return outputs_;
}

void Stream::set(const std::vector<Tensors>& tensors) {
  const std::vector<NamedState> list = states();
  if (tensors.size() != list.size()) {
    value_error("the state has ", tensors.size(), " layers but the stream has ", list.size(),
                "; use a state of the same model");
  }
  for (std::size_t i = 0; i < list.size(); ++i) list[i].state->check(tensors[i], list[i].layer);
  for (std::size_t i = 0; i < list.size(); ++i) list[i].state->set(tensors[i]);
  settle();
}

void Stream::reset() {
  for (const NamedState& named : states()) named.state->reset();
  settle();
}

void Stream::settle() {
  for (const Part& part : parts_) {
    if (part.state) part.state->settle();
  }
}

std::vector<Stream::NamedState> Stream::states() const {
  std::vector<NamedState> list;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].state == nullptr) continue;
    list.push_back({graph().nodes()[i]->operation->name(), parts_[i].state.get()});
  }
  return list;
}

}  // namespace maskflow
