// SPDX-License-Identifier: MIT
// One configuration of every registered layer class, far from its defaults.
#pragma once

#include "layers/layer.hpp"
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

  [[nodiscard]] LayerPtr make() const { return make_layer(class_name, config); }
  [[nodiscard]] Args arguments(Rng& rng) const;
};

[[nodiscard]] std::vector<LayerCase> layer_cases();
// That of one class.
[[nodiscard]] LayerCase layer_case(std::string_view class_name);

}  // namespace maskflow::test
