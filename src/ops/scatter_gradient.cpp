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

// The product of the other rows of the segment. A zero among them makes it 0.
Tensors segment_prod(const RecordedOp& call, const Tensors& g) {
  const Tensor& x = call.operands[0];
  const Tensor& ids = call.operands[1];
  const Blocks blocks = blocks_of_segments(ids, g[0].shape());
  Dict attributes;
  attributes["num_segments"] = g[0].shape()[0];
  const Tensor is_zero = ops::equal(x, ops::number(0));
  const Tensor zeros = ops::cast(is_zero, DType::kFloat32);
  const Tensor counts = apply_op1("SegmentSum", std::array{zeros, ids}, attributes);
  const Tensor others = ops::subtract(gathered(counts, blocks, x.shape()), zeros);
  const Tensor nonzero = ops::where(is_zero, ops::number(1), x);
  const Tensor product = apply_op1("SegmentProd", std::array{nonzero, ids}, attributes);
  const Tensor rest = ops::divide(gathered(product, blocks, x.shape()), nonzero);
  const Tensor slope = ops::where(ops::equal(others, ops::number(0)), rest, ops::number(0));
  return {ops::multiply(slope, gathered(g[0], blocks, x.shape())), Tensor()};
}

constexpr OpGradient kGradients[] = {
    {"Scatter", scatter},
    {"ScatterUpdate", scatter_update},
    {"SliceUpdate", slice_update},
    {"SegmentSum", segment_sum},
    {"SegmentMax", segment_extreme},
    {"SegmentMin", segment_extreme},
    {"SegmentProd", segment_prod},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
