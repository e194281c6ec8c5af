// SPDX-License-Identifier: MIT
// Functions of integers: bits, divisors, and the bits of float32 numbers.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "ops/elementwise.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

using Int = std::int32_t;
using Bits = std::uint32_t;
constexpr Int kWidth = 32;

template <Int (*F)(Int, Int)>
void each_pair(const void* const* in, void* out, std::size_t n) {
  const Int* const x = static_cast<const Int*>(in[0]);
  const Int* const y = static_cast<const Int*>(in[1]);
  Int* const to = static_cast<Int*>(out);
  for (std::size_t i = 0; i < n; ++i) to[i] = F(x[i], y[i]);
}
template <Int (*F)(Int, Int)>
constexpr kernels::Elementwise kPair{nullptr, each_pair<F>};

Int both(Int x, Int y) { return x & y; }
Int either(Int x, Int y) { return x | y; }
Int different(Int x, Int y) { return x ^ y; }
Int left(Int x, Int count) {
  return count < 0 || count >= kWidth ? 0 : static_cast<Int>(static_cast<Bits>(x) << count);
}
Int right(Int x, Int count) { return x >> (count < 0 ? 0 : std::min(count, kWidth - 1)); }
// Computed with 64 bits, because the smallest integer has no opposite.
Int gcd(Int x, Int y) {
  return static_cast<Int>(std::gcd(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)));
}
Int lcm(Int x, Int y) {
  const std::int64_t divisor = gcd(x, y);
  return divisor == 0 ? 0 : static_cast<Int>(std::abs(x / divisor * y));
}

// An op of integers. As in Keras, the result of bools is bool.
Tensors integers(Operands x, const OpAttributes& attributes) {
  for (const Tensor& operand : x) {
    if (operand.dtype() != DType::kFloat32) continue;
    value_error("needs integers or bools, but got float32; cast to 'int32' first");
  }
  return elementwise(x, attributes);
}

Tensors inverted(Operands x, const OpAttributes&) {
  if (x[0].dtype() == DType::kBool) return {ops::logical_not(x[0])};
  const Tensor minus_one = Tensor::scalar(DType::kInt32, -1);
  return {apply_op1("BitwiseXor", std::array{x[0], minus_one})};
}

Tensors view(Operands x, const OpAttributes& attributes) {
  const DType dtype = attributes.dtype("dtype");
  if (dtype == x[0].dtype()) return {x[0]};
  if (size_of(dtype) != size_of(x[0].dtype())) {
    unsupported_error("a view of ", name_of(x[0].dtype()), " as ", name_of(dtype),
                      " is not available; use 'float32' and 'int32', whose sizes are equal");
  }
  Tensor result(dtype, x[0].shape());
  if (result.size() > 0) std::memcpy(result.mutable_raw(), x[0].raw(), result.bytes());
  return {result};
}

constexpr OpAttribute kViewSettings[] = {{"dtype", "DType", "dtype of the result.", true, {}}};

constexpr OpDef kOps[] = {
    {"BitwiseAnd", "x y", {}, "The bits that are set in both integers.", integers, &kPair<both>},
    {"BitwiseOr", "x y", {}, "The bits that are set in at least one.", integers, &kPair<either>},
    {"BitwiseXor", "x y", {}, "The bits that are set in one of them.", integers, &kPair<different>},
    {"BitwiseInvert", "x", {}, "The integer with all bits inverted.", inverted},
    {"BitwiseLeftShift", "x y", {}, "x with its bits moved up y places.", integers, &kPair<left>},
    {"BitwiseRightShift",
     "x y",
     {},
     "x with its bits moved down y places; the sign stays.",
     integers,
     &kPair<right>},
    {"Gcd", "x1 x2", {}, "The greatest common divisor.", integers, &kPair<gcd>},
    {"Lcm", "x1 x2", {}, "The least common multiple.", integers, &kPair<lcm>},
    {"View", "x", kViewSettings, "The bits of x as numbers of another dtype.", view},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
