// SPDX-License-Identifier: MIT
// Functions of one, two or three numbers, applied to rows of n numbers. The result must not overlap
// an operand.
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// in[k] is the row of operand k. The function determines the types of its operands and its result.
using ElementwiseRow = void (*)(const void* const* in, void* out, std::size_t n);

// One function for each supported type of the operands: float, int32_t, and bytes for bools.
struct Elementwise {
  ElementwiseRow floats = nullptr;
  ElementwiseRow ints = nullptr;
  ElementwiseRow bools = nullptr;
};

// Results have the type of the operands. int32 wraps, as in NumPy.
extern const Elementwise kAdd, kSubtract, kMultiply, kDivide, kMaximum, kMinimum, kPower;
extern const Elementwise kFloorDivide, kMod;  // an integer divided by 0 is 0
extern const Elementwise kAbsolute, kNegative, kSquare, kSign, kFloor, kCeil, kRound;
extern const Elementwise kSqrt, kRsqrt, kReciprocal;
extern const Elementwise kSin, kCos;  // at most 0.6 ULP up to |x| = 2^27; NaN for infinities
extern const Elementwise kLog, kLog1p, kExpm1;  // at most 2 ULP
extern const Elementwise kErf;                  // at most 2.4 ULP
// Results are bytes, 0 or 1.
extern const Elementwise kEqual, kNotEqual, kGreater, kGreaterEqual, kLess, kLessEqual;
extern const Elementwise kLogicalAnd, kLogicalOr, kLogicalXor, kLogicalNot;
extern const Elementwise kIsnan, kIsfinite, kIsinf;
// Conversions, by the type of the operand. To int32, floats are truncated towards 0 and clipped to
// the range of int32, and NaN becomes 0. To bool, every number other than 0 is true.
extern const Elementwise kToFloat, kToInt, kToBool;
// Operands: a condition in bytes, then two of the result's type. `ints` serves all 4-byte types.
extern const Elementwise kSelect;

}  // namespace maskflow::kernels
