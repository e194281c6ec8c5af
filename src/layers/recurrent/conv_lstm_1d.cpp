// SPDX-License-Identifier: MIT
// LSTM over frames [positions, channels], with convolutions for its products (Shi et al. 2015).
#include "kernels/copy.hpp"
#include "layers/recurrent/conv_lstm_cell.hpp"
#include "layers/recurrent/recurrent.hpp"
#include "ops/ops.hpp"

namespace maskflow {
void ConvLstmCell::describe_cell(Fields& fields) {
  fields.field("filters", units_, "Channels of the output and of each state; at least 1.",
               FieldKind::kRequired);
  window_.describe(fields, "valid same",
                   "'valid' or 'same' padding of the input; the states always have 'same'.");
  fields.field("activation", activation_, "Activation of the candidate and of the output.");
  describe_gates(fields);
}

void ConvLstmCell::check_config() const {
  window_.check();
  require_positive("filters", units_);
  CellLayer::check_config();
}

void ConvLstmCell::set_frame(Dim positions, Dim channels) {
  positions_ = window_.output_steps(positions);
  padded_ = window_.padded_steps(positions);
  channels_ = channels;
}

void ConvLstmCell::build(const std::vector<Shape>& inputs) {
  features_ = inputs.front().back();
  const Dim taps = window_.kernel_size[0];
  const Dim width = 4 * Dim{units_};
  kernel_ = add_weight("kernel", {taps, channels_, width}, kernel_initializer_);
  recurrent_kernel_ = add_weight("recurrent_kernel", {taps, units_, width}, recurrent_initializer_);
  if (use_bias_) bias_ = add_weight("bias", {width}, bias_initializer());
  static_cast<void>(Shape{positions_, width}.size());  // Throws if a frame of gates is too large.
  input_product_.emplace(kernel_, window_.dilation(), 1);
  recurrent_product_.emplace(recurrent_kernel_, 1, 1);
}

void ConvLstmCell::project(const kernels::Rows& frames, std::size_t count, float* projected) {
  (*input_product_)(frames.base, window_.starts(count, padded_, positions_, frames.index),
                    use_bias_ ? kernels::Start::kBias : kernels::Start::kZero,
                    use_bias_ ? bias_->data() : nullptr, projected);
}

void ConvLstmCell::begin(std::size_t lanes, Frame& frame) {
  CellLayer::begin(lanes * at(positions_), frame);
  const Dim width = positions_ + window_.kernel_size[0] - 1;
  first_ = Window().starts(lanes, width, positions_);
  bordered_.assign((Count(lanes) * width * units()).of<float>(), 0.0F);
}

const float* ConvLstmCell::step(float* gates, const StepLanes& alive,
                                std::span<float* const> states) {
  const std::size_t lanes = alive.count;
  const std::size_t rows = lanes * at(positions_);
  const float* h = drop_state(states[0], {rows});
  const std::size_t border = window_.taps() - 1;
  float* to = bordered_.data() + border / 2 * units();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    kernels::copy(h + lane * output_size(), to, output_size());
    to += output_size() + border * units();
  }
  (*recurrent_product_)(bordered_.data(), std::span(first_).first(rows),
                        kernels::Start::kAccumulate, nullptr, gates);
  update(gates, states[1], states[0], rows);
  return states[0];
}

namespace {

class ConvLstm1D final : public RecurrentOf<ConvLstmCell> {
 public:
  [[nodiscard]] int min_rank() const override { return 4; }
  void build(const std::vector<Shape>& inputs) override {
    const Shape& input = inputs.front();
    check_rank(input);
    const Shape frame = channels_last(input.from(2));
    if (!frame.known()) {
      shape_error("the input has shape ", input, " but its positions and channels must be known");
    }
    frame_ = frame;
    frames().set_frame(frame[0], frame[1]);
    Recurrent::build({{input[0], input[1], frames().frame_size()}});
  }

  Structure call_with(const Args& args, Frame& frame, Runner run) override {
    const Tensor& input = args.inputs.front();
    check_rank(input.shape());
    if (channels_last(input.shape().from(2)) != frame_) {
      shape_error("the layer was built for frames ", channels_last(frame_),
                  " but the input has shape ", input.shape());
    }
    const Tensor x = frames().window().padded(swapped(ops::cast(input, DType::kFloat32)), 2);
    Args rows = args;
    rows.inputs = {x.reshaped({x.shape()[0], x.shape()[1], frames().frame_size()})};
    for (TensorArgument& argument : rows.tensors) {
      for (Tensor& state : argument.values) state = row_of(state);
    }
    Structure results = Recurrent::call_with(rows, frame, run);
    for (Tensor& result : results.tensors) result = framed(result);
    return results;
  }
  [[nodiscard]] std::optional<Tensors> states() override {
    std::optional<Tensors> states = Recurrent::states();
    if (states) {
      for (Tensor& state : *states) state = framed(state);
    }
    return states;
  }
  OutputSpecs output_specs(const Args& args) override {
    OutputSpecs specs = Recurrent::output_specs(args);
    for (TensorSpec& spec : specs) {
      const Shape frame = state_shape();
      spec.shape.set(-1, frame[0]);
      spec.shape.push_back(frame[1]);
    }
    return specs;
  }

 private:
  [[nodiscard]] ConvLstmCell& frames() const { return static_cast<ConvLstmCell&>(*cell_layer()); }
  static void check_rank(const Shape& input) {
    if (input.rank() != 4) {
      shape_error("expected (batch, time, positions, channels) of rank 4, but got shape ", input);
    }
  }
  // Converts a frame between the data format of the layer and channels last, in either direction.
  [[nodiscard]] Shape channels_last(const Shape& frame) const {
    return frames().window().channels_first() ? Shape{frame[1], frame[0]} : frame;
  }
  [[nodiscard]] Tensor swapped(const Tensor& x) const {
    return frames().window().channels_first() ? ops::swap_axes(x, -1, -2) : x;
  }
  // Returns the shape of the state of one row of the batch.
  [[nodiscard]] Shape state_shape() const {
    const auto size = static_cast<Dim>(frames().output_size());
    return channels_last({frames().positions(), size / frames().positions()});
  }
  // Returns the frames of flat rows, in the data format of the layer.
  [[nodiscard]] Tensor framed(const Tensor& rows) const {
    Shape shape = rows.shape();
    shape.set(-1, frames().positions());
    shape.push_back(rows.shape().back() / frames().positions());
    return swapped(rows.reshaped(shape));
  }
  [[nodiscard]] Tensor row_of(const Tensor& state) const {
    const Shape expected = state_shape();
    if (state.rank() != 3 || state.shape().from(1) != expected) {
      shape_error("initial_state has shape ", state.shape(), " but its frames must be ", expected);
    }
    return swapped(state).reshaped({state.shape()[0], static_cast<Dim>(frames().output_size())});
  }

  Shape frame_;  // Frame of the input that the layer was built for, channels last.
};

const RegisterLayer<ConvLstm1D> registration{
    "ConvLSTM1D",
    "LSTM over frames, with convolutions for its products (Shi et al. 2015). Input [batch, time, "
    "positions, channels], states [h, c] of [batch, positions, filters]; masked steps are "
    "skipped."};

}  // namespace
}  // namespace maskflow
