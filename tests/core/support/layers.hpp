// SPDX-License-Identifier: MIT
// Making and calling layers.
#pragma once

#include "layer/layer.hpp"
#include "ops/op.hpp"
#include "support/random.hpp"
#include "support/tensors.hpp"
#include "support/values.hpp"

namespace maskflow::test {

using Entries = std::initializer_list<std::pair<std::string, Value>>;

[[nodiscard]] LayerPtr make(std::string_view class_name, Entries config);
// A layer as a setting of another one.
[[nodiscard]] Value serialized(std::string_view class_name, Entries config);

// Builds the layer for inputs of this shape and gives every weight random numbers: initializers
// would make biases zero and hide mistakes in them.
void randomize(Layer& layer, Rng& rng, const Shape& input);

// A call with one input; `mask` and `states` are explicit arguments when they are given.
[[nodiscard]] Tensors call(Layer& layer, const Tensor& input, const MaskPtr& mask = nullptr,
                           const Tensors& states = {});

// The warnings, the rule of masks and the seed of a test; what it changes is put back at its end.
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
