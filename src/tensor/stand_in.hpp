// SPDX-License-Identifier: MIT
#pragma once

#include "tensor/shape.hpp"

namespace maskflow {

// While it lives, dimensions of this size stand in for unknown ones, and messages print them as
// None.
class StandIn {
 public:
  explicit StandIn(Dim size);
  ~StandIn();
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  // Returns the stand-in size if a dimension of `shape` is a multiple of it, and therefore unknown;
  // else kUnknown.
  [[nodiscard]] static Dim for_any_part(const Shape& shape);

 private:
  Dim before_;
};

}  // namespace maskflow
