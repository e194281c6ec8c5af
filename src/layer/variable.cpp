// SPDX-License-Identifier: MIT
#include "layer/variable.hpp"

#include <cstring>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "ops/ops.hpp"

namespace maskflow {

const Tensor& Variable::value() const {
  if (!value_.empty_handle()) return value_;
  value_ = floats_ == nullptr ? initializer_(shape_, dtype_) : floats_(*this);
  return value_;
}

Tensor Variable::unpacked(const Variable& variable) {
  Tensor result(variable.dtype_, variable.shape_);
  float* array = result.mutable_floats();
  for (std::size_t i = 0; i < variable.places_.size(); ++i) {
    variable.packed_[i].form()->unpack(array, variable.places_[i]);
  }
  return result;
}

Tensor Variable::looked_up(const Variable& variable) {
  const Table& table = variable.table_;
  std::vector<std::int32_t> rows(table.buffer->bytes() / table.row_bytes);
  std::iota(rows.begin(), rows.end(), 0);
  return Tensor::looked_up(table, std::move(rows), variable.shape_);
}

void Variable::use_matrices(std::vector<kernels::MatrixPlace> places) {
  places_ = std::move(places);
  use_ = Use::kMatrices;
}

void Variable::use_matrix() {
  const auto columns = static_cast<std::size_t>(shape_.back());
  const std::size_t rows = columns == 0 ? 0 : static_cast<std::size_t>(shape_.size()) / columns;
  use_matrices({{0, rows, columns, columns}});
}

void Variable::set_forms(const std::vector<std::shared_ptr<const kernels::MatrixForm>>& forms) {
  auto packed = std::make_unique<kernels::PackedMatrix[]>(forms.size());
  for (std::size_t i = 0; i < forms.size(); ++i) {
    packed[i] = kernels::PackedMatrix(forms[i], places_[i].k, places_[i].n);
  }
  drop_forms();
  packed_ = std::move(packed);
  floats_ = unpacked;
  value_ = {};
}

void Variable::set_table(Table table) {
  drop_forms();
  table_ = std::move(table);
  floats_ = looked_up;
  value_ = {};
}

void Variable::drop_forms() {
  forms_version_.renew();
  packed_.reset();
  table_ = {};
  floats_ = nullptr;
}

void Variable::free_value() {
  drop_forms();
  value_ = {};
  floats_ = [](const Variable& variable) -> Tensor {
    state_error("weight '", variable.name_, "' was freed: the model of its layer was disposed");
  };
}

namespace {

Tensor copy_of(const Tensor& tensor) {
  Tensor copy(tensor.dtype(), tensor.shape());
  if (copy.bytes() > 0) std::memcpy(copy.mutable_raw(), tensor.raw(), copy.bytes());
  return copy;
}

// True if no other tensor shares the storage and the tensor has nothing that a weight lacks.
bool is_sole(const Tensor& tensor) {
  return tensor.storage().use_count() == 1 && tensor.lookup() == nullptr &&
         tensor.tracker() == nullptr && tensor.mask() == nullptr;
}

}  // namespace

Tensor& Variable::writable() {
  // Reads the value first, because it may have to be computed from the forms.
  if (value().storage().use_count() > 1) value_ = copy_of(value_);
  drop_forms();
  return value_;
}

void Variable::set_value(Tensor value) {
  if (value.shape() != shape_) {
    shape_error("weight '", name_, "' has shape ", shape_, " but was given ", value.shape());
  }
  // Shared storage is copied, because the caller may still write to it.
  const bool can_move = value.dtype() == dtype_ && is_sole(value);
  value_ = can_move ? std::move(value) : copy_of(ops::cast(value, dtype_));
  // Renews the version: moved storage may be older than the last write to another weight.
  static_cast<void>(value_.mutable_raw());
  drop_forms();
}

const kernels::PackedMatrix& Variable::packed(std::size_t index) const {
  const bool is_current =
      packed_ && (floats_ != nullptr || packed_from_ == value_.storage()->version());
  if (!is_current) {
    const float* array = data();
    auto packed = std::make_unique<kernels::PackedMatrix[]>(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      packed[i] = kernels::PackedMatrix(array, places_[i]);
    }
    packed_ = std::move(packed);
    packed_from_ = value_.storage()->version();
  }
  check_kept([&] {
    return floats_ != nullptr || packed_[index] == kernels::PackedMatrix(data(), places_[index]);
  });
  return packed_[index];
}

}  // namespace maskflow
