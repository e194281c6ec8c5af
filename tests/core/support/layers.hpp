// SPDX-License-Identifier: MIT
// Creates and calls layers.
#pragma once

#include "layer/layer.hpp"
#include "ops/op.hpp"
#include "support/random.hpp"
#include "support/tensors.hpp"
#include "support/values.hpp"

namespace maskflow::test {

using Entries = std::initializer_list<std::pair<std::string, Value>>;

[[nodiscard]] LayerPtr make(std::string_view class_name, Entries config);
// Returns a layer as a setting of another layer.
[[nodiscard]] Value serialized(std::string_view class_name, Entries config);

// Builds the layer for inputs of this shape and sets all weights to random numbers. Initializers
// would set biases to zero and hide mistakes in them.
void randomize(Layer& layer, Rng& rng, const Shape& input);

// Calls a layer with one input; `mask` and `states` are explicit arguments unless they are empty.
[[nodiscard]] Tensors call(Layer& layer, const Tensor& input, const MaskPtr& mask = nullptr,
                           const Tensors& states = {});

// Sets the mask rule of a test and collects its warnings. The destructor restores the policy.
class Scope {
 public:
  explicit Scope(MaskPropagation rule = MaskPropagation::kKeras315,
                 OnMaskDropped dropped = OnMaskDropped::kWarn);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Policy before_;
  std::vector<std::string> warnings_;
};

}  // namespace maskflow::test
