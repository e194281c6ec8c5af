// SPDX-License-Identifier: MIT
// Settings of all calls of the program. Those of a single call are in its Frame.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/random.hpp"

namespace maskflow {

// Whether recurrent layers pass masks on. Keras 3.15 does; its development version 3.16 does not.
enum class MaskPropagation : std::uint8_t { kKeras315, kKeras316 };
enum class OnMaskDropped : std::uint8_t { kWarn, kError, kSilent };

struct Policy {
  MaskPropagation mask_propagation = MaskPropagation::kKeras315;
  // Layers created while this is set keep the current mask rule, even if it is changed later. Set
  // while a model file is loaded that says for which rule it was made.
  bool pin_mask_propagation = false;
  OnMaskDropped on_mask_dropped = OnMaskDropped::kWarn;
  Random random{0x6d61736b};
  // Receives warnings; if it is empty, they are dropped.
  std::function<void(const std::string&)> warn;

  // Text appended to errors about unknown layers and ops. It names the entry that has those that
  // this module lacks.
  std::string absent_note;

  // Returns the policy of this wasm instance or, natively, of this thread.
  static Policy& current();
};

}  // namespace maskflow
