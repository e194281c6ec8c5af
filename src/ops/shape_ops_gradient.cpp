// SPDX-License-Identifier: MIT
// Derivatives of ops that only move elements. Most apply the op to the indices of the elements,
// which shows where each element of a result comes from, and add the gradients up there. Ops that
// layers call for every step have faster rules.
#include <algorithm>
#include <numeric>

#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"
#include "ops/strided.hpp"
#include "ops/tracker.hpp"

namespace maskflow {
namespace {

// Returns consecutive numbers from `first` on, in the shape of x.
Tensor numbered(const Tensor& x, std::int32_t first) {
  Tensor numbers(DType::kInt32, x.shape());
  const std::span<std::int32_t> data = numbers.mutable_data<std::int32_t>();
  std::iota(data.begin(), data.end(), first);
  return numbers;
}

// Numbers begin at 1, because 0 marks elements that the op filled in.
Tensors moved(const RecordedOp& call, const Tensors& cotangents) {
  Tensors numbers = call.operands;
  Tensors gradients(call.operands.size());
  std::int32_t next = 1;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!call.needs[i]) {
      // Indices are unchanged; other parts of a joined tensor count as filled in.
      if (call.op.operands.ends_with('*')) {
        numbers[i] = Tensor::zeros(DType::kInt32, numbers[i].shape());
      }
      continue;
    }
    gradients[i] = Tensor::zeros(DType::kFloat32, numbers[i].shape());
    numbers[i] = numbered(numbers[i], next);
    next += static_cast<std::int32_t>(gradients[i].size());
  }
  Dict attributes = call.attributes;
  if (attributes.find("constant_values") != nullptr) attributes["constant_values"] = nullptr;
  const Tensors sources = compute_op(call.op, numbers, attributes);
  // The sums of the gradients of all operands, by the numbers of their elements.
  std::vector<float> sums(at(next), 0.0F);
  for (std::size_t r = 0; r < sources.size(); ++r) {
    const std::span<const std::int32_t> source = sources[r].data<std::int32_t>();
    const std::span<const float> g = cotangents[r].data<float>();
    for (std::size_t i = 0; i < source.size(); ++i) {
      const std::int32_t number = source[i] < next ? std::max(source[i], 0) : 0;
      sums[at(number)] += g[i];
    }
  }
  const float* from = sums.data() + 1;
  for (Tensor& gradient : gradients) {
    if (gradient.empty_handle()) continue;
    std::copy_n(from, gradient.size(), gradient.mutable_floats());
    from += gradient.size();
  }
  return gradients;
}

// Applies the inverse permutation.
Tensors transpose(const RecordedOp& call, const Tensors& g) {
  if (call.settings().is_null("axes")) return {ops::transpose(g[0])};
  const std::vector<Dim> axes = call.settings().integers("axes");
  std::vector<int> inverse(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    inverse[at(normalize_axis(axes[i], g[0].rank()))] = static_cast<int>(i);
  }
  return {ops::transpose(g[0], inverse)};
}
Tensors swap_axes(const RecordedOp& call, const Tensors& g) {
  const OpAttributes settings = call.settings();
  return {ops::swap_axes(g[0], settings.integer("axis1"), settings.integer("axis2"))};
}
Tensors move_axis(const RecordedOp& call, const Tensors& g) {
  Dict settings;
  settings["source"] = call.settings().get("destination");
  settings["destination"] = call.settings().get("source");
  return {apply_op1("Moveaxis", g, settings)};
}
Tensors flip(const RecordedOp& call, const Tensors& g) {
  return {apply_op1("Flip", g, call.attributes)};
}
// Passes the gradient on unchanged, because the tape undoes broadcasting for every op.
Tensors broadcast_to(const RecordedOp&, const Tensors& g) { return {g[0]}; }

Tensors concatenate(const RecordedOp& call, const Tensors& g) {
  const int axis = normalize_axis(call.settings().integer("axis"), g[0].rank());
  Tensors gradients;
  Dim first = 0;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const Dim next = first + call.operands[i].shape()[axis];
    gradients.push_back(call.needs[i] ? ops::slice_axis(g[0], axis, first, next) : Tensor());
    first = next;
  }
  return gradients;
}

