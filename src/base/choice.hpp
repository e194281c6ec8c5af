// SPDX-License-Identifier: MIT
// Settings that are one of a few words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"

namespace maskflow {

// 'a', 'b', 'c'
[[nodiscard]] std::string quoted(const std::vector<std::string>& words,
                                 const char* separator = ", ");
// Returns the index of the value among words that are separated by spaces. Throws ConfigError for
// another value.
int choice_index(Name name, const Value& value, std::string_view choices);

}  // namespace maskflow
