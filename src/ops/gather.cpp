// SPDX-License-Identifier: MIT
// Ops that look up elements by index, and their inverse.
#include <cstring>

#include "ops/made_up_sizes.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

std::size_t checked_index(std::int32_t index, Dim size) {
  const Dim wrapped = index < 0 ? index + size : index;
  if (wrapped < 0 || wrapped >= size) {
    if (size > 0 && sizes_are_made_up()) return 0;
    value_error("index ", index, " is out of range for an axis of size ", size, "; use ", -size,
                " to ", size - 1);
  }
  return at(wrapped);
}

Tensors take(Operands operands, const OpAttributes& attributes) {
  const auto [x, axis] = along_axis(operands[0], attributes);
  const Tensor indices = ops::cast(operands[1], DType::kInt32);
  Shape shape = x.shape().first(axis);
  for (const Dim dim : indices.shape().dims()) shape.push_back(dim);
  for (int a = axis + 1; a < x.rank(); ++a) shape.push_back(x.shape()[a]);
  Tensor result(x.dtype(), shape);
  const std::size_t outer = x.shape().elements_between(0, axis);
  const std::size_t block = x.shape().elements_between(axis + 1, x.rank()) * size_of(x.dtype());
  const std::size_t length = x.shape().length(axis);
  std::byte* to = result.mutable_raw();
  for (std::size_t o = 0; o < outer; ++o) {
    for (const std::int32_t index : indices.data<std::int32_t>()) {
      const std::size_t row = checked_index(index, x.shape()[axis]);
      if (block > 0) std::memcpy(to, x.raw() + (o * length + row) * block, block);
      to += block;
    }
  }
  return {result};
}

Tensors take_along_axis(Operands operands, const OpAttributes& attributes) {
  Tensor x = along_axis(operands[0], attributes).first;
  Tensor indices = along_axis(ops::cast(operands[1], DType::kInt32), attributes).first;
  const int axis = along_axis(operands[0], attributes).second;
  if (indices.rank() != x.rank()) {
    shape_error("indices have shape ", indices.shape(), " for a tensor of shape ", x.shape(),
                "; they must have as many axes");
  }
  const auto without_axis = [&](Shape shape) {
    shape.set(axis, 1);
    return shape;
  };
  Shape shape = broadcast(without_axis(x.shape()), without_axis(indices.shape()));
  shape.set(axis, x.shape()[axis]);
  if (x.shape() != shape) x = ops::broadcast_to(x, shape);
  shape.set(axis, indices.shape()[axis]);
  if (indices.shape() != shape) indices = ops::broadcast_to(indices, shape);
  Tensor result(x.dtype(), shape);
  const std::size_t inner = shape.elements_between(axis + 1, shape.rank());
  const std::size_t length = shape.length(axis);
  const std::size_t size = x.shape().length(axis);
  const std::size_t width = size_of(x.dtype());
  const std::span<const std::int32_t> index = indices.data<std::int32_t>();
  std::byte* const to = result.mutable_raw();
  for (std::size_t i = 0; i < index.size(); ++i) {
    const std::size_t outer = i / (inner * length);
    const std::size_t row = checked_index(index[i], x.shape()[axis]);
    std::memcpy(to + i * width, x.raw() + ((outer * size + row) * inner + i % inner) * width,
                width);
  }
  return {result};
}

Tensors one_hot(Operands operands, const OpAttributes& attributes) {
  const Tensor ids = ops::cast(operands[0], DType::kInt32);
  const Dim classes = attributes.integer("num_classes");
  if (classes <= 0) value_error("num_classes is ", classes, " but must be at least 1");
  Shape shape = ids.shape();
  const int axis = normalize_axis(attributes.integer("axis"), ids.rank() + 1);
  shape.insert(axis, classes);
  Tensor result = Tensor::zeros(DType::kFloat32, shape);
  const std::size_t inner = ids.shape().elements_between(axis, ids.rank());
  const std::span<const std::int32_t> id = ids.data<std::int32_t>();
  for (std::size_t i = 0; i < id.size(); ++i) {
    // As in Keras, an id that is not a class becomes a row of zeros.
    if (id[i] < 0 || id[i] >= classes) continue;
    const std::size_t row = (i / inner * at(classes) + at(id[i])) * inner;
    result.mutable_data<float>()[row + i % inner] = 1;
  }
  return {ops::cast(result, attributes.dtype("dtype"))};
}

constexpr OpAttribute kTakeSettings[] = {
    {"axis", "number | null", "Axis to index; null: x is flattened first.", false, {}}};
constexpr OpAttribute kOneHotSettings[] = {
    {"num_classes", "number", "Number of classes: size of the new axis; at least 1.", true, {}},
    {"axis", "number", "Position of the new axis.", false, -1},
    {"dtype", "DType", "dtype of the result.", false, "float32"}};

constexpr OpDef kOps[] = {
    {"Take", "x indices", kTakeSettings,
     "The slices of x with these indices along an axis. Negative indices count from the end.",
     take},
    {"TakeAlongAxis", "x indices", kTakeSettings,
     "One element of x for each index along an axis. The other axes of x and `indices` broadcast.",
     take_along_axis},
    {"OneHot", "x", kOneHotSettings,
     "One-hot encoding: 1 at the index x of the new axis, 0 elsewhere. Rows of invalid ids are 0.",
     one_hot},
};
const RegisterOps registration{kOps};

}  // namespace
}  // namespace maskflow
