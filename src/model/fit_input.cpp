// SPDX-License-Identifier: MIT
#include "model/fit_input.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

[[noreturn]] void refuse(std::string_view name, const Shape& expected, const Shape& shape) {
  const bool lacks_batch = shape.rank() + 1 == expected.rank();
  shape_error("input '", name, "' expects shape ", expected, " but was given ", shape,
              !lacks_batch           ? ""
              : expected.rank() == 3 ? "; one sequence needs a batch axis, [x]"
                                     : "; one sample needs a batch axis, [x]");
}

// Returns the number of axes without a last axis of size 1.
int compared_axes(const Shape& shape) {
  return shape.rank() - (shape.rank() > 0 && shape.back() == 1 ? 1 : 0);
}

}  // namespace

void check_dims(const Shape& shape, const Shape& expected, std::string_view name) {
  const int axes = std::min(compared_axes(shape), compared_axes(expected));
  for (int axis = 1; axis < axes; ++axis) {
    const bool is_known = expected[axis] != kUnknown && shape[axis] != kUnknown;
    if (is_known && expected[axis] != shape[axis]) refuse(name, expected, shape);
  }
}

Tensor fit_input(Tensor value, const TensorSpec& spec, std::string_view name) {
  const MaskPtr mask = value.mask();  // The mask is kept, even if the shape changes.
  const Shape& expected = spec.shape;
  const Shape& shape = value.shape();
  if (shape.rank() == expected.rank() + 1 && shape.back() == 1) {
    value = ops::squeeze(value, -1);
  } else if (shape.rank() + 1 == expected.rank() && expected.back() == 1) {
    value = ops::expand_dims(value, -1);
  } else if (shape.rank() != expected.rank()) {
    refuse(name, expected, shape);
  }
  // As in Keras, an unchanged tensor is returned as is.
  if (value.dtype() != spec.dtype) value = ops::cast(value, spec.dtype);
  return value.mask() == mask ? value : value.with_mask(mask);
}

}  // namespace maskflow
