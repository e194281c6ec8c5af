// SPDX-License-Identifier: MIT
#include "layers/convolution.hpp"

#include "kernels/copy.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

std::size_t at(Dim n) { return static_cast<std::size_t>(n); }

void check_size(std::string_view name, const std::vector<int>& sizes) {
  if (sizes.size() != 1) {
    config_error("'", name, "' has ", sizes.size(), " numbers but must have 1: there is one axis");
  }
  if (sizes[0] <= 0) config_error("'", name, "' is ", sizes[0], " but must be at least 1");
}

Tensor zeros(const Shape& like, int axis, Dim size) {
  Shape shape = like;
  shape.set(axis, size);
  return Tensor::zeros(DType::kFloat32, shape);
}

}  // namespace

void Window::describe(Fields& fields, Doc padding_doc) {
  fields.field("kernel_size", kernel_size, "Steps that one output sees.", FieldKind::kRequired);
  fields.field("strides", strides, "Steps from one output to the next.");
  fields.field("padding", padding, padding_doc);
  for (char& c : padding) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  fields.field("data_format", data_format,
               "'channels_last' [batch, time, channels] or 'channels_first'.");
  fields.field("dilation_rate", dilation_rate, "Steps between the taps of the kernel.");
}

void Window::check(bool causal) const {
  check_size("kernel_size", kernel_size);
  check_size("strides", strides);
  check_size("dilation_rate", dilation_rate);
  if (stride() > 1 && dilation() > 1) {
    config_error("'strides' is ", stride(), " and 'dilation_rate' is ", dilation(),
                 "; one of them must be 1");
  }
  if (padding != "valid" && padding != "same" && !(causal && padding == "causal")) {
    config_error("'padding' is '", padding, "' but must be 'valid'",
                 causal ? ", 'same' or 'causal'" : " or 'same'");
  }
  if (data_format && data_format != "channels_last" && data_format != "channels_first") {
    config_error("'data_format' is '", *data_format,
                 "' but must be 'channels_last' or 'channels_first'");
  }
}

Dim Window::output_steps(Dim time) const {
  if (time == kUnknown) return kUnknown;
  const Dim covered = padding == "valid" ? time - span() + 1 : time;
  if (covered <= 0) {
    shape_error("the kernel covers ", span(), " steps but the input has only ", time,
                "; use a longer input, or padding 'same'");
  }
  return (covered + stride() - 1) / stride();
}

Dim Window::padded_steps(Dim time) const {
  if (padding == "valid") return time;
  if (padding == "causal") return time + span() - 1;
  return std::max(time, (output_steps(time) - 1) * stride() + span());
}

Tensor Window::padded(const Tensor& x, int axis) const {
  const Dim added = padded_steps(x.shape()[axis]) - x.shape()[axis];
  if (added == 0) return x;
  const Dim before = padding == "causal" ? added : added / 2;
  return ops::concatenate(
      std::array{zeros(x.shape(), axis, before), x, zeros(x.shape(), axis, added - before)}, axis);
}

std::vector<std::int32_t> Window::starts(std::size_t sequences, Dim time, Dim steps,
                                         const std::int32_t* index) const {
  std::vector<std::int32_t> rows;
  rows.reserve(sequences * at(steps));
  for (std::size_t s = 0; s < sequences; ++s) {
    const Dim sequence = index == nullptr ? static_cast<Dim>(s) : index[s];
    for (Dim step = 0; step < steps; ++step) {
      rows.push_back(static_cast<std::int32_t>(sequence * time + step * stride()));
    }
  }
  return rows;
}

// A window of neighbouring rows is one long row: a single product, without a copy of the windows.
WindowProduct::WindowProduct(VariablePtr kernel, Dim dilation, std::size_t groups)
    : kernel_(std::move(kernel)),
      dilation_(dilation),
      groups_(groups),
      joined_(groups == 1 && dilation == 1 ? at(kernel_->shape()[0]) : 1) {}

