// SPDX-License-Identifier: MIT
// Special cases of kConfig and kState that have codes of their own in JavaScript: `coded` in
// web/src/base/errors.ts lists them in this order. Only the files that throw them include this.
#pragma once

#include "base/error.hpp"

namespace maskflow {

inline constexpr ErrorKind kUnknownLayer{8};
inline constexpr ErrorKind kUnknownOp{9};
inline constexpr ErrorKind kUnknownActivation{10};
inline constexpr ErrorKind kOutOfMemory{11};
inline constexpr ErrorKind kDisposed{12};

// Returns the kind that a special case belongs to.
constexpr ErrorKind general_kind(ErrorKind kind) {
  if (kind >= kOutOfMemory) return ErrorKind::kState;
  return kind >= kUnknownLayer ? ErrorKind::kConfig : kind;
}

}  // namespace maskflow
