// SPDX-License-Identifier: MIT
#include "layers/convolution/convolution.hpp"
#include "rnn/layer_state.hpp"

namespace maskflow {
namespace {

// Cross-correlation over time:
// y[t] = bias + sum over k of x[t * stride + k * dilation - padding] W[k].
class Conv1D final : public ConvolutionLayer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("filters", filters_, "Channels of the output; at least 1.", FieldKind::kRequired);
    window_.describe(fields, "valid same causal",
                     "'valid' (none), 'same', or 'causal': no output sees a later step.");
    fields.field("groups", groups_, "Number of groups of channels that are convolved separately.");
    fields.field("kernel_initializer", kernel_initializer_,
                 "Initial value of the kernel, [kernel_size, channels / groups, filters].");
    fields.inert(inert_, {"kernel_regularizer", "kernel_constraint"});
    fields.ignored({"lora_rank", "lora_alpha"});
    describe_result(fields);
  }
  void check_config() const override {
    window_.check();
    require_positive("filters", filters_);
    require_positive("groups", groups_);
    if (filters_ % groups_ != 0) {
      config_error("'groups' is ", groups_, " but must divide 'filters', ", filters_);
    }
  }
  [[nodiscard]] Streaming streaming(const Shape&) const override {
    const bool is_causal = window_.padding == "causal" || window_.taps() == 1;
    return is_causal && window_.stride() == 1 && !window_.channels_first() ? Streaming::kKeepsState
                                                                           : Streaming::kNever;
  }

 private:
  [[nodiscard]] Dim output_channels() const override { return filters_; }
  void build_kernels(Dim channels) override {
    if (channels % groups_ != 0) {
      config_error("'groups' is ", groups_, " but must divide the ", channels,
                   " channels of the input");
    }
    const Shape shape{window_.kernel_size[0], channels / groups_, filters_};
    product_.emplace(add_weight("kernel", shape, kernel_initializer_), window_.dilation(),
                     at(groups_));
  }

  Tensor convolve(const Tensor& x, Dim steps, Frame& frame) override {
    LayerState* const state = frame.take_state();
    const Tensor padded =
        state == nullptr ? window_.padded(x, 1) : state->with_past(x, window_.span() - 1);
    const Dim batch = x.shape()[0];
    Tensor output(DType::kFloat32, {batch, steps, filters_});
    (*product_)(padded.floats(), window_.starts(at(batch), padded.shape()[1], steps), start(),
                bias(), output.mutable_floats());
    return output;
  }

  int filters_ = 0;
  int groups_ = 1;
  Initializer kernel_initializer_{"glorot_uniform"};
  std::optional<WindowProduct> product_;
};

const RegisterLayer<Conv1D> registration{
    "Conv1D",
    "Convolution over time, [batch, time, channels] to [batch, steps, filters]. Treats padding as "
    "data: drops the mask with a warning.",
    {.aliases = "Convolution1D", .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
