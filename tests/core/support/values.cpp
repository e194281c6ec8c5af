// SPDX-License-Identifier: MIT
#include "support/values.hpp"

#include "base/error.hpp"

namespace maskflow::test {

Dict dict(std::initializer_list<std::pair<std::string, Value>> entries) {
  Dict result;
  for (const auto& [key, value] : entries) result[key] = value;
  return result;
}

List list(std::initializer_list<Value> items) { return List(items); }

std::string text_of(const Value& value) { return text(value); }

std::vector<double> numbers_of(const Value& value) {
  std::vector<double> numbers;
  const List list = value.is_list() ? value.as_list("") : List{value};
  for (const Value& number : list) numbers.push_back(number.as_number(""));
  return numbers;
}

}  // namespace maskflow::test
