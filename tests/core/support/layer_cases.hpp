// SPDX-License-Identifier: MIT
// One configuration of every registered layer class, far from its defaults: of a recorded case, or
// written in layer_cases.cpp.
#pragma once

#include <ostream>

#include "layer/layer.hpp"
#include "support/random.hpp"

namespace maskflow::test {

struct LayerCase {
  std::string class_name;
  Dict config;
  Shape input;
  DType dtype = DType::kFloat32;
  std::vector<Shape> states{};  // for cells, which cannot be called without the argument `states`
  std::vector<Shape> others{};  // further inputs, in one list with the first
  std::vector<std::pair<std::string, Shape>> named{};  // further tensor arguments

  int time_axis = 1;  // in every argument of the same rank as the first; -1 if there is no time
  Shape mask{};       // shape of the mask of the first input, if it is not [batch, time]

  [[nodiscard]] bool has_time() const { return input.rank() > 2 && time_axis > 0; }
  [[nodiscard]] LayerCase with_batch(Dim batch) const;
  // Random arguments, with random masks where they have a time axis.
  [[nodiscard]] Args masked_arguments(Rng& rng) const;
  // Returns the arguments with `more` random, masked steps added at the end.
  [[nodiscard]] Args padded(const Args& args, Dim more, Rng& rng) const;
  // Reshapes a mask to [batch, 1 ..., time, 1 ...] of this rank.
  [[nodiscard]] Tensor spread(Tensor keep, int rank) const;
  // Returns the arguments with other numbers at masked steps.
  [[nodiscard]] Args with_other_padding(const Args& args, Rng& rng) const;
  [[nodiscard]] LayerPtr make() const { return make_layer(class_name, config); }
  [[nodiscard]] Args arguments(Rng& rng) const;
};

inline void PrintTo(const LayerCase& c, std::ostream* out) { *out << c.class_name; }

[[nodiscard]] const std::vector<LayerCase>& layer_cases();
[[nodiscard]] LayerCase layer_case(std::string_view class_name);

}  // namespace maskflow::test
