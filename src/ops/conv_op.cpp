// SPDX-License-Identifier: MIT
// Convolution and pooling over time as ops: the steps that each output sees are taken from x, then
// multiplied or reduced.
#include <algorithm>
#include <limits>

#include "ops/conv_settings.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// A setting that Keras accepts as a number or as a list of one.
Dim one_size(const OpAttributes& attributes, Name name) {
  const std::vector<Dim> sizes = attributes.integers(name);
  if (sizes.size() != 1 || sizes[0] < 1) {
    value_error("'", name, "' must be one number, at least 1: only one axis of steps is available");
  }
  return sizes[0];
}

struct Window {
  Dim taps;
  Dim stride;
  Dim dilation;
};

// x as [batch, time, features].
Tensor steps_of(const Tensor& x, const OpAttributes& attributes, bool& channels_first) {
  if (x.rank() != 3) {
    shape_error("inputs have shape ", x.shape(), " but must be [batch, time, features]");
  }
  const Value format = attributes.get("data_format");
  channels_first = !format.is_null() && format.as_string("data_format") == "channels_first";
  const Tensor floats = ops::cast(x, DType::kFloat32);
  return channels_first ? ops::swap_axes(floats, 1, 2) : floats;
}

// The steps that each output sees, [batch, outputs, taps, features], with `filler` for padding.
// `counts` becomes the number of steps without padding, [outputs, 1].
Tensor windows(const Tensor& x, const Window& window, const OpAttributes& attributes, double filler,
               Tensor* counts = nullptr) {
  const std::string padding = attributes.get("padding").as_string("padding");
  if (!has_word("valid same", padding)) {
    value_error("'padding' is '", padding, "' but must be 'valid' or 'same'");
  }
  const Dim time = x.shape()[1];
  const Dim span = window.dilation * (window.taps - 1) + 1;
  const bool same = padding == "same";
  const Dim outputs = same ? (time + window.stride - 1) / window.stride
                           : (time - span + window.stride) / window.stride;
  if (outputs < 1 && !(same && time == 0)) {
    shape_error("a window of ", span, " steps does not fit into ", time,
                "; use longer inputs or padding 'same'");
  }
  const Dim added = same ? std::max<Dim>((outputs - 1) * window.stride + span - time, 0) : 0;
  Tensor steps(DType::kInt32, {outputs, window.taps});
  if (counts != nullptr) *counts = Tensor::zeros(DType::kFloat32, {outputs, 1});
  for (Dim output = 0; output < outputs; ++output) {
    for (Dim tap = 0; tap < window.taps; ++tap) {
      const Dim step = output * window.stride + tap * window.dilation - added / 2;
      const bool is_padding = step < 0 || step >= time;
      steps.mutable_data<std::int32_t>()[at(output * window.taps + tap)] =
          static_cast<std::int32_t>(is_padding ? time : step);
      if (counts != nullptr && !is_padding) counts->mutable_floats()[output] += 1;
    }
  }
  if (added == 0) return ops::take(x, steps, 1);
  const Tensor pad = Tensor::full(DType::kFloat32, {x.shape()[0], 1, x.shape()[2]}, filler);
  return ops::take(ops::concatenate(std::array{x, pad}, 1), steps, 1);
}

Tensors conv(Operands operands, const OpAttributes& attributes) {
  bool channels_first = false;
  const Tensor x = steps_of(operands[0], attributes, channels_first);
  const Tensor kernel = ops::cast(operands[1], DType::kFloat32);
  const Shape& shape = kernel.shape();
  const Dim features = x.shape()[2];
  // Groups of features and of filters, each with a convolution of its own.
  const Dim groups = shape.rank() == 3 && shape[1] > 0 ? features / shape[1] : 0;
  if (groups == 0 || features % shape[1] != 0 || shape[2] % groups != 0) {
    shape_error("the kernel has shape ", shape, " but must be [steps, ", features,
                ", filters]: the second axis has the size of the features, or of each of several "
                "equal groups");
  }
  const Window window{shape[0], one_size(attributes, "strides"),
                      one_size(attributes, "dilation_rate")};
  const Tensor seen = windows(x, window, attributes, 0);
  const Shape rows{seen.shape()[0], seen.shape()[1], shape[0] * shape[1]};
  const Tensors inputs = ops::split(seen, groups, 3);
  const Tensors kernels = ops::split(kernel, groups, 2);
  Tensors results;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor matrix = kernels[i].reshaped({rows[2], shape[2] / groups});
    results.push_back(ops::matmul(inputs[i].reshaped(rows), matrix));
  }
  const Tensor result = ops::concatenate(results, 2);
  return {channels_first ? ops::swap_axes(result, 1, 2) : result};
}

Tensors pool(Operands operands, const OpAttributes& attributes, bool takes_max) {
  bool channels_first = false;
  const Tensor x = steps_of(operands[0], attributes, channels_first);
  const Dim taps = one_size(attributes, "pool_size");
  const Window window{taps, attributes.is_null("strides") ? taps : one_size(attributes, "strides"),
                      1};
  Tensor counts;
  Tensor result;
  if (takes_max) {
    const double lowest = -std::numeric_limits<double>::infinity();
    // The first of equal steps has the gradient, as in the layer.
    const Tensor seen = windows(x, window, attributes, lowest);
    Dict settings;
    settings["axis"] = 2;
    const Tensor best = ops::expand_dims(ops::argmax(seen, 2), 2);
    result = ops::squeeze(apply_op1("TakeAlongAxis", std::array{seen, best}, settings), 2);
  } else {
    const Tensor seen = windows(x, window, attributes, 0, &counts);
    result = ops::divide(ops::sum(seen, 2), counts);
  }
  if (channels_first) result = ops::swap_axes(result, 1, 2);
  return {ops::cast(result, operands[0].dtype())};
}
Tensors max_pool(Operands operands, const OpAttributes& attributes) {
  return pool(operands, attributes, true);
}
Tensors average_pool(Operands operands, const OpAttributes& attributes) {
  return pool(operands, attributes, false);
}

constexpr OpAttribute kPoolSettings[] = {
    {"pool_size", "number | [number]", "Number of steps that an output sees.", true, {}},
    {"strides",
     "number | [number] | null",
     "Number of steps between outputs; null: poolSize.",
     false,
     {}},
    kPadding,
    kFormat};

constexpr OpDef kOps[] = {
    {"Conv", "inputs kernel", kConvSettings,
     "Convolution over time. `kernel` is [steps, features, filters]; with fewer features, groups "
     "of "
     "features and filters are convolved separately.",
     conv},
    {"MaxPool", "inputs", kPoolSettings, "The largest of several steps.", max_pool},
    {"AveragePool", "inputs", kPoolSettings, "The mean of several steps, without padding.",
     average_pool},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
