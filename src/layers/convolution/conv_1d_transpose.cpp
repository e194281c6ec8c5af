// SPDX-License-Identifier: MIT
#include "layers/convolution/conv_1d_transpose.hpp"

#include <algorithm>

#include "kernels/copy.hpp"
#include "ops/ops.hpp"

namespace maskflow {
void Conv1DTranspose::describe(Fields& fields) {
  Layer::describe(fields);
  fields.field("filters", filters_, "Channels of the output; at least 1.", FieldKind::kRequired);
  window_.describe(fields, "valid same",
                   "'valid' (nothing is cut off) or 'same' (time * strides steps).");
  fields.field("output_padding", output_padding_,
               "Steps added at the end, fewer than strides; null: as `padding` needs.");
  fields.field("kernel_initializer", kernel_initializer_,
               "Initial value of the kernel, [kernel_size, filters, channels].");
  fields.inert(inert_, {"kernel_regularizer", "kernel_constraint"});
  fields.ignored({"groups"});
  describe_result(fields);
}

void Conv1DTranspose::check_config() const {
  window_.check();
  require_positive("filters", filters_);
  if (!output_padding_) return;
  if (output_padding_->size() != 1) {
    config_error("'output_padding' has ", output_padding_->size(), " numbers but must have 1");
  }
  const int added = output_padding_->front();
  if (added < 0 || added >= window_.stride()) {
    config_error("'output_padding' is ", added, " but must be at least 0 and less than 'strides', ",
                 window_.stride());
  }
}

Dim Conv1DTranspose::overhang() const {
  const bool same = window_.padding == "same";
  const Dim least = same ? window_.span() % 2 : window_.span();
  if (output_padding_) return least + output_padding_->front();
  return same ? window_.stride() : std::max(window_.span(), window_.stride());
}

Dim Conv1DTranspose::output_steps(Dim time) const {
  if (time == kUnknown) return kUnknown;
  const Dim steps = (time - 1) * window_.stride() + overhang();
  if (steps <= 0)
    shape_error("no step of the output is left of ", time, " steps; use padding 'valid'");
  return steps;
}

Dim Conv1DTranspose::cut() const {
  if (window_.padding != "same") return 0;
  const Dim padding = window_.span() - 2 + overhang();
  return std::max<Dim>(0, window_.span() - 1 - (padding + 1) / 2);
}

void Conv1DTranspose::build_kernels(Dim channels) {
  kernel_ = add_weight("kernel", {window_.kernel_size[0], filters_, channels}, kernel_initializer_);
  // The matrix is [channels, taps * filters].
  kernel_->use_matrices({{0, at(channels), window_.taps() * at(filters_), 1, at(channels)}});
}

// Computes all taps of a step in one product, then adds each to its row of the output.
Tensor Conv1DTranspose::convolve(const Tensor& x, Dim steps, Frame& /*frame*/) {
  const kernels::PackedMatrix& kernel = kernel_->packed();
  const std::size_t width = at(filters_);
  const Dim time = x.shape()[1];
  kernels::Floats products((Count(x.shape()[0] * time) * kernel.n()).of<float>());
  kernels::gemm({x.floats(), kernel.k()}, at(x.shape()[0] * time), kernel, kernels::Start::kZero,
                nullptr, products.data());
  Tensor output = Tensor::zeros(DType::kFloat32, {x.shape()[0], steps, filters_});
  float* out = output.mutable_floats();
  const float* part = products.data();
  for (Dim batch = 0; batch < x.shape()[0]; ++batch, out += at(steps) * width) {
    for (Dim step = 0; bias() != nullptr && step < steps; ++step) {
      kernels::copy(bias(), out + at(step) * width, width);
    }
    for (Dim t = 0; t < time; ++t) {
      for (Dim tap = 0; tap < window_.kernel_size[0]; ++tap, part += width) {
        const Dim to = t * window_.stride() + tap * window_.dilation() - cut();
        if (to >= 0 && to < steps) kernels::add(part, out + at(to) * width, width);
      }
    }
  }
  return output;
}

namespace {
const RegisterLayer<Conv1DTranspose> registration{
    "Conv1DTranspose",
    "Transposed convolution, which makes sequences longer: [batch, time, channels] to [batch, "
    "steps, filters]. Treats padding as data: drops the mask with a warning.",
    {.aliases = "Convolution1DTranspose"}};

}  // namespace
}  // namespace maskflow
