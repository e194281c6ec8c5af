// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace maskflow {

// A string literal that names a setting, an op or an argument. It is one word, which wasm passes as
// a value. A string_view is two, which wasm passes through memory: with a thousand calls, that
// would be a fiftieth of the module.
class Name {
 public:
  constexpr Name(const char* text = "") : text_(text) {}
  [[nodiscard]] constexpr std::string_view view() const { return text_; }
  constexpr operator std::string_view() const { return text_; }

 private:
  const char* text_;
};

}  // namespace maskflow
