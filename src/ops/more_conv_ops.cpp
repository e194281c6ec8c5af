// SPDX-License-Identifier: MIT
// Depthwise, separable and transposed convolution over time, and batch normalization, as calls of
// other ops.
#include <algorithm>

#include "ops/conv_settings.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

Dict settings_of(const OpAttributes& attributes) {
  Dict settings;
  for (const char* name : {"strides", "padding", "data_format", "dilation_rate"}) {
    settings[name] = attributes.get(name);
  }
  return settings;
}

// One group of filters for each feature.
Tensors depthwise_conv(Operands x, const OpAttributes& attributes) {
  const Shape& shape = x[1].shape();
  if (shape.rank() != 3) {
    shape_error("the kernel has shape ", shape, " but must be [steps, features, multiplier]");
  }
  const Tensor kernel = x[1].reshaped({shape[0], 1, shape[1] * shape[2]});
  return {apply_op1("Conv", std::array{x[0], kernel}, settings_of(attributes))};
}

Tensors separable_conv(Operands x, const OpAttributes& attributes) {
  const std::array depthwise{x[0], x[1]};
  const Tensor features = apply_op1("DepthwiseConv", depthwise, settings_of(attributes));
  Dict settings;
  settings["data_format"] = attributes.get("data_format");
  return {apply_op1("Conv", std::array{features, x[2]}, settings)};
}

Dim one_number(const OpAttributes& attributes, Name name, Dim least) {
  const std::vector<Dim> numbers = attributes.integers(name);
  if (numbers.size() != 1 || numbers[0] < least) {
    value_error("'", name, "' must be one number, at least ", least,
                ": only one axis of steps is available");
  }
  return numbers[0];
}

// Number of steps before the first step of the result, and of steps that each one adds, as in the
// layer Conv1DTranspose.
struct Placement {
  Dim cut;
  Dim overhang;
};
Placement placement(const OpAttributes& attributes, Dim span, Dim stride) {
  const std::string padding = attributes.get("padding").as_string("padding");
  if (!has_word("valid same", padding)) {
    value_error("'padding' is '", padding, "' but must be 'valid' or 'same'");
  }
  const bool same = padding == "same";
  Dim overhang = same ? stride : std::max(span, stride);
  if (!attributes.is_null("output_padding")) {
    overhang = (same ? span % 2 : span) + one_number(attributes, "output_padding", 0);
  }
  const Dim cut = same ? std::max<Dim>(0, span - 1 - (span - 1 + overhang) / 2) : 0;
  return {cut, overhang};
}

// Computes all taps of all steps in one product, and adds each to its step of the result.
Tensors conv_transpose(Operands operands, const OpAttributes& attributes) {
  const Value format = attributes.get("data_format");
  const bool first = !format.is_null() && format.as_string("data_format") == "channels_first";
  const Tensor x = first ? ops::swap_axes(operands[0], 1, 2) : operands[0];
  const Tensor& kernel = operands[1];
  if (x.rank() != 3 || kernel.rank() != 3 || kernel.shape()[2] != x.shape()[2]) {
    shape_error("inputs and kernel have shapes ", x.shape(), " and ", kernel.shape(),
                " but must be [batch, time, features] and [steps, filters, features]");
  }
  const Dim stride = one_number(attributes, "strides", 1);
  const Dim dilation = one_number(attributes, "dilation_rate", 1);
  const Dim batch = x.shape()[0];
  const Dim time = x.shape()[1];
  const Dim taps = kernel.shape()[0];
  const Dim filters = kernel.shape()[1];
  const auto [cut, overhang] = placement(attributes, dilation * (taps - 1) + 1, stride);
  const Dim steps = (time - 1) * stride + overhang;
  if (steps < 1) shape_error("no step of the result is left of ", time, " steps");
  Tensor places(DType::kInt32, {time * taps});
  std::int32_t* to = places.mutable_data<std::int32_t>().data();
  for (Dim t = 0; t < time; ++t) {
    for (Dim tap = 0; tap < taps; ++tap) {
      *to++ = static_cast<std::int32_t>(t * stride + tap * dilation - cut);
    }
  }
  const Tensor matrix = ops::transpose(kernel.reshaped({taps * filters, kernel.shape()[2]}));
  const Tensor products = ops::matmul(x, matrix).reshaped({batch, time * taps, filters});
  Dict settings;
  settings["num_segments"] = steps;
  const Tensor sums =
      apply_op1("SegmentSum", std::array{ops::swap_axes(products, 0, 1), places}, settings);
  return {first ? ops::transpose(sums, {1, 2, 0}) : ops::swap_axes(sums, 0, 1)};
}

Tensors batch_norm(Operands x, const OpAttributes& attributes) {
  const int axis = normalize_axis(attributes.integer("axis"), x[0].rank());
  const auto along = [&](const Tensor& vector) {
    if (vector.rank() != 1 || vector.shape()[0] != x[0].shape()[axis]) {
      shape_error("mean, variance, offset and scale must be vectors of ", x[0].shape()[axis],
                  " numbers, but one has shape ", vector.shape());
    }
    Shape shape = vector.shape();
    while (shape.rank() < x[0].rank() - axis) shape.push_back(1);
    return vector.reshaped(shape);
  };
  const Tensor epsilon = ops::number(attributes.number("epsilon"));
  Tensor factor = ops::rsqrt(ops::add(along(x[2]), epsilon));
  if (const Tensor* const scale = optional_operand(x, 4)) {
    factor = ops::multiply(factor, along(*scale));
  }
  Tensor result = ops::multiply(ops::subtract(x[0], along(x[1])), factor);
  if (const Tensor* const offset = optional_operand(x, 3)) {
    result = ops::add(result, along(*offset));
  }
  return {result};
}

constexpr OpAttribute kTransposeSettings[] = {
    {"strides", "number | [number]", "Number of steps of the result for each step.", false, 1},
    {"padding", "'valid' | 'same'", "'same': as many steps as the inputs have, times the stride.",
     false, "valid"},
    {"output_padding",
     "number | [number] | null",
     "Number of steps added at the end; null: as the padding needs.",
     false,
     {}},
    kFormat,
    kDilation};
constexpr OpAttribute kBatchNormSettings[] = {
    {"axis", "number", "Axis of the features.", true, {}},
    {"epsilon", "number", "Number that is added to the variance.", false, 0.001}};

constexpr OpDef kOps[] = {
    {"DepthwiseConv", "inputs kernel", kConvSettings,
     "Convolution over time of each feature alone. `kernel` is [steps, features, multiplier].",
     depthwise_conv},
    {"SeparableConv", "inputs depthwise_kernel pointwise_kernel", kConvSettings,
     "A depthwise convolution, then a product of the features. The kernels are [steps, features, "
     "multiplier] and [1, features * multiplier, filters].",
     separable_conv},
    {"ConvTranspose", "inputs kernel", kTransposeSettings,
     "Transposed convolution over time. `kernel` is [steps, filters, features].", conv_transpose},
    {"BatchNorm", "x mean variance offset? scale?", kBatchNormSettings,
     "(x - mean) / sqrt(variance + epsilon) * scale + offset, along an axis.", batch_norm},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
