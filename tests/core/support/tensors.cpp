// SPDX-License-Identifier: MIT
#include "support/tensors.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"

namespace maskflow::test {
namespace {

template <class T>
Tensor tensor_of(const Shape& shape, const std::vector<T>& values) {
  // Tensor::from would leave the rest of a short literal uninitialised.
  if (static_cast<std::size_t>(shape.size()) != values.size()) {
    throw std::invalid_argument(text(values.size(), " values for shape ", shape));
  }
  return Tensor::from<T>(shape, std::span<const T>(values));
}

std::string position(const Shape& shape, std::size_t index) {
  std::string result = "]";
  auto rest = static_cast<Dim>(index);
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    result = (axis > 0 ? ", " : "") + std::to_string(rest % shape[axis]) + result;
    rest /= shape[axis];
  }
  return "[" + result;
}

}  // namespace

Tensor floats(const Shape& shape, const std::vector<float>& values) {
  return tensor_of(shape, values);
}
Tensor ints(const Shape& shape, const std::vector<std::int32_t>& values) {
  return tensor_of(shape, values);
}
Tensor bools(const Shape& shape, const std::vector<std::uint8_t>& values) {
  return tensor_of(shape, values);
}
Tensor scalar(float value) { return floats({}, {value}); }

std::vector<double> numbers(const Tensor& tensor) {
  std::vector<double> result;
  const auto read = [&](auto data) { result.assign(data.begin(), data.end()); };
  if (tensor.dtype() == DType::kFloat32) read(tensor.data<float>());
  if (tensor.dtype() == DType::kInt32) read(tensor.data<std::int32_t>());
  if (tensor.dtype() == DType::kBool) read(tensor.data<std::uint8_t>());
  return result;
}

MaskPtr mask_of(const Shape& shape, const std::vector<std::uint8_t>& keep) {
  return make_mask(bools(shape, keep));
}

Tensor masked(const Tensor& x, const std::vector<std::uint8_t>& keep) {
  return x.with_mask(mask_of(x.shape().first(2), keep));
}

std::string difference(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance) {
  if (actual.empty_handle() || expected.empty_handle()) return "one of the tensors is empty";
  if (actual.dtype() != expected.dtype() || actual.shape() != expected.shape()) {
    return text("is ", actual.dtype(), " ", actual.shape(), ", expected ", expected.dtype(), " ",
                expected.shape());
  }
  const std::vector<double> a = numbers(actual);
  const std::vector<double> b = numbers(expected);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double error = std::fabs(a[i] - b[i]);
    const bool rounded =
        actual.dtype() == DType::kFloat32 && std::isfinite(a[i]) && std::isfinite(b[i]);
    if (rounded && (error <= tolerance.absolute || error <= tolerance.relative * std::fabs(b[i]))) {
      continue;
    }
    char line[96];
    std::snprintf(line, sizeof line, ": %.9g instead of %.9g", a[i], b[i]);
    return position(actual.shape(), i) + line;
  }
  return "";
}

testing::AssertionResult close(const Tensor& actual, const Tensor& expected,
                               const Tolerance& tolerance) {
  const std::string problem = difference(actual, expected, tolerance);
  return problem.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << problem;
}

testing::AssertionResult same_bits(const Tensor& actual, const Tensor& expected) {
  const std::string problem = difference(actual, expected, {0, 0});
  if (!problem.empty()) return testing::AssertionFailure() << problem;
  if (actual.bytes() > 0 && std::memcmp(actual.raw(), expected.raw(), actual.bytes()) != 0) {
    return testing::AssertionFailure() << "equal numbers, but not the same bits";
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult same_mask(const MaskPtr& actual, const MaskPtr& expected) {
  if (actual == nullptr || expected == nullptr) {
    if (actual == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure() << (actual ? "a mask instead of none" : "no mask");
  }
  return same_bits(actual->values(), expected->values());
}

}  // namespace maskflow::test
