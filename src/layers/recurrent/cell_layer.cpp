// SPDX-License-Identifier: MIT
#include "layers/recurrent/cell_layer.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "kernels/scan.hpp"
#include "ops/ops.hpp"
#include "rnn/cell_run.hpp"

namespace maskflow {

void CellLayer::describe(Fields& fields) {
  Layer::describe(fields);
  describe_cell(fields);
}

void CellLayer::describe_units(Fields& fields) {
  fields.field("units", units_, "Size of the output and of each state; at least 1.",
               FieldKind::kRequired);
  fields.field("activation", activation_, "Activation of the candidate and of the output.");
}

void CellLayer::describe_weights(Fields& fields) {
  fields.field("use_bias", use_bias_, "Whether to add a bias.");
  fields.field(
      "kernel_initializer", kernel_initializer_,
      "Initial value of the input weights, [features, gates * units]; for a convolution [kernel, "
      "channels, gates * filters].");
  fields.field("recurrent_initializer", recurrent_initializer_,
               "Initial value of the recurrent weights, [units, gates * units]; for a convolution "
               "[kernel, filters, gates * filters].");
  fields.field("bias_initializer", bias_initializer_, "Initial value of the bias.");
  fields.inert(inert_, {"kernel_regularizer", "recurrent_regularizer", "bias_regularizer",
                        "kernel_constraint", "recurrent_constraint", "bias_constraint"});
}

void CellLayer::describe_dropout(Fields& fields) {
  fields.field("dropout", dropout_,
               "Share of the input features set to zero in training, 0 to 1; one mask per call.");
  fields.field("recurrent_dropout", recurrent_dropout_,
               "Share of the state set to zero in training, 0 to 1; one mask per call.");
  fields.field("seed", seed_, TypeScript{"SeedLike"}, "Kept in the config; not used.");
  fields.ignored({"implementation", "time_major"});
}

void CellLayer::check_config() const {
  if (units_ <= 0) config_error("'units' is ", units_, " but must be at least 1");
  for (const double rate : {dropout_, recurrent_dropout_}) {
    if (!(rate >= 0 && rate <= 1)) config_error("a dropout rate is ", rate, " but must be 0 to 1");
  }
}

void CellLayer::build(const std::vector<Shape>& inputs) {
  features_ = inputs.front().back();
  const Dim width = static_cast<Dim>(gates_) * units_;
  kernel_ = add_weight("kernel", {features_, width}, kernel_initializer_);
  kernel_->use_matrix();
  recurrent_kernel_ = add_weight("recurrent_kernel", {units_, width}, recurrent_initializer_);
  recurrent_kernel_->use_matrix();
  if (use_bias_) bias_ = add_weight("bias", bias_shape(), bias_initializer());
}

void CellLayer::project(const kernels::Rows& inputs, std::size_t count, float* projected) {
  kernels::gemm(inputs, count, kernel_->packed(),
                use_bias_ ? kernels::Start::kBias : kernels::Start::kZero,
                use_bias_ ? bias_->data() : nullptr, projected);
}

KeptProjections CellLayer::kept_projections() {
  Version newest = own_weights().front()->version();
  for (const VariablePtr& weight : own_weights()) newest = std::max(newest, weight->version());
  return {&projected_rows_, newest};
}

void CellLayer::multiply_state(const float* h, const StepLanes& lanes, kernels::Start start,
                               const float* bias, float* out) {
  const kernels::PackedMatrix& matrix = recurrent_kernel_->packed();
  if (first_step_) {
    first_step_ = false;
    if (matrix.finite() && kernels::all_zero(h, lanes.count * units())) {
      return kernels::gemm_of_zeros(lanes.count, matrix.n(), start, bias, out);
    }
  }
  kernels::gemm({drop_state(h, lanes), units()}, lanes.count, matrix, start, bias, out);
}

void CellLayer::begin(std::size_t lanes, Frame& frame) {
  first_step_ = true;
  has_usual_gates_ = activation_.name() == "tanh" && recurrent_activation_.name() == "sigmoid";
  recurrent_mask_.clear();
  if (!frame.trains() || recurrent_dropout_ <= 0) return;
  Random& random = Policy::current().random;
  const auto scale = static_cast<float>(1.0 / (1.0 - std::min(recurrent_dropout_, 0.999999)));
  recurrent_mask_.resize((Count(lanes) * units()).of<float>());
  for (float& factor : recurrent_mask_) {
    factor = random.uniform() < recurrent_dropout_ ? 0.0F : scale;
  }
  dropped_state_.resize(recurrent_mask_.size());
}

const float* CellLayer::drop_state(const float* h, const StepLanes& lanes) {
  if (recurrent_mask_.empty()) return h;
  const std::size_t first = lanes.first * units();
  float* const dropped = dropped_state_.data() + first;
  std::transform(h, h + lanes.count * units(), recurrent_mask_.data() + first, dropped,
                 std::multiplies<>());
  return dropped;
}

Tensors CellLayer::inputs_and_states(const Args& args) const {
  Tensors tensors{ops::cast(args.inputs.front(), DType::kFloat32)};
  const Shape shape = tensors.front().shape();
  if (shape.rank() != 2) shape_error("expected (batch, features) of rank 2, but got shape ", shape);
  if (features_ != shape.back()) {
    shape_error("the cell was built for ", features_, " features but the input ", shape, " has ",
                shape.back());
  }
  const TensorArgument* states = args.find("states");
  const std::vector<std::size_t> sizes = state_sizes();
  if (states == nullptr || states->values.size() != sizes.size()) {
    value_error("a cell needs the argument 'states' with ", sizes.size(), " tensors, but got ",
                states == nullptr ? std::size_t{0} : states->values.size());
  }
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const Tensor& state = states->values[s];
    const Shape expected{shape[0], static_cast<Dim>(sizes[s])};
    if (state.shape() != expected) {
      shape_error("state ", s, " has shape ", state.shape(), " but must be ", expected);
    }
    tensors.push_back(ops::cast(state, DType::kFloat32));
  }
  return tensors;
}

Structure CellLayer::call(const Args& args, Frame& frame) {
  Tensors results = inputs_and_states(args);
  const Tensor x = std::move(results.front());
  const std::size_t lanes = at(x.shape()[0]);
  std::vector<float*> states;
  for (std::size_t s = 1; s < results.size(); ++s) {
    results[s] = Tensor::from<float>(results[s].shape(), results[s].data<float>());
    states.push_back(results[s].mutable_floats());
  }
  const std::size_t features = at(x.shape().back());
  kernels::Floats projected((Count(lanes) * projected_width()).of<float>());
  const CellRun run(*this, lanes, frame);
  project({x.floats(), features}, lanes, projected.data());
  const float* output = step(projected.data(), {lanes}, states);
  results.front() = Tensor::from<float>({x.shape()[0], static_cast<Dim>(output_size())},
                                        {output, lanes * output_size()});
  return {std::move(results), true};
}

OutputSpecs CellLayer::output_specs(const Args& args) {
  const Dim batch = args.inputs.front().shape()[0];
  std::vector<TensorSpec> specs{{{batch, static_cast<Dim>(output_size())}, DType::kFloat32}};
  for (const std::size_t size : state_sizes()) {
    specs.push_back({{batch, static_cast<Dim>(size)}, DType::kFloat32});
  }
  return {std::move(specs), true};
}

}  // namespace maskflow
