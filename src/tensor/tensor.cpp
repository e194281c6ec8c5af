// SPDX-License-Identifier: MIT
#include "tensor/tensor.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "tensor/mask.hpp"

namespace maskflow {
namespace {

// Converts to the nearest int32, and NaN to 0; in C++ a cast of such numbers is undefined.
std::int32_t to_int32(double x) {
  return std::isnan(x) ? 0 : static_cast<std::int32_t>(std::clamp(x, -2147483648.0, 2147483647.0));
}

}  // namespace

Tensor::Tensor() = default;
Tensor::Tensor(const Tensor& other) = default;
Tensor::Tensor(Tensor&& other) noexcept = default;
Tensor& Tensor::operator=(const Tensor& other) = default;
Tensor& Tensor::operator=(Tensor&& other) noexcept = default;
Tensor::~Tensor() = default;

std::size_t elements_that_fit(DType dtype, const Shape& shape) {
  const Count bytes = Count(shape.size()) * size_of(dtype);
  if (!memory_fits(bytes)) {
    refuse_memory(text("a tensor of shape ", shape, " and dtype ", dtype), bytes);
  }
  return shape.elements();
}

Tensor::Tensor(DType dtype, const Shape& shape)
    : spec_{shape, dtype},
      size_(elements_that_fit(dtype, shape)),
      buffer_(std::make_shared<Buffer>(size_ * size_of(dtype))) {}

Tensor Tensor::zeros(DType dtype, const Shape& shape) {
  Tensor result(dtype, shape);
  if (result.bytes() > 0) std::memset(result.mutable_raw(), 0, result.bytes());
  return result;
}

Tensor Tensor::full(DType dtype, const Shape& shape, double value) {
  Tensor result(dtype, shape);
  switch (dtype) {
    case DType::kFloat32:
      std::ranges::fill(result.mutable_data<float>(), static_cast<float>(value));
      break;
    case DType::kInt32:
      std::ranges::fill(result.mutable_data<std::int32_t>(), to_int32(value));
      break;
    case DType::kBool:
      std::ranges::fill(result.mutable_data<std::uint8_t>(), value != 0 ? 1 : 0);
      break;
  }
  return result;
}

Table Tensor::table() const {
  const std::size_t width = shape().length(-1);
  return {buffer_, width, width * sizeof(float), nullptr};
}

Tensor Tensor::of_table(const Table& table, const Shape& shape) {
  Tensor result;
  result.spec_ = {shape, DType::kFloat32};
  result.size_ = elements_that_fit(DType::kFloat32, shape);
  result.buffer_ = table.buffer;
  return result;
}

Tensor Tensor::looked_up(const Table& table, std::vector<std::int32_t> rows, const Shape& shape) {
  Tensor result;
  result.spec_ = {shape, DType::kFloat32};
  result.size_ = elements_that_fit(DType::kFloat32, shape);
  result.buffer_ = std::make_shared<Buffer>(Lookup{table, std::move(rows)});
  return result;
}

Tensor Tensor::symbolic(TensorSpec spec, SymbolPtr origin) {
  Tensor result;
  result.spec_ = spec;
  result.origin_ = std::move(origin);
  return result;
}

const MaskPtr& Tensor::mask() const {
  static const MaskPtr none;
  return mask_ ? mask_->mask : none;
}

Tensor Tensor::with_mask(MaskPtr mask) const {
  Tensor result = *this;
  result.mask_ = nullptr;
  if (mask) result.set_mask(std::move(mask));
  return result;
}

void Tensor::await_mask() {
  if (!mask_) mask_ = std::make_shared<MaskSlot>();
}

void Tensor::set_mask(MaskPtr mask) {
  await_mask();
  mask_->mask = std::move(mask);
}

void Tensor::strip_mask() const {
  if (mask_ == nullptr || mask_->mask == nullptr) return;
  mask_->mask.reset();
  mask_->taken = true;
}

Tensor Tensor::reshaped(const Shape& shape) const {
  if (shape.elements() != size_) {
    shape_error("cannot reshape ", this->shape(), " to ", shape, ": ", size_,
                " elements do not fill ", shape.size());
  }
  Tensor result = *this;
  result.spec_.shape = shape;
  result.mask_ = nullptr;
  return result;
}

void Tensor::check_access(DType expected) const {
  if (is_symbolic()) {
    state_error(
        "a symbolic tensor has a shape but no data; build a model from it and call predict()");
  }
  if (buffer_ == nullptr) state_error("this tensor is empty");
  if (expected != dtype()) {
    value_error("the tensor has dtype ", dtype(), " but must be ", expected, "; cast it first");
  }
}

bool any_symbolic(std::span<const Tensor> tensors) {
  return std::ranges::any_of(tensors, [](const Tensor& t) { return t.is_symbolic(); });
}

std::vector<Shape> shapes_of(std::span<const Tensor> tensors) {
  std::vector<Shape> shapes;
  for (const Tensor& tensor : tensors) shapes.push_back(tensor.shape());
  return shapes;
}

}  // namespace maskflow
