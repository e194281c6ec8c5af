// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/value.hpp"

namespace maskflow::test {

// JSON text as Python writes it, bare NaN and Infinity included.
[[nodiscard]] Value parse_json(const std::string& text);

}  // namespace maskflow::test
