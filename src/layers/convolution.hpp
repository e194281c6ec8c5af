// SPDX-License-Identifier: MIT
// What layers have in common that move a kernel over time.
#pragma once

#include <cstdint>
#include <span>

#include "layers/layer.hpp"

namespace maskflow {

// How the kernel moves: Keras's settings of the same names.
struct Window {
  void describe(Fields& fields, Doc padding_doc);
  // ConfigError for what cannot be; `causal`: is that a padding of this layer?
  void check(bool causal) const;

  [[nodiscard]] bool channels_first() const { return data_format == "channels_first"; }
  [[nodiscard]] std::size_t taps() const { return static_cast<std::size_t>(kernel_size[0]); }
  [[nodiscard]] Dim stride() const { return strides[0]; }
  [[nodiscard]] Dim dilation() const { return dilation_rate[0]; }
  // Steps from the first to the last that one output sees.
  [[nodiscard]] Dim span() const { return dilation() * (kernel_size[0] - 1) + 1; }
  // ShapeError when it is none.
  [[nodiscard]] Dim output_steps(Dim time) const;
  // Of an input with its padding.
  [[nodiscard]] Dim padded_steps(Dim time) const;
  // With zeros before and after that axis, so that every tap reads a step that is there.
  [[nodiscard]] Tensor padded(const Tensor& x, int axis) const;
  // The row of the first step of each output: `sequences` of `time` rows each, in the order of
  // `index` when there is one.
  [[nodiscard]] std::vector<std::int32_t> starts(std::size_t sequences, Dim time, Dim steps,
                                                 const std::int32_t* index = nullptr) const;

  std::vector<int> kernel_size{1}, strides{1}, dilation_rate{1};
  std::string padding = "valid";
  std::optional<std::string> data_format = "channels_last";
};

// The product of windows with a kernel [taps, channels / groups, filters], packed once per value.
class WindowProduct {
 public:
  WindowProduct(VariablePtr kernel, Dim dilation, std::size_t groups);
  // out[i] = start + sum over k of x[first[i] + k * dilation] kernel[k], by rows of all channels.
  // Kernels with groups cannot accumulate.
  void operator()(const float* x, std::span<const std::int32_t> first, kernels::Start start,
                  const float* bias, float* out);

 private:
  void pack();
  VariablePtr kernel_;
  Dim dilation_;
  std::size_t groups_;
  std::size_t joined_;  // taps in one product
  std::uint64_t version_ = 0;
  std::vector<kernels::PackedMatrix> packed_;
};

// [batch, time, channels] in, [batch, steps, filters] out; or both with channels first.
class ConvolutionLayer : public Layer {
 public:
  void check_config() const override { window_.check(false); }
  void build(const std::vector<Shape>& inputs) override;
  [[nodiscard]] int min_rank() const override { return 3; }
  Tensors call(const Args& args) override;
  std::vector<TensorSpec> output_specs(const Args& args) override;

 protected:
  // Activation, bias and what only training needs.
  void describe_result(Fields& fields);
  [[nodiscard]] virtual Dim output_steps(Dim time) const { return window_.output_steps(time); }
  [[nodiscard]] virtual Dim output_channels() const = 0;
  // The weights but for the bias.
  virtual void build_kernels(Dim channels) = 0;
  // Channels last; with the bias, without the activation.
  virtual Tensor convolve(const Tensor& x, Dim steps) = 0;
  [[nodiscard]] const float* bias() const { return bias_ ? bias_->data() : nullptr; }
  [[nodiscard]] kernels::Start start() const {
    return bias_ ? kernels::Start::kBias : kernels::Start::kZero;
  }

  Window window_;
  Dim channels_ = kUnknown;  // that the layer was built for

 private:
  [[nodiscard]] Tensor swapped(const Tensor& x) const;
  Activation activation_{"linear"};
  bool use_bias_ = true;
  Initializer bias_initializer_{"zeros"};
  VariablePtr bias_;
};

}  // namespace maskflow
