// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "layer/describe.hpp"
#include "ops/policy.hpp"

namespace maskflow {

// Where a layer's random numbers come from: a sequence of its own if it has a seed, so that layers
// made alike give the same, call by call; else that of the program.
class RandomSource {
 public:
  void describe(Fields& fields) {
    fields.field("seed", seed_, TypeScript{"SeedLike"},
                 "A number: the random numbers of this layer begin the same in every model; null: "
                 "those of all layers go on.");
  }
  [[nodiscard]] Random& numbers();

 private:
  Value seed_;
  std::optional<Random> own_;
};

}  // namespace maskflow