void WindowProduct::pack() {
  if (version_ == kernel_->version()) return;
  version_ = kernel_->version();
  const float* kernel = kernel_->data();
  const std::size_t channels = at(kernel_->shape()[1]);
  const std::size_t filters = at(kernel_->shape()[2]);
  const std::size_t columns = filters / groups_;
  packed_.clear();
  for (std::size_t g = 0; g < groups_; ++g) {
    for (std::size_t tap = 0; tap < at(kernel_->shape()[0]); tap += joined_) {
      packed_.emplace_back(kernel + tap * channels * filters + g * columns, channels * joined_,
                           columns, filters);
    }
  }
}

void WindowProduct::operator()(const float* x, std::span<const std::int32_t> first,
                               kernels::Start start, const float* bias, float* out) {
  pack();
  const std::size_t channels = at(kernel_->shape()[1]);
  const std::size_t columns = at(kernel_->shape()[2]) / groups_;
  const std::size_t products = packed_.size() / groups_;
  std::vector<std::int32_t> index;
  std::vector<float> part(groups_ == 1 ? 0 : first.size() * columns);
  for (std::size_t g = 0; g < groups_; ++g) {
    float* to = groups_ == 1 ? out : part.data();
    index.assign(first.begin(), first.end());
    for (std::size_t p = 0; p < products; ++p) {
      kernels::gemm({x + g * channels, channels * groups_, index.data()}, first.size(),
                    packed_[g * products + p], p == 0 ? start : kernels::Start::kAccumulate,
                    bias == nullptr ? nullptr : bias + g * columns, to);
      for (std::int32_t& row : index) row += static_cast<std::int32_t>(dilation_);
    }
    if (groups_ == 1) return;
    for (std::size_t r = 0; r < first.size(); ++r) {
      kernels::copy(to + r * columns, out + (r * groups_ + g) * columns, columns);
    }
  }
}

void ConvolutionLayer::describe_result(Fields& fields) {
  fields.field("activation", activation_, "Activation of the result.");
  fields.field("use_bias", use_bias_, "Add a bias?");
  fields.field("bias_initializer", bias_initializer_,
               "Start of the bias, one number for each channel of the output.");
  fields.inert(inert_, {"bias_regularizer", "activity_regularizer", "bias_constraint"});
}

void ConvolutionLayer::build(const std::vector<Shape>& inputs) {
  const Shape& input = inputs.front();
  if (input.rank() != 3) shape_error("expected an input of rank 3, but got shape ", input);
  channels_ = input[window_.channels_first() ? 1 : 2];
  if (channels_ == kUnknown) {
    shape_error("the channels of the input ", input, " must be known");
  }
  build_kernels(channels_);
  if (use_bias_) bias_ = add_weight("bias", {output_channels()}, bias_initializer_);
}

Tensors ConvolutionLayer::call(const Args& args) {
  const Shape& given = args.inputs.front().shape();
  if (given.rank() != 3 || given[window_.channels_first() ? 1 : 2] != channels_) {
    shape_error("expected an input of rank 3 with ", channels_, " channels, but got ", given);
  }
  const Tensor x = swapped(ops::cast(args.inputs.front(), DType::kFloat32));
  Tensor output = convolve(x, output_steps(x.shape()[1]));
  const std::size_t width = at(output_channels());
  activation_.apply(output.mutable_data<float>().data(), output.size() / width, width);
  return {swapped(output)};
}

std::vector<TensorSpec> ConvolutionLayer::output_specs(const Args& args) {
  const Shape& input = args.inputs.front().shape();
  const bool first = window_.channels_first();
  const Dim steps = output_steps(input[first ? 2 : 1]);
  return {{first ? Shape{input[0], output_channels(), steps}
                 : Shape{input[0], steps, output_channels()},
           DType::kFloat32}};
}

Tensor ConvolutionLayer::swapped(const Tensor& x) const {
  if (!window_.channels_first()) return x;
  Dict attributes;
  attributes["axes"] = List{0, 2, 1};
  return apply_op1("Transpose", {&x, 1}, attributes);
}

}  // namespace maskflow
