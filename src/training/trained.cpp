// SPDX-License-Identifier: MIT
#include "training/trained.hpp"

namespace maskflow {

ConstraintPtr constraint_of(Layer& owner, std::string_view weight) {
  // In user-defined classes a setting of this name may have another meaning.
  if (owner.kind() != "layer") return nullptr;
  const Dict config = owner.get_config();
  const Value* setting = config.find(text(weight, "_constraint"));
  // Removed from "recurrent_kernel", whose setting is recurrent_constraint.
  constexpr std::string_view kKernel = "_kernel";
  if (setting == nullptr && weight.ends_with(kKernel)) {
    weight.remove_suffix(kKernel.size());
    setting = config.find(text(weight, "_constraint"));
  }
  // The only kernel of a DepthwiseConv1D has this setting.
  if (setting == nullptr && weight == "kernel") setting = config.find("depthwise_constraint");
  try {
    return setting == nullptr ? nullptr : constraint_from(*setting);
  } catch (Error& error) {
    error.add_layer(owner.name());
    throw;
  }
}

}  // namespace maskflow
