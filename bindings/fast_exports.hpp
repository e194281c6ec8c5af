// SPDX-License-Identifier: MIT
#pragma once

#include "boundary.hpp"

namespace maskflow::bindings {

// The result of the last predict_one_at() that was not a single tensor.
[[nodiscard]] val model_predicted();

}  // namespace maskflow::bindings
