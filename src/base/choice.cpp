// SPDX-License-Identifier: MIT
#include "base/choice.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace maskflow {

std::string quoted(const std::vector<std::string>& words, const char* separator) {
  std::string list;
  for (const std::string& word : words) {
    if (!list.empty()) list += separator;
    list += '\'';
    list += word;
    list += '\'';
  }
  return list;
}

int choice_index(Name name, const Value& value, std::string_view choices) {
  const std::vector<std::string> known = words(choices);
  const std::string word = value.is_string() ? value.as_string(name) : std::string();
  const auto place = std::ranges::find(known, word);
  if (place == known.end()) {
    config_error("'", name, "' is ", value, suggestion(word, known), "; it must be one of ",
                 quoted(known));
  }
  return static_cast<int>(place - known.begin());
}

}  // namespace maskflow
