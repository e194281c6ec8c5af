// SPDX-License-Identifier: MIT
#pragma once

#include "boundary.hpp"

namespace maskflow::bindings {

// What the last bare prediction made, where it was more than one tensor (see direct.cpp).
[[nodiscard]] val model_predicted();

}  // namespace maskflow::bindings
