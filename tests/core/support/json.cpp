// SPDX-License-Identifier: MIT
// The only file that includes the JSON library: it takes long to compile.
#include "support/json.hpp"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

namespace maskflow::test {
namespace {

using Json = nlohmann::ordered_json;

// Strings that replace bare words such as NaN, which JSON lacks; no fixture contains them.
constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"NaN", "\"\\u0001NaN\""},
    {"-Infinity", "\"\\u0001-Infinity\""},
    {"Infinity", "\"\\u0001Infinity\""},
};

std::string with_quoted_words(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      result += text[i++];  // The character after a backslash does not end the string.
    } else if (text[i] == '"') {
      quoted = !quoted;
    }
    bool replaced = false;
    for (const auto& [word, string] : kWords) {
      if (quoted || replaced || text.compare(i, word.size(), word) != 0) continue;
      result += string;
      i += word.size() - 1;
      replaced = true;
    }
    if (!replaced) result += text[i];
  }
  return result;
}

Value string_value(const std::string& string) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (string == "\1NaN") return std::numeric_limits<double>::quiet_NaN();
  if (string == "\1Infinity") return kInfinity;
  if (string == "\1-Infinity") return -kInfinity;
  return string;
}

Value value_of(const Json& json) {
  if (json.is_null()) return nullptr;
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return string_value(json.get<std::string>());
  if (json.is_array()) {
    List list;
    for (const Json& item : json) list.push_back(value_of(item));
    return list;
  }
  Dict dict;
  for (const auto& [key, item] : json.items()) dict[key] = value_of(item);
  return dict;
}

}  // namespace

Value parse_json(const std::string& text) { return value_of(Json::parse(with_quoted_words(text))); }

}  // namespace maskflow::test
