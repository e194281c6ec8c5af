// SPDX-License-Identifier: MIT
#include "layers/recurrent/recurrent.hpp"

#include <algorithm>

#include "ops/ops.hpp"
#include "rnn/layer_state.hpp"

namespace maskflow {

void Recurrent::describe(Fields& fields) {
  Layer::describe(fields);
  fields.field("return_sequences", return_sequences_,
               "Return the outputs of all steps, [batch, time, units], instead of the last one.");
  fields.field("return_state", return_state_, "Return the final states after the output.");
  fields.field("go_backwards", go_backwards_,
               "Process time from the end; sequences are returned in processing order.");
  fields.field(
      "stateful", stateful_,
      "Start each call with the final states of the last one; the batch size must not change.");
  fields.field("unroll", unroll_, "Kept in the config; does not change the result.");
  fields.field("zero_output_for_mask", zero_output_for_mask_,
               "Output zeros at masked steps instead of repeating the last kept output.");
}

bool Recurrent::supports_masking() const { return passes_masks_on(); }

void Recurrent::build(const std::vector<Shape>& inputs) {
  const Shape& input = inputs.front();
  // The input is checked before anything is built, because a layer built for a wrong input could
  // not be used again.
  if (input.rank() != 3) {
    shape_error("expected (batch, time, features) of rank 3, but got shape ", input);
  }
  features_ = input.back();
  cell_layer()->ensure_name();
  cell_layer()->build_once({{input[0], input.back()}});
}

Tensors Recurrent::initial_states(const Args& args, Dim batch) const {
  const std::vector<std::size_t> sizes = cell().state_sizes();
  const TensorArgument* initial = args.find("initial_state");
  if (initial == nullptr) {
    if (!states_.empty() && states_.front().shape()[0] != batch) {
      value_error("the stateful layer has states for batch size ", states_.front().shape()[0],
                  " but was called with ", batch, "; call resetState() first");
    }
    return states_;
  }
  if (initial->values.size() != sizes.size()) {
    value_error("initial_state has ", initial->values.size(), " tensors but the layer has ",
                sizes.size(), sizes.size() == 1 ? " state" : " states");
  }
  Tensors states;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const Tensor& state = initial->values[s];
    const Shape expected{batch, static_cast<Dim>(sizes[s])};
    if (state.shape() != expected) {
      shape_error("initial_state ", s, " has shape ", state.shape(), " but must be ", expected,
                  " (batch, units)");
    }
    states.push_back(ops::cast(state, DType::kFloat32));
  }
  return states;
}

// Applies one random mask per call to all steps.
Tensor Recurrent::drop_input(const Tensor& x) const {
  const double rate = cell().input_dropout();
  if (rate <= 0) return x;
  Tensor mask(DType::kFloat32, {x.shape()[0], 1, x.shape()[2]});
  const auto scale = static_cast<float>(1.0 / (1.0 - std::min(rate, 0.999999)));
  for (float& factor : mask.mutable_data<float>()) {
    factor = Policy::current().random.uniform() < rate ? 0.0F : scale;
  }
  return ops::multiply(x, mask);
}

Structure Recurrent::call(const Args& args, Frame& frame) {
  const auto run = [&](RnnCell& cell, const Tensor& x, const SequencePlan& plan,
                       const Tensors& initial, RunOptions options, Frame& inner) {
    options.final_states = return_state_ || stateful_;
    return run_cell(cell, x, plan, initial, options, inner);
  };
  return call_with(args, frame, run);
}

Structure Recurrent::call_with(const Args& args, Frame& frame, Runner run) {
  Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
  if (x.rank() != 3) {
    shape_error("expected (batch, time, features) of rank 3, but got shape ", x.shape());
  }
  const Dim batch = x.shape()[0];
  const Dim time = x.shape()[1];
  if (time == 0) value_error("the sequence has no steps: shape ", x.shape());
  if (features_ != x.shape()[2]) {
    shape_error("the layer was built for ", features_, " features but the input ", x.shape(),
                " has ", x.shape()[2]);
  }
  if (frame.trains()) x = drop_input(x);
  const MaskPtr mask = args.mask && !args.mask->empty() ? args.mask->front() : nullptr;
  RunResult result;
  if (LayerState* state = frame.take_state()) {
    const bool has_initial = args.find("initial_state") != nullptr;
    const Tensors initial = has_initial ? initial_states(args, batch) : Tensors();
    result = state->run(cell(), x, mask, initial, options(), frame);
  } else {
    const auto plan = mask ? mask->plan(batch, time, go_backwards_)
                           : SequencePlan::all_kept(static_cast<std::int32_t>(batch),
                                                    static_cast<std::int32_t>(time), go_backwards_);
    result = run(cell(), x, *plan, initial_states(args, batch), options(), frame);
    if (stateful_) states_ = result.states;
  }
  Tensors outputs{std::move(result.output)};
  if (return_state_) {
    outputs.insert(outputs.end(), result.states.begin(), result.states.end());
  }
  return {std::move(outputs), return_state_};
}

OutputSpecs Recurrent::output_specs(const Args& args) {
  const Shape& input = args.inputs.front().shape();
  const Dim units = static_cast<Dim>(cell().output_size());
  std::vector<TensorSpec> specs{
      {return_sequences_ ? Shape{input[0], input[1], units} : Shape{input[0], units},
       DType::kFloat32}};
  if (return_state_) {
    for (const std::size_t size : cell().state_sizes()) {
      specs.push_back({{input[0], static_cast<Dim>(size)}, DType::kFloat32});
    }
  }
  return {std::move(specs), return_state_};
}

Masks Recurrent::compute_mask(const Tensors&, const Masks& masks) {
  if (!return_sequences_ || masks.empty()) return {};
  return {masks.front()};
}

}  // namespace maskflow