// Returns zeros with the gradient in place of the block.
Tensors slice(const RecordedOp& call, const Tensors& g) {
  const Shape& whole = call.operands[0].shape();
  const Shape& block = g[0].shape();
  if (whole.rank() == 0) return {g[0]};
  const std::vector<Dim> starts = call.settings().integers("start_indices");
  const Strides strides = strides_of(whole);
  Dim offset = 0;
  for (std::size_t axis = 0; axis < starts.size(); ++axis) offset += strides[axis] * starts[axis];
  Tensor gradient = Tensor::zeros(DType::kFloat32, whole);
  if (block.size() == 0) return {gradient};
  const float* const from = g[0].floats();
  float* const to = gradient.mutable_floats() + offset;
  const std::size_t width = block.length(-1);
  for_each_row<2>(block, {strides_of(block), strides}, [&](const std::array<Dim, 2>& offsets) {
    std::copy_n(from + offsets[0], width, to + offsets[1]);
  });
  return {gradient};
}

// Adds up the gradients of slices that were taken several times.
Tensors take(const RecordedOp& call, const Tensors& g) {
  const Shape& shape = call.operands[0].shape();
  const bool flat = call.settings().is_null("axis");
  const int axis = flat ? 0 : normalize_axis(call.settings().integer("axis"), shape.rank());
  const Dim length = flat ? shape.size() : shape[axis];
  const auto outer = at(flat ? 1 : shape.size_between(0, axis));
  const auto block = at(flat ? 1 : shape.size_between(axis + 1, shape.rank()));
  const Tensor indices = ops::cast(call.operands[1], DType::kInt32);
  Tensor gradient = Tensor::zeros(DType::kFloat32, shape);
  const float* from = g[0].floats();
  float* to = gradient.mutable_floats();
  for (std::size_t o = 0; o < outer; ++o, to += at(length) * block) {
    for (const std::int32_t index : indices.data<std::int32_t>()) {
      const auto row = at(index < 0 ? index + length : index);
      for (std::size_t i = 0; i < block; ++i) to[row * block + i] += from[i];
      from += block;
    }
  }
  return {gradient, {}};
}

// The ends of the parts may decrease; then some elements are in several parts.
Tensors split(const RecordedOp& call, const Tensors& g) {
  const Shape& whole = call.operands[0].shape();
  const int axis = normalize_axis(call.settings().integer("axis"), whole.rank());
  Dim size = 0;
  for (const Tensor& part : g) size += part.shape()[axis];
  if (size != whole[axis]) return moved(call, g);
  return {ops::concatenate(g, axis)};
}

// Sums the copies of an element, which are adjacent.
Tensors repeat(const RecordedOp& call, const Tensors& g) {
  const Shape& shape = call.operands[0].shape();
  const bool flat = call.settings().is_null("axis");
  const int end =
      flat ? shape.rank() : normalize_axis(call.settings().integer("axis"), shape.rank()) + 1;
  const Shape copies{shape.size_between(0, end), call.settings().integer("repeats"),
                     shape.size_between(end, shape.rank())};
  return {ops::sum(g[0].reshaped(copies), {1}, false).reshaped(shape)};
}

constexpr OpGradient kGradients[] = {
    {"BroadcastTo", broadcast_to},
    {"Concatenate", concatenate},
    {"Flip", flip},
    {"GetItem", moved},
    {"Moveaxis", move_axis},
    {"Pad", moved},
    {"Repeat", repeat},
    {"Roll", moved},
    {"Slice", slice},
    {"Split", split},
    {"Stack", moved},
    {"Swapaxes", swap_axes},
    {"Take", take},
    {"TakeAlongAxis", moved},
    {"Tile", moved},
    {"Transpose", transpose},
    {"Tril", moved},
    {"Triu", moved},
    {"Unstack", moved},
    {"Squeeze", moved},
    {"ExpandDims", moved},
    {"Reshape", moved},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
