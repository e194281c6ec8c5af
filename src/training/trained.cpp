// SPDX-License-Identifier: MIT
#include "training/trained.hpp"

#include <algorithm>

#include "base/depth.hpp"

namespace maskflow {
namespace {

struct Found {
  const Variable* variable;
  Value setting;
};

// recurrent_kernel has recurrent_constraint, the kernel kernel_constraint.
Value setting_of(const Dict& config, std::string_view weight, std::string_view what) {
  constexpr std::string_view kKernel = "_kernel";
  const Value* setting = config.find(text(weight, "_", what));
  if (setting == nullptr && weight.ends_with(kKernel)) {
    setting = config.find(text(weight.substr(0, weight.size() - kKernel.size()), "_", what));
  }
  // (A DepthwiseConv1D calls its only kernel so.)
  if (setting == nullptr && weight == "kernel") setting = config.find(text("depthwise_", what));
  return setting == nullptr ? Value() : *setting;
}

// Layers inside come first: a cell has its weights, and the settings for them.
void gather(Layer& layer, std::string_view what, std::vector<Found>& found) {
  const Depth depth(Depth::kLayer);
  for (const LayerPtr& inner : layer.sublayers()) gather(*inner, what, found);
  // (What a class of the user's calls so is its own affair.)
  if (layer.kind() != "layer") return;
  Dict config;
  for (const Layer::Weight& weight : layer.weights()) {
    const Variable* variable = weight.variable.get();
    const auto known = std::ranges::find(found, variable, &Found::variable);
    if (known != found.end() && !known->setting.is_null()) continue;
    if (config.entries().empty()) config = layer.get_config();
    Value setting = setting_of(config, weight.variable->name(), what);
    if (setting.is_null()) continue;
    if (known == found.end()) {
      found.push_back({variable, std::move(setting)});
    } else {
      known->setting = std::move(setting);
    }
  }
}

}  // namespace

List weight_settings(Layer& layer, std::string_view what) {
  std::vector<Found> found;
  gather(layer, what, found);
  List result;
  for (const Layer::Weight& weight : layer.weights()) {
    const auto known = std::ranges::find(found, weight.variable.get(), &Found::variable);
    result.push_back(known == found.end() ? Value() : known->setting);
  }
  return result;
}

std::vector<Trained> trainable_weights(Layer& layer) {
  layer.ensure_name();
  const List constraints = weight_settings(layer, "constraint");
  const std::vector<Layer::Weight> weights = layer.weights();
  std::vector<Trained> result;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!weights[i].trainable) continue;
    result.push_back({weights[i].variable, weights[i].path, constraint_from(constraints[i])});
  }
  return result;
}

}  // namespace maskflow
