// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace maskflow {

// Returns a name that no earlier call returned: lstm, lstm_1, …
[[nodiscard]] std::string numbered_name(const std::string& base);

}  // namespace maskflow
