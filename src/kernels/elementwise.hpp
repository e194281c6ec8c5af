// SPDX-License-Identifier: MIT
// Functions of one, two or three numbers, over n numbers in a row. Rows do not overlap the result.
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// in[k] is the row of operand k; the function knows the types of its operands and of its result.
using ElementwiseRow = void (*)(const void* const* in, void* out, std::size_t n);

// One function for each type of its operands that it knows: float, int32_t, and bytes for bools.
struct Elementwise {
  ElementwiseRow floats = nullptr;
  ElementwiseRow ints = nullptr;
  ElementwiseRow bools = nullptr;
};

// Results of the operands' type. int32 wraps as in NumPy.
extern const Elementwise kAdd, kSubtract, kMultiply, kDivide, kMaximum, kMinimum, kPower;
extern const Elementwise kFloorDivide, kMod;  // a division by the whole number 0 gives 0
extern const Elementwise kAbsolute, kNegative, kSquare, kSign, kFloor, kCeil, kRound;
extern const Elementwise kSqrt, kRsqrt, kReciprocal;
extern const Elementwise kSin, kCos;  // at most 0.6 ULP up to |x| = 2^27; NaN for infinities
extern const Elementwise kLog, kLog1p, kExpm1;  // at most 2 ULP
extern const Elementwise kErf;                  // at most 2.4 ULP
// Results are bytes, 0 or 1.
extern const Elementwise kEqual, kNotEqual, kGreater, kGreaterEqual, kLess, kLessEqual;
extern const Elementwise kLogicalAnd, kLogicalOr, kLogicalXor, kLogicalNot;
extern const Elementwise kIsnan, kIsfinite, kIsinf;
// Conversions by the type of the operand. Floats are cut towards 0 and at the ends of int32, NaN to
// 0; what is not 0 is true.
extern const Elementwise kToFloat, kToInt, kToBool;
// Operands: bytes, then two of the type of the result (`ints` serves all types of 4 bytes).
extern const Elementwise kSelect;

}  // namespace maskflow::kernels
