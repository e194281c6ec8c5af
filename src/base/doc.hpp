// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace maskflow {

// A text of the reference, written where the thing is defined. Only the program that prints the
// schema keeps these texts; in the package they would be a thirtieth of what a page fetches.
#ifdef MASKFLOW_SCHEMA
class Doc {
 public:
  constexpr Doc(const char* text) : text_(text) {}
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  const char* text_;
};
inline constexpr bool kKeepsDocs = true;
#else
class Doc {
 public:
  consteval Doc(const char*) {}
  [[nodiscard]] constexpr std::string_view text() const { return {}; }
};
inline constexpr bool kKeepsDocs = false;
#endif

}  // namespace maskflow
