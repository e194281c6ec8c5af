// SPDX-License-Identifier: MIT
// Convolutions that do not mix channels, without and with a product after them (Chollet 2017).
#include "kernels/depthwise.hpp"
#include "layers/convolution/convolution.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Channel c of the input becomes `depth_multiplier` channels of the output, beginning with
// c * depth_multiplier.
class DepthwiseConv1D : public ConvolutionLayer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("depth_multiplier", multiplier_,
                 "Channels of the output per channel of the input; at least 1.");
    window_.describe(fields, "valid same", "'valid' (none) or 'same'.");
    fields.field("depthwise_initializer", depthwise_initializer_,
                 "Initial value of the kernel, [kernel_size, channels, depth_multiplier].");
    fields.inert(inert_, {"depthwise_regularizer", "depthwise_constraint"});
    fields.ignored({"groups", "kernel_initializer", "kernel_regularizer", "kernel_constraint"});
    describe_result(fields);
  }
  void check_config() const override {
    window_.check();
    require_positive("depth_multiplier", multiplier_);
  }

 protected:
  [[nodiscard]] Dim output_channels() const override { return channels_ * multiplier_; }
  void build_kernels(Dim channels) override { build_depthwise("kernel", channels); }
  void build_depthwise(const char* name, Dim channels) {
    kernel_ =
        add_weight(name, {window_.kernel_size[0], channels, multiplier_}, depthwise_initializer_);
  }
  Tensor convolve(const Tensor& x, Dim steps, Frame& /*frame*/) override {
    return convolve(x, steps, bias());
  }

  Tensor convolve(const Tensor& x, Dim steps, const float* bias) {
    const Tensor repeated = repeat(window_.padded(x, 1));
    const std::size_t width = at(repeated.shape()[2]);
    const std::vector<std::int32_t> first =
        window_.starts(at(x.shape()[0]), repeated.shape()[1], steps);
    Tensor output(DType::kFloat32, {x.shape()[0], steps, repeated.shape()[2]});
    float* out = output.mutable_floats();
    for (const std::int32_t row : first) {
      kernels::depthwise(repeated.floats() + at(row) * width, at(window_.dilation()) * width,
                         kernel_->data(), window_.taps(), bias, out, width);
      out += width;
    }
    return output;
  }

 private:
  // Repeats each channel as often as it is used.
  [[nodiscard]] Tensor repeat(const Tensor& x) const {
    return multiplier_ == 1 ? x : ops::repeat(x, multiplier_, 2);
  }

  int multiplier_ = 1;
  Initializer depthwise_initializer_{"glorot_uniform"};
  VariablePtr kernel_;
};

class SeparableConv1D final : public DepthwiseConv1D {
 public:
  void describe(Fields& fields) override {
    DepthwiseConv1D::describe(fields);
    fields.field("filters", filters_, "Channels of the output; at least 1.", FieldKind::kRequired);
    fields.field("pointwise_initializer", pointwise_initializer_,
                 "Initial value of the second kernel, [1, channels * depth_multiplier, filters].");
    fields.inert(inert_, {"pointwise_regularizer", "pointwise_constraint"});
  }
  void check_config() const override {
    DepthwiseConv1D::check_config();
    require_positive("filters", filters_);
  }

 private:
  [[nodiscard]] Dim output_channels() const override { return filters_; }
  void build_kernels(Dim channels) override {
    build_depthwise("depthwise_kernel", channels);
    pointwise_ = add_weight("pointwise_kernel", {1, DepthwiseConv1D::output_channels(), filters_},
                            pointwise_initializer_);
    pointwise_->use_matrix();
  }
  Tensor convolve(const Tensor& x, Dim steps, Frame& /*frame*/) override {
    const Tensor middle = DepthwiseConv1D::convolve(x, steps, nullptr);
    Tensor output(DType::kFloat32, {x.shape()[0], steps, filters_});
    kernels::gemm({middle.floats(), at(middle.shape()[2])}, at(x.shape()[0] * steps),
                  pointwise_->packed(), start(), bias(), output.mutable_floats());
    return output;
  }

  int filters_ = 0;
  Initializer pointwise_initializer_{"glorot_uniform"};
  VariablePtr pointwise_;
};

const RegisterLayer<DepthwiseConv1D> depthwise_registration{
    "DepthwiseConv1D",
    "Convolution of each channel by itself, [batch, time, channels] to [batch, steps, channels * "
    "depth_multiplier]. Treats padding as data: drops the mask with a warning."};
const RegisterLayer<SeparableConv1D> separable_registration{
    "SeparableConv1D",
    "DepthwiseConv1D, then a product over the channels: [batch, time, channels] to [batch, steps, "
    "filters]. Treats padding as data: drops the mask with a warning.",
    {.aliases = "SeparableConvolution1D"}};

}  // namespace
}  // namespace maskflow
