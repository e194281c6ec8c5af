// SPDX-License-Identifier: MIT
#include "kernels/pooling.hpp"
#include "layer/data_format.hpp"
#include "layer/layer.hpp"
#include "ops/ops.hpp"
#include "rnn/layer_state.hpp"

namespace maskflow {
namespace {

// The mean or the maximum over time. As in Keras, only the mean uses the mask.
class GlobalPooling1D final : public Layer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("data_format", data_format_,
                 "'channels_last' [batch, time, features] or 'channels_first'.");
    fields.field("keepdims", keepdims_, "Keep the time axis with size 1.");
  }
  [[nodiscard]] bool supports_masking() const override { return supports_masking_ || averages(); }
  [[nodiscard]] bool takes_mask() const override { return averages(); }
  [[nodiscard]] bool folds_time(bool, const Frame&) const override { return true; }
  [[nodiscard]] Streaming streaming(const Shape&) const override {
    return time_axis() == 1 ? Streaming::kKeepsState : Streaming::kNever;
  }
  [[nodiscard]] int rank() const override { return 3; }

  Structure call(const Args& args, Frame& frame) override {
    Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const Shape shape = output_specs(args).front().shape;
    if (time_axis() == 2) x = ops::swap_axes(x, 1, 2);
    Tensor output(DType::kFloat32, {x.shape()[0], x.shape()[2]});
    const std::size_t time = at(x.shape()[1]);
    const std::size_t width = at(x.shape()[2]);
    const float* from = x.floats();
    float* to = output.mutable_floats();
    const Tensor mask = broadcast_mask(args, x.shape());
    const std::uint8_t* keep = mask.empty_handle() ? nullptr : mask.data<std::uint8_t>().data();
    for (Dim b = 0; b < x.shape()[0]; ++b, from += time * width, to += width) {
      if (!averages()) {
        kernels::max_rows(from, time, width, to);
      } else {
        kernels::sum_rows(from, time, width, keep, to);
        if (keep != nullptr) keep += time;
      }
    }
    Tensor count = averages() ? counts(mask, time) : Tensor();
    if (LayerState* state = frame.take_state()) add_past(*state, output, count);
    if (averages()) output = ops::divide(output, count);
    return {output.reshaped(shape)};
  }
  OutputSpecs output_specs(const Args& args) override {
    Shape shape = args.inputs.front().shape();
    if (keepdims_) {
      shape.set(time_axis(), 1);
    } else {
      shape.erase(time_axis());
    }
    return {{shape, DType::kFloat32}};
  }
  Masks compute_mask(const Tensors&, const Masks&) override { return {}; }

 private:
  [[nodiscard]] bool averages() const { return class_name() == "GlobalAveragePooling1D"; }
  [[nodiscard]] int time_axis() const { return data_format_.channels_first ? 2 : 1; }
  // Returns the mask broadcast to [batch, time], or an empty handle without a mask.
  static Tensor broadcast_mask(const Args& args, const Shape& input) {
    const MaskPtr mask = args.mask && !args.mask->empty() ? args.mask->front() : nullptr;
    return mask == nullptr ? Tensor() : ops::broadcast_to(mask->values(), input.first(2));
  }
  // Adds the earlier steps of a stream to the sum and the count, or to the maximum.
  void add_past(LayerState& state, Tensor& output, Tensor& count) const {
    // Creates both states before taking references: a new state invalidates earlier references.
    static_cast<void>(state.tensor(0, output.shape()));
    Tensor& past_count = state.tensor(1, {output.shape()[0], 1});
    Tensor& past = state.tensor(0, output.shape());
    if (averages()) {
      past_count = count = ops::add(past_count, count);
      past = output = ops::add(past, output);
      return;
    }
    float& has_past = past_count.mutable_data<float>().front();
    if (has_past != 0) output = ops::maximum(past, output);
    has_past = 1;
    past = output;
  }
  // Returns the number of kept steps of each row, or of all rows without a mask. The mean of a row
  // without kept steps is 0 / 0 = NaN.
  static Tensor counts(const Tensor& mask, std::size_t time) {
    if (mask.empty_handle()) return Tensor::scalar(DType::kFloat32, static_cast<double>(time));
    return ops::sum(ops::cast(mask, DType::kFloat32), {1}, true);
  }

  DataFormat data_format_;
  bool keepdims_ = false;
};

const RegisterLayer<GlobalPooling1D> average{
    "GlobalAveragePooling1D",
    "Mean over time; with a mask, over the kept steps (NaN if no step is kept). The result has no "
    "mask.",
    {.aliases = "GlobalAvgPool1D",
     .built_at_init = true,
     .in_recurrent_module = true,
     .in_tfjs = true}};
const RegisterLayer<GlobalPooling1D> maximum{
    "GlobalMaxPooling1D",
    "Maximum over time. Treats padding as data: drops the mask with a warning.",
    {.aliases = "GlobalMaxPool1D",
     .built_at_init = true,
     .in_recurrent_module = true,
     .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
