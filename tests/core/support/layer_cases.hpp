// SPDX-License-Identifier: MIT
// One configuration of every registered layer class, far from its defaults.
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
  std::vector<Shape> states{};  // of a cell: the argument `states` it cannot be called without
  std::vector<Shape> others{};  // further inputs: all of them are one list
  std::vector<std::pair<std::string, Shape>> named{};  // further arguments

  int time_axis = 1;  // of every argument as long as the first; -1: there is none
  Shape mask{};       // of the first input, when it is not [batch, time]

  [[nodiscard]] bool has_time() const { return input.rank() > 2 && time_axis > 0; }
  [[nodiscard]] LayerCase with_batch(Dim batch) const;
  // Arguments that carry random masks where they have time, and whose shapes are those of the
  // first.
  [[nodiscard]] Args masked_arguments(Rng& rng) const;
  // Those arguments with more steps, random and masked.
  [[nodiscard]] Args padded(const Args& args, Dim more, Rng& rng) const;
  // A mask of the first axes with axes of size 1 more, for a tensor of that rank.
  [[nodiscard]] Tensor spread(Tensor keep, int rank) const;
  // Those arguments with other numbers at masked steps.
  [[nodiscard]] Args with_other_padding(const Args& args, Rng& rng) const;
  [[nodiscard]] LayerPtr make() const { return make_layer(class_name, config); }
  [[nodiscard]] Args arguments(Rng& rng) const;
};

// For messages of GoogleTest.
inline void PrintTo(const LayerCase& c, std::ostream* out) { *out << c.class_name; }

[[nodiscard]] std::vector<LayerCase> layer_cases();
// That of one class.
[[nodiscard]] LayerCase layer_case(std::string_view class_name);

}  // namespace maskflow::test
