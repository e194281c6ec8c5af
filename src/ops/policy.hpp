// SPDX-License-Identifier: MIT
// What holds for every call of the program until it is chosen anew. What holds for one call is its
// Frame.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/random.hpp"

namespace maskflow {

// Does the recurrent family pass masks on? Keras 3.15 does; its development version 3.16 does not.
enum class MaskPropagation : std::uint8_t { kKeras315, kKeras316 };
enum class OnMaskDropped : std::uint8_t { kWarn, kError, kSilent };

struct Policy {
  MaskPropagation mask_propagation = MaskPropagation::kKeras315;
  // Layers made while this is set keep the rule of now, whatever is chosen later: those of a model
  // file that says which rule it was made for.
  bool pin_mask_propagation = false;
  OnMaskDropped on_mask_dropped = OnMaskDropped::kWarn;
  Random random{0x6d61736b};
  std::function<void(const std::string&)> warn;  // not set: nobody listens

  // Where layers and ops can be that this program lacks on purpose; ends the errors about unknown
  // ones.
  std::string absent_note;

  static Policy& current();  // one per wasm instance (one per thread natively)
};

}  // namespace maskflow
