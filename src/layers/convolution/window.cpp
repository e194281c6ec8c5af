// SPDX-License-Identifier: MIT
#include "layers/convolution/window.hpp"

#include <algorithm>
#include <array>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensor zeros(const Shape& like, int axis, Dim size) {
  Shape shape = like;
  shape.set(axis, size);
  return Tensor::zeros(DType::kFloat32, shape);
}

}  // namespace

void check_window(std::string_view name, const std::vector<int>& sizes) {
  if (sizes.size() != 1) {
    config_error("'", name, "' has ", sizes.size(), " numbers but must have 1");
  }
  if (sizes[0] <= 0) config_error("'", name, "' is ", sizes[0], " but must be at least 1");
}

void Window::describe(Fields& fields, std::string_view paddings, Doc padding_doc) {
  fields.field("kernel_size", kernel_size, "Number of taps of the kernel; at least 1.",
               FieldKind::kRequired);
  fields.field("strides", strides, "Steps from one output to the next.");
  fields.padding(padding, paddings, padding_doc);
  fields.field("data_format", data_format,
               "'channels_last' [batch, time, channels] or 'channels_first'.");
  fields.field("dilation_rate", dilation_rate, "Steps from one tap of the kernel to the next.");
}

void Window::check() const {
  check_window("kernel_size", kernel_size);
  check_window("strides", strides);
  check_window("dilation_rate", dilation_rate);
  if (stride() > 1 && dilation() > 1) {
    config_error("'strides' is ", stride(), " and 'dilation_rate' is ", dilation(),
                 "; one of them must be 1");
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

Dim Window::padded_before(Dim time) const {
  const Dim added = padded_steps(time) - time;
  return padding == "causal" ? added : added / 2;
}

Tensor Window::padded(const Tensor& x, int axis) const {
  const Dim added = padded_steps(x.shape()[axis]) - x.shape()[axis];
  if (added == 0) return x;
  const Dim before = padded_before(x.shape()[axis]);
  return ops::concatenate(
      std::array{zeros(x.shape(), axis, before), x, zeros(x.shape(), axis, added - before)}, axis);
}

std::vector<std::int32_t> Window::starts(std::size_t sequences, Dim time, Dim steps,
                                         const std::int32_t* index) const {
  std::vector<std::int32_t> rows;
  rows.reserve((Count(sequences) * steps).of<std::int32_t>());
  for (std::size_t s = 0; s < sequences; ++s) {
    const Dim sequence = index == nullptr ? static_cast<Dim>(s) : index[s];
    for (Dim step = 0; step < steps; ++step) {
      rows.push_back(static_cast<std::int32_t>(sequence * time + step * stride()));
    }
  }
  return rows;
}

}  // namespace maskflow
