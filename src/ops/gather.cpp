// SPDX-License-Identifier: MIT
// Ops that look elements up by index, and their inverse.
#include <cstring>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

std::size_t checked_index(std::int32_t index, Dim size) {
  const Dim wrapped = index < 0 ? index + size : index;
  if (wrapped < 0 || wrapped >= size) {
    value_error("index ", index, " is out of range for an axis of size ", size, "; use ", -size,
                " to ", size - 1);
  }
  return static_cast<std::size_t>(wrapped);
}

Tensors take(Operands operands, const OpAttributes& attributes) {
  const bool flat = attributes.is_null("axis");
  const Tensor x = flat ? operands[0].reshaped(Shape{operands[0].shape().size()}) : operands[0];
  const Tensor indices = ops::cast(operands[1], DType::kInt32);
  const int axis = flat ? 0 : normalize_axis(attributes.integer("axis"), x.rank());
  Shape shape = x.shape().first(axis);
  for (const Dim dim : indices.shape().dims()) shape.push_back(dim);
  for (int a = axis + 1; a < x.rank(); ++a) shape.push_back(x.shape()[a]);
  Tensor result(x.dtype(), shape);
  const auto outer = static_cast<std::size_t>(x.shape().size_between(0, axis));
  const auto block =
      static_cast<std::size_t>(x.shape().size_between(axis + 1, x.rank())) * size_of(x.dtype());
  const auto length = static_cast<std::size_t>(x.shape()[axis]);
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
  const Tensor& x = operands[0];
  const Tensor indices = ops::cast(operands[1], DType::kInt32);
  const int axis = normalize_axis(attributes.integer("axis"), x.rank());
  Shape wanted = x.shape();
  if (indices.rank() == x.rank()) wanted.set(axis, indices.shape()[axis]);
  if (!(wanted == indices.shape())) {
    shape_error("indices have shape ", indices.shape(), " for a tensor of shape ", x.shape(),
                "; they must be equal except along axis ", axis);
  }
  Tensor result(x.dtype(), wanted);
  const auto inner = static_cast<std::size_t>(wanted.size_between(axis + 1, wanted.rank()));
  const auto length = static_cast<std::size_t>(wanted[axis]);
  const auto size = static_cast<std::size_t>(x.shape()[axis]);
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
  const auto inner = static_cast<std::size_t>(ids.shape().size_between(axis, ids.rank()));
  const std::span<const std::int32_t> id = ids.data<std::int32_t>();
  for (std::size_t i = 0; i < id.size(); ++i) {
    // An id that is no class gives a row of zeros, as in Keras.
    if (id[i] < 0 || id[i] >= classes) continue;
    const std::size_t at =
        (i / inner * static_cast<std::size_t>(classes) + static_cast<std::size_t>(id[i])) * inner;
    result.mutable_data<float>()[at + i % inner] = 1;
  }
  return {ops::cast(result, attributes.dtype("dtype"))};
}

constexpr OpAttribute kTakeSettings[] = {
    {"axis", "number | null", "Axis to look up in; null: x is flattened first.", false, {}}};
constexpr OpAttribute kTakeAlongAxisSettings[] = {
    {"axis", "number", "Axis to look up in.", false, -1}};
constexpr OpAttribute kOneHotSettings[] = {
    {"num_classes", "number", "Size of the new axis.", true, {}},
    {"axis", "number", "Where the new axis stands.", false, -1},
    {"dtype", "DType", "Of the result.", false, "float32"}};

constexpr OpDef kOps[] = {
    {"Take", "x indices", kTakeSettings,
     "Slices along an axis by index; negative ones count from the end.", take},
    {"TakeAlongAxis", "x indices", kTakeAlongAxisSettings,
     "One element per index, which has the rank of x.", take_along_axis},
    {"OneHot", "x", kOneHotSettings, "1 at the place of the id, 0 elsewhere.", one_hot},
};
const RegisterOps registration{kOps};

}  // namespace
}  // namespace maskflow
