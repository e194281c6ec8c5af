// SPDX-License-Identifier: MIT
// Configurations and attributes as literals: dict({{"units", 3}, {"use_bias", false}}).
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/value.hpp"

namespace maskflow::test {

[[nodiscard]] Dict dict(std::initializer_list<std::pair<std::string, Value>> entries);
[[nodiscard]] List list(std::initializer_list<Value> items);
// Returns a value as text; equal values have equal texts.
[[nodiscard]] std::string text_of(const Value& value);

// Returns the numbers of a list, or a single number.
[[nodiscard]] std::vector<double> numbers_of(const Value& value);

}  // namespace maskflow::test
