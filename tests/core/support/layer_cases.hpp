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
  // The shapes of the argument `states`, without which a cell cannot be called.
  std::vector<Shape> states{};
  // Shapes of further inputs; the call receives all inputs as one list.
  std::vector<Shape> others{};
  std::vector<std::pair<std::string, Shape>> named{};  // Further tensor arguments, by name.

  // The time axis of every argument that has the first one's rank; -1 if there is none.
  int time_axis = 1;
  Shape mask{};  // The shape of the first input's mask, if it is not [batch, time].

  [[nodiscard]] bool has_time() const { return input.rank() > 2 && time_axis > 0; }
  [[nodiscard]] LayerCase with_batch(Dim batch) const;
  // Returns random arguments, with random masks where they have a time axis.
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
// Returns the cases of layers that can be called with a masked input: without InputLayer, and with
// a BatchNormalization along the time axis, the only one along which it can use a mask.
[[nodiscard]] std::vector<LayerCase> called_layer_cases();
[[nodiscard]] LayerCase layer_case(std::string_view class_name);

}  // namespace maskflow::test
