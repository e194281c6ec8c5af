// SPDX-License-Identifier: MIT
#include "layers/variable.hpp"

#include <cstring>

#include "base/error.hpp"
#include "ops/ops.hpp"

namespace maskflow {

const Tensor& Variable::value() const {
  if (!value_.empty_handle()) return value_;
  if (form() == nullptr) {
    value_ = initializer_(shape_, dtype_);
  } else {
    value_ = Tensor(dtype_, shape_);
    form()->unpack(value_.mutable_data<float>().data());
  }
  return value_;
}

void Variable::set_form(std::shared_ptr<const kernels::MatrixForm> form) {
  const auto columns = static_cast<std::size_t>(shape_.back());
  packed_.emplace(std::move(form), static_cast<std::size_t>(shape_.size()) / columns, columns);
  value_ = {};
  ++version_;
}

void Variable::set_value(const Tensor& value) {
  if (value.shape() != shape_) {
    shape_error("weight '", name_, "' has shape ", shape_, " but was given ", value.shape());
  }
  // A copy: the caller may go on writing to its own tensor's storage.
  const Tensor cast = ops::cast(value, dtype_);
  Tensor copy(dtype_, shape_);
  if (copy.bytes() > 0) std::memcpy(copy.raw(), cast.raw(), copy.bytes());
  value_ = copy;
  ++version_;
  packed_.reset();
}

const kernels::PackedMatrix& Variable::packed() const {
  if (!packed_) {
    const auto columns = static_cast<std::size_t>(shape_.back());
    // First of all: it may make the value, and arguments are evaluated in any order.
    const Tensor& matrix = value();
    packed_.emplace(matrix.data<float>().data(), columns == 0 ? 0 : matrix.size() / columns,
                    columns, columns);
  }
  return *packed_;
}

}  // namespace maskflow
