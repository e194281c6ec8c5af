// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "layer/describe.hpp"
#include "ops/policy.hpp"

namespace maskflow {

// The random numbers of a layer. A layer with a seed has its own sequence, so that layers with the
// same seed draw the same numbers, call by call. Other layers share the sequence of the program.
class RandomSource {
 public:
  void describe(Fields& fields) {
    fields.field("seed", seed_, TypeScript{"SeedLike"},
                 "A number gives this layer its own random numbers, the same in every model; null "
                 "draws from the numbers that all layers share.");
  }
  [[nodiscard]] Random& numbers();

 private:
  Value seed_;
  std::optional<Random> own_;
};

}  // namespace maskflow
