// SPDX-License-Identifier: MIT
#include "layers/recurrent/recurrent.hpp"

#include <algorithm>
#include <utility>

#include "kernels/team.hpp"
#include "ops/ops.hpp"
#include "rnn/layer_state.hpp"

namespace maskflow {
namespace {

// Returns rows of this shape from flat rows, which `flat` has along its last axis.
Tensor unflattened(Tensor flat, const Shape& shape) {
  if (shape.rank() == 1) return flat;
  Shape all = flat.shape().first(flat.rank() - 1);
  for (const Dim dim : shape.dims()) all.push_back(dim);
  return flat.reshaped(all);
}

}  // namespace

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
  state_rows_ = input[0];
  build_cell(cell_layer(), {input[0], features_});
}

void Recurrent::build_cell(const LayerPtr& cell, const Shape& input) {
  cell->ensure_name();
  cell->build_once({input});
  // A cell that something else uses, too, may have been built before.
  if (input.back() == kUnknown) {
    shape_error("the cell '", cell->name(), "' has inputs of shape ", input,
                ", but their last dimension must be known");
  }
  const auto features = static_cast<Dim>(cell->as_cell()->features());
  if (features != input.back()) {
    shape_error("the cell '", cell->name(), "' was built for ", features,
                " features but its input has shape ", input);
  }
}

void Recurrent::reset_state() {
  states_.clear();
  // As in Keras, a layer that was not built yet has nothing to reset.
  was_reset_ = stateful_ && built();
}

std::optional<Tensors> Recurrent::states() {
  if (!stateful_ || state_rows_ == kUnknown) return std::nullopt;
  Tensors states = states_;
  if (states.empty() && !was_reset_) {
    Frame frame;
    states = cell().initial_states(state_rows_, frame);
  }
  const std::vector<Shape> shapes = cell().state_shapes();
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const Shape shape = with_rows(shapes[s], state_rows_);
    if (s == states.size()) states.push_back(Tensor::zeros(DType::kFloat32, shape));
    states[s] = states[s].reshaped(shape);
  }
  return states;
}

std::optional<Tensors> states_of(Layer& layer) {
  if (Recurrent* recurrent = layer.as_recurrent()) return recurrent->states();
  if (layer.class_name() != "Bidirectional" || layer.kind() != "layer") return std::nullopt;
  Tensors all;
  for (const LayerPtr& direction : layer.sublayers()) {
    const std::optional<Tensors> states = states_of(*direction);
    if (!states) return std::nullopt;
    all.insert(all.end(), states->begin(), states->end());
  }
  return all;
}

Tensors Recurrent::given_states(const TensorArgument& initial, Dim batch) const {
  const std::vector<Shape> shapes = cell().state_shapes();
  if (initial.values.size() != shapes.size()) {
    value_error("initial_state has ", initial.values.size(), " tensors but the layer has ",
                shapes.size(), shapes.size() == 1 ? " state" : " states");
  }
  Tensors states;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const Tensor& state = initial.values[s];
    const Shape expected = with_rows(shapes[s], batch);
    if (state.shape() != expected) {
      shape_error("initial_state ", s, " has shape ", state.shape(), " but must be ", expected,
                  " (batch, units)");
    }
    states.push_back(ops::cast(state, DType::kFloat32).reshaped({batch, shapes[s].size()}));
  }
  return states;
}

Tensors Recurrent::initial_states(const Args& args, Dim batch, Frame& frame) const {
  if (const TensorArgument* initial = args.find("initial_state")) {
    return given_states(*initial, batch);
  }
  if (states_.empty()) return was_reset_ ? Tensors() : cell().initial_states(batch, frame);
  if (state_rows_ != batch) {
    value_error("the stateful layer has states for batch size ", state_rows_,
                " but was called with ", batch, "; call resetState() first");
  }
  return states_;
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
  // A cell may call other layers in this frame. They return numbers at once.
  RunsTogether* const together = std::exchange(frame.together, nullptr);
  // The initial states of such a cell may come from user code, which may use the layer of a run
  // that waits.
  if (kernels::team_size() > 1 && together != nullptr && !cell().runs_in_parts()) {
    together->finish();
  }
  const auto run = [&](RnnCell& cell, const Tensor& x, const SequencePlan& plan,
                       const Tensors& initial, RunOptions options, Frame& inner) {
    options.final_states = return_state_ || stateful_;
    options.together = together;
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
    const TensorArgument* given = args.find("initial_state");
    const Tensors initial = given == nullptr ? Tensors() : given_states(*given, batch);
    result = state->run(cell(), x, mask, initial, options(), frame);
  } else {
    const auto plan = mask ? mask->plan(batch, time, go_backwards_)
                           : SequencePlan::all_kept(static_cast<std::int32_t>(batch),
                                                    static_cast<std::int32_t>(time), go_backwards_);
    result = run(cell(), x, *plan, initial_states(args, batch, frame), options(), frame);
    if (stateful_) {
      states_ = result.states;
      state_rows_ = batch;
      was_reset_ = false;
    }
  }
  Tensors outputs{unflattened(std::move(result.output), cell().output_shape())};
  if (return_state_) {
    const std::vector<Shape> shapes = cell().state_shapes();
    for (std::size_t s = 0; s < shapes.size(); ++s) {
      outputs.push_back(unflattened(std::move(result.states[s]), shapes[s]));
    }
  }
  return {std::move(outputs), return_state_};
}

OutputSpecs Recurrent::output_specs(const Args& args) {
  const Shape& input = args.inputs.front().shape();
  cell().build_inside();
  Shape output = with_rows(cell().output_shape(), input[0]);
  if (return_sequences_) output.insert(1, input[1]);
  std::vector<TensorSpec> specs{{output, DType::kFloat32}};
  if (return_state_) {
    for (const Shape& shape : cell().state_shapes()) {
      specs.push_back({with_rows(shape, input[0]), DType::kFloat32});
    }
  }
  return {std::move(specs), return_state_};
}

Masks Recurrent::compute_mask(const Tensors&, const Masks& masks) {
  if (!return_sequences_ || masks.empty()) return {};
  return {masks.front()};
}

}  // namespace maskflow
