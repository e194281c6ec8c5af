// SPDX-License-Identifier: MIT
#include "layers/pooling/pooling_1d.hpp"

#include <algorithm>

#include "kernels/pooling.hpp"
#include "layers/convolution/window.hpp"
#include "ops/ops.hpp"

namespace maskflow {

void Pooling1D::describe(Fields& fields) {
  Layer::describe(fields);
  if (is_adaptive()) {
    fields.field("output_size", size_, "Steps of the output; at least 1.", FieldKind::kRequired);
  } else {
    fields.field("pool_size", size_, "Number of steps that one output sees.");
    fields.field("strides", strides_, "Steps from one output to the next; null: pool_size.");
    fields.padding(padding_, "valid same",
                   "'valid', or 'same': windows may extend beyond the ends.");
    if (!strides_) strides_ = size_;
  }
  fields.field("data_format", data_format_,
               "'channels_last' [batch, time, features] or 'channels_first'.");
}

void Pooling1D::check_config() const {
  check_window("strides", strides_.value_or(size_));
  check_window(is_adaptive() ? "output_size" : "pool_size", size_);
}

Structure Pooling1D::call(const Args& args, Frame& /*frame*/) {
  const Tensor x = swapped(ops::cast(args.inputs.front(), DType::kFloat32));
  const Dim time = x.shape()[1];
  Shape shape = x.shape();
  shape.set(1, output_steps(time));
  Tensor output(DType::kFloat32, shape);
  const std::size_t width = at(shape[2]);
  const float* from = x.floats();
  float* to = output.mutable_floats();
  for (Dim b = 0; b < shape[0]; ++b, from += at(time) * width) {
    for (Dim step = 0; step < shape[1]; ++step, to += width) {
      const auto [first, last] = window(step, time, shape[1]);
      pool(from + at(first) * width, at(last - first), width, to);
    }
  }
  return {swapped(output)};
}

OutputSpecs Pooling1D::output_specs(const Args& args) {
  Shape shape = args.inputs.front().shape();
  const int time = channels_first() ? 2 : 1;
  if (is_adaptive() || shape[time] != kUnknown) shape.set(time, output_steps(shape[time]));
  return {{shape, DType::kFloat32}};
}

Dim Pooling1D::output_steps(Dim time) const {
  if (is_adaptive()) return size();
  const Dim covered = padding_ == "valid" ? time - size() + 1 : time;
  if (covered <= 0) {
    shape_error("a window covers ", size(), " steps but the input has only ", time,
                "; use padding 'same' or a smaller pool_size");
  }
  return (covered + stride() - 1) / stride();
}

std::pair<Dim, Dim> Pooling1D::window(Dim step, Dim time, Dim steps) const {
  if (is_adaptive()) return {step * time / steps, ((step + 1) * time + steps - 1) / steps};
  const Dim needed = std::max<Dim>(0, (steps - 1) * stride() + size() - time);
  const Dim first = step * stride() - (padding_ == "same" ? needed / 2 : 0);
  return {std::max<Dim>(0, first), std::min(time, first + size())};
}

void Pooling1D::pool(const float* x, std::size_t rows, std::size_t width, float* out) const {
  if (is_max()) {
    kernels::max_rows(x, rows, width, out);
    return;
  }
  kernels::sum_rows(x, rows, width, nullptr, out);
  for (std::size_t i = 0; i < width; ++i) out[i] /= static_cast<float>(rows);
}

Tensor Pooling1D::swapped(const Tensor& x) const {
  return channels_first() ? ops::swap_axes(x, 1, 2) : x;
}

namespace {

const RegisterLayer<Pooling1D> max_pooling{
    "MaxPooling1D",
    "Maximum over windows of time, [batch, time, features] to [batch, steps, features]. Treats "
    "padding as data: drops the mask with a warning.",
    {.aliases = "MaxPool1D", .built_at_init = true, .in_tfjs = true}};
const RegisterLayer<Pooling1D> average_pooling{
    "AveragePooling1D",
    "Mean over windows of time, [batch, time, features] "
    "to [batch, steps, features]. Treats padding "
    "as data: drops the mask with a warning.",
    {.aliases = "AvgPool1D", .built_at_init = true, .in_tfjs = true}};
const RegisterLayer<Pooling1D> adaptive_max_pooling{
    "AdaptiveMaxPooling1D",
    "Maximum over windows of time, chosen for output_size steps. Treats padding as data: drops the "
    "mask with a warning."};
const RegisterLayer<Pooling1D> adaptive_average_pooling{
    "AdaptiveAveragePooling1D",
    "Mean over windows of time, chosen for output_size steps. Treats padding as data: drops the "
    "mask with a warning."};

}  // namespace
}  // namespace maskflow
