// SPDX-License-Identifier: MIT
#include "ops/strided.hpp"

#include <cstring>

namespace maskflow {
namespace {

template <class T>
void copy_rows(const Tensor& x, const Shape& shape, const Strides& strides, Dim offset,
               Tensor& result) {
  const T* from = reinterpret_cast<const T*>(x.raw()) + offset;
  T* to = reinterpret_cast<T*>(result.mutable_raw());
  const Dim length = shape.rank() == 0 ? 1 : shape.back();
  const Dim step = shape.rank() == 0 ? 1 : strides[at(shape.rank() - 1)];
  for_each_row<1>(shape, {strides}, [&](const std::array<Dim, 1>& offsets) {
    const T* row = from + offsets[0];
    if (step == 1) {
      std::memcpy(to, row, at(length) * sizeof(T));
    } else {
      for (Dim i = 0; i < length; ++i, row += step) to[i] = *row;
    }
    to += length;
  });
}

}  // namespace

Strides strides_of(const Shape& shape) {
  Strides strides{};
  Dim step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[at(axis)] = step;
    step *= shape[axis];
  }
  return strides;
}

Strides broadcast_strides(const Shape& shape, const Shape& target) {
  const Strides x_strides = strides_of(shape);
  Strides strides{};
  const int shift = target.rank() - shape.rank();
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == target[axis + shift]) {
      strides[at(axis + shift)] = x_strides[at(axis)];
    }
  }
  return strides;
}

Shape join_axes(const Shape& shape, std::span<Strides> strides) {
  Shape joined;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const Dim size = shape[axis];
    if (size == 1) continue;
    const int last = joined.rank() - 1;
    bool joins = last >= 0;
    for (const Strides& s : strides) joins = joins && s[at(last)] == s[at(axis)] * size;
    if (joins) {
      joined.set(last, joined[last] * size);
    } else {
      joined.push_back(size);
    }
    for (Strides& s : strides) s[at(joined.rank() - 1)] = s[at(axis)];
  }
  return joined;
}

Shape broadcast_axes(std::span<const Tensor> operands, const Shape& shape,
                     std::span<Strides> strides) {
  for (std::size_t k = 0; k < operands.size(); ++k) {
    strides[k] = broadcast_strides(operands[k].shape(), shape);
  }
  return join_axes(shape, strides);
}

Tensor strided_copy(const Tensor& x, const Shape& shape, const Strides& strides, Dim offset) {
  Tensor result(x.dtype(), shape);
  if (result.size() == 0) return result;
  Strides steps = strides;
  const Shape axes = join_axes(shape, {&steps, 1});
  if (size_of(x.dtype()) == 1) {
    copy_rows<std::uint8_t>(x, axes, steps, offset, result);
  } else {
    copy_rows<std::uint32_t>(x, axes, steps, offset, result);
  }
  return result;
}

}  // namespace maskflow
