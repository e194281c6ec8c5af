// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/value.hpp"

namespace maskflow::test {

// Parses JSON text as Python writes it, including bare NaN and Infinity.
[[nodiscard]] Value parse_json(const std::string& text);

}  // namespace maskflow::test
