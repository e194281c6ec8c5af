// SPDX-License-Identifier: MIT
#include <algorithm>

#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"
#include "ops/scatter.hpp"

namespace maskflow {
namespace {

// The elements at these places, in a tensor of this shape.
Tensor gathered(const Tensor& g, const Blocks& blocks, const Shape& shape) {
  Tensor result = Tensor::zeros(DType::kFloat32, shape);
  float* to = result.mutable_floats();
  for (const std::size_t start : blocks.starts) {
    if (start != Blocks::kNowhere) std::copy_n(g.floats() + start, blocks.size, to);
    to += blocks.size;
  }
  return result;
}

// The gradient with zeros at these places.
Tensor cleared(const Tensor& g, const Blocks& blocks) {
  Tensor result = Tensor::from<float>(g.shape(), g.data<float>());
  for (const std::size_t start : blocks.starts) {
    std::fill_n(result.mutable_floats() + start, blocks.size, 0.0F);
  }
  return result;
}

Tensors scatter(const RecordedOp& call, const Tensors& g) {
  const Blocks blocks = blocks_at(call.operands[0], g[0].shape());
  return {Tensor(), gathered(g[0], blocks, call.operands[1].shape())};
}

Tensors update(const RecordedOp& call, const Tensors& g, const Blocks& blocks, bool adds) {
  return {adds ? g[0] : cleared(g[0], blocks), Tensor(),
          gathered(g[0], blocks, call.operands[2].shape())};
}
Tensors scatter_update(const RecordedOp& call, const Tensors& g) {
  const bool sets = call.settings().is_null("reduction");
  if (!sets && call.settings().get("reduction").as_string("reduction") != "add") {
    unsupported_error(
        "scatterUpdate with this reduction has no derivative; use null or 'add', or call it "
        "outside of the function that is differentiated");
  }
  return update(call, g, blocks_at(call.operands[1], g[0].shape()), !sets);
}
Tensors slice_update(const RecordedOp& call, const Tensors& g) {
  const Shape& block = call.operands[2].shape();
  return update(call, g, blocks_of_slice(call.operands[1], block, g[0].shape()), false);
}

Tensors segment_sum(const RecordedOp& call, const Tensors& g) {
  const Blocks blocks = blocks_of_segments(call.operands[1], g[0].shape());
  return {gathered(g[0], blocks, call.operands[0].shape()), Tensor()};
}
// Equal rows share the gradient equally.
Tensors segment_extreme(const RecordedOp& call, const Tensors& g) {
  const Tensor& x = call.operands[0];
  const Blocks blocks = blocks_of_segments(call.operands[1], g[0].shape());
  const Tensor best = gathered(call.results[0], blocks, x.shape());
  const Tensor is_best = ops::cast(ops::equal(x, best), DType::kFloat32);
  Dict attributes;
  attributes["num_segments"] = g[0].shape()[0];
  const Tensor counts = apply_op1("SegmentSum", std::array{is_best, call.operands[1]}, attributes);
  const Tensor share = ops::divide(g[0], ops::maximum(counts, ops::number(1)));
  return {ops::multiply(is_best, gathered(share, blocks, x.shape())), Tensor()};
}

constexpr OpGradient kGradients[] = {
    {"Scatter", scatter},        {"ScatterUpdate", scatter_update}, {"SliceUpdate", slice_update},
    {"SegmentSum", segment_sum}, {"SegmentMax", segment_extreme},   {"SegmentMin", segment_extreme},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
