// SPDX-License-Identifier: MIT
#pragma once

#include "tensor/shape.hpp"

namespace maskflow {

// While it lives, `size` stands for dimensions that are not known, and texts of shapes say None.
class StandIn {
 public:
  explicit StandIn(Dim size);
  ~StandIn();
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  // The size for a dimension of `shape` that no known number divides evenly, kUnknown where all
  // of its dimensions are known.
  [[nodiscard]] static Dim for_any_part(const Shape& shape);

 private:
  Dim before_;
};

}  // namespace maskflow
