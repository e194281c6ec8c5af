// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "kernels/gemm.hpp"
#include "ops/norm.hpp"
#include "ops/ops.hpp"
#include "ops/policy.hpp"
#include "ops/strided.hpp"

namespace maskflow {
namespace {

// C = A B, for plain row-major matrices.
using Multiply = void(const std::byte* a, const std::byte* b, std::byte* c, std::size_t m,
                      std::size_t k, std::size_t n);

template <class T>
const T* numbers(const std::byte* bytes) {
  return reinterpret_cast<const T*>(bytes);
}

void multiply_floats(const std::byte* a, const std::byte* b, std::byte* c, std::size_t m,
                     std::size_t k, std::size_t n) {
  kernels::matmul(numbers<float>(a), numbers<float>(b), reinterpret_cast<float*>(c), m, k, n);
}
// Integers wrap modulo 2^32, as in all arithmetic of int32.
void multiply_integers(const std::byte* a, const std::byte* b, std::byte* c, std::size_t m,
                       std::size_t k, std::size_t n) {
  const auto* factor = numbers<std::uint32_t>(a);
  auto* sum = reinterpret_cast<std::uint32_t*>(c);
  std::fill_n(sum, m * n, 0U);
  for (std::size_t row = 0; row < m; ++row, sum += n) {
    const auto* from = numbers<std::uint32_t>(b);
    for (std::size_t inner = 0; inner < k; ++inner, ++factor) {
      for (std::size_t i = 0; i < n; ++i) sum[i] += *factor * *from++;
    }
  }
}

// Multiplies batches of matrices into `result`. Leading axes broadcast.
void multiply_batches(const Tensor& a, const Tensor& b, Tensor& result) {
  Multiply* const multiply =
      result.dtype() == DType::kFloat32 ? &multiply_floats : &multiply_integers;
  const Shape batch_a = a.shape().first(a.rank() - 2);
  const Shape batch_b = b.shape().first(b.rank() - 2);
  const auto rows = at(a.shape()[-2]);
  const auto depth = at(a.shape()[-1]);
  const auto columns = at(b.shape()[-1]);
  std::byte* out = result.mutable_raw();
  if (batch_b.size() == 1) {
    // With one right-hand matrix for all, this is a single product.
    multiply(a.raw(), b.raw(), out, at(batch_a.size()) * rows, depth, columns);
    return;
  }
  Shape batch = broadcast(batch_a, batch_b);
  const Strides step_a = broadcast_strides(batch_a, batch);
  const Strides step_b = broadcast_strides(batch_b, batch);
  batch.push_back(1);
  const std::size_t width = size_of(result.dtype());
  for_each_row<2>(batch, {step_a, step_b}, [&](const std::array<Dim, 2>& offsets) {
    multiply(a.raw() + at(offsets[0]) * rows * depth * width,
             b.raw() + at(offsets[1]) * depth * columns * width, out, rows, depth, columns);
    out += rows * columns * width;
  });
}

// The product of matrices or vectors by NumPy's rules. Booleans count as integers.
Tensor product_of(Operands operands) {
  const bool has_float = std::max(operands[0].dtype(), operands[1].dtype()) == DType::kFloat32;
  const DType dtype = has_float ? DType::kFloat32 : DType::kInt32;
  Tensor a = ops::cast(operands[0], dtype);
  Tensor b = ops::cast(operands[1], dtype);
  if (a.rank() == 0 || b.rank() == 0) {
    shape_error("matmul needs vectors or matrices, not single numbers");
  }
  const bool row = a.rank() == 1;
  const bool column = b.rank() == 1;
  if (row) a = a.reshaped({1, a.shape()[0]});
  if (column) b = b.reshaped({b.shape()[0], 1});
  if (a.shape()[-1] != b.shape()[-2]) {
    shape_error("cannot multiply ", operands[0].shape(), " by ", operands[1].shape(), ": ",
                a.shape()[-1], " columns but ", b.shape()[-2], " rows");
  }
  Shape shape = broadcast(a.shape().first(a.rank() - 2), b.shape().first(b.rank() - 2));
  if (!row) shape.push_back(a.shape()[-2]);
  if (!column) shape.push_back(b.shape()[-1]);
  Tensor result(dtype, shape);
  multiply_batches(a, b, result);
  return result;
}
Tensors matmul(Operands x, const OpAttributes&) {
  return {ops::cast(product_of(x), std::max(x[0].dtype(), x[1].dtype()))};
}

Tensors outer(Operands x, const OpAttributes&) {
  return {ops::multiply(x[0].reshaped({static_cast<Dim>(x[0].size()), 1}),
                        x[1].reshaped({1, static_cast<Dim>(x[1].size())}))};
}

NormRule norm_rule = nullptr;
RootRule root_rule = nullptr;

Tensors norm(Operands x, const OpAttributes& attributes) {
  if (!attributes.is_null("ord")) return {norm_of_order(x[0], attributes)};
  // Converts before squaring because squares of integers would wrap.
  const Tensor floats = ops::cast(x[0], DType::kFloat32);
  const Tensor square = ops::multiply(floats, floats);
  const ops::Axes axes(attributes.get("axis"));
  return {root_of_sum(ops::sum(square, axes, attributes.flag("keepdims")), 2)};
}

// Smallest normal float32.
constexpr double kLeastFloat = 1.17549435e-38;

Tensors normalize(Operands x, const OpAttributes& attributes) {
  const double order = attributes.number("order");
  if (order < 1) value_error("'order' is ", order, " but must be at least 1");
  const ops::Axes axes(attributes.get("axis"));
  constexpr double kKerasEpsilon = 1e-7;
  const double epsilon =
      attributes.is_null("epsilon") ? kKerasEpsilon : attributes.number("epsilon");
  if (order == 2) {
    // As in Keras 3.16, the bound comes before the root, so that the gradient of zeros is finite.
    const Tensor floats = ops::cast(x[0], DType::kFloat32);
    const Tensor square = ops::sum(ops::square(floats), axes, true);
    const double least = std::max(epsilon * epsilon, kLeastFloat);
    return {ops::multiply(floats, ops::rsqrt(ops::maximum(square, ops::number(least))))};
  }
  const Tensor bounded = ops::maximum(ops::norm(x[0], axes, order), ops::number(epsilon));
  return {ops::divide(x[0], bounded)};
}

constexpr OpAttribute kNormSettings[] = {
    {"ord",
     "number | 'fro' | null",
     "Order of the norm; null: Euclidean (2, or 'fro' for two axes).",
     false,
     {}},
    {"axis",
     "number | number[] | null",
     "Axis of vectors or axes of matrices; null: all.",
     false,
     {}},
    {"keepdims", "boolean", "Whether to keep the reduced axes with size 1.", false, false},
};
constexpr OpAttribute kNormalizeSettings[] = {
    {"axis", "number | number[] | null", "Axis or axes of the vectors; null: all.", false, -1},
    {"order", "number", "Order of the norm; at least 1.", false, 2},
    {"epsilon", "number | null", "Lower bound of the norm that is divided by; null: 1e-7.", false,
     1e-7}};

constexpr OpDef kOps[] = {
    {"Matmul",
     "x1 x2",
     {},
     "The matrix product over the last two axes, computed in float32. Leading axes broadcast.",
     matmul},
    {"Outer",
     "x1 x2",
     {},
     "The outer product: each element of x1 times each element of x2. Both are flattened.",
     outer},
    {"Norm", "x", kNormSettings, "The norm of vectors or matrices: Euclidean, or of another order.",
     norm},
    {"Normalize", "x", kNormalizeSettings, "Divides vectors by their norm.", normalize},
};
const RegisterOps registration{kOps};

}  // namespace

void set_norm_rule(NormRule rule) { norm_rule = rule; }

void set_root_rule(RootRule rule) { root_rule = rule; }

Tensor root_of_sum(const Tensor& sum, double order) {
  if (root_rule != nullptr) return root_rule(sum, order);
  return order == 2 ? ops::sqrt(sum) : ops::power(sum, ops::number(1 / order));
}

Tensor norm_of_order(const Tensor& x, const OpAttributes& attributes) {
  if (norm_rule == nullptr) {
    unsupported_error("norms with 'ord' are not available", Policy::current().absent_note);
  }
  return norm_rule(x, attributes);
}

}  // namespace maskflow
