// SPDX-License-Identifier: MIT
// Whether any layer of the program has an activity regularizer. Calls outside of training and
// evaluation look for penalties only then.
#pragma once

namespace maskflow {

inline bool has_activity_regularizers = false;

}  // namespace maskflow
