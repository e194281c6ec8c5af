// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace maskflow {

// Doc is a text of the reference, written beside the thing that it documents. SchemaFact is a claim
// about a layer or an op that only generated files use. Builds with the option MASKFLOW_DOCS keep
// both, for the program that prints the schema. The package keeps neither, because the texts would
// be a thirtieth of what a page fetches.
#ifdef MASKFLOW_DOCS
class Doc {
 public:
  constexpr Doc(const char* text) : text_(text) {}
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  const char* text_;
};
inline constexpr bool kKeepsDocs = true;
using SchemaFact = bool;
#else
class Doc {
 public:
  consteval Doc(const char*) {}
  [[nodiscard]] constexpr std::string_view text() const { return {}; }
};
inline constexpr bool kKeepsDocs = false;
class SchemaFact {
 public:
  consteval SchemaFact(bool) {}
};
#endif

}  // namespace maskflow
