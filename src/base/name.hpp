// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace maskflow {

// A name that stands in the program: of a setting, an op, an argument. One word, which wasm passes
// as it is, where a string_view is two, which it passes through memory: with a thousand calls that
// is a fiftieth of the module.
class Name {
 public:
  constexpr Name(const char* text = "") : text_(text) {}
  [[nodiscard]] constexpr std::string_view view() const { return text_; }
  constexpr operator std::string_view() const { return text_; }

 private:
  const char* text_;
};

}  // namespace maskflow
