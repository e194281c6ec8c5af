// SPDX-License-Identifier: MIT
// The one exception type of the core. Every message names what was wrong, the numbers involved and
// the remedy; the layer's path is put in front while the exception travels outwards.
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace maskflow {

enum class ErrorKind : int {
  kNone = 0,
  kShape = 1,        // a rank or a dimension does not fit
  kValue = 2,        // a value is out of its range
  kConfig = 3,       // unknown class or key, or a setting that cannot be
  kFormat = 4,       // a file that is not what it should be
  kState = 5,        // the right call at the wrong time
  kUnsupported = 6,  // right in Keras, not available here
  kCallback = 7,  // JavaScript code called from the core threw; the caller holds the error itself
};

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }
  // Puts the name of an enclosing layer in front: "encoder/lstm: ...".
  void add_layer(std::string_view name);

 private:
  ErrorKind kind_;
  std::string message_;
  bool has_layer_ = false;
};

// Pieces of a message. Not std::format: it alone would triple the size of the wasm module.
inline void append_text(std::string& out, std::string_view s) { out += s; }
inline void append_text(std::string& out, const std::string& s) { out += s; }
inline void append_text(std::string& out, const char* s) { out += s; }
void append_integer(std::string& out, std::int64_t n);
void append_text(std::string& out, double x);
template <std::integral T>
void append_text(std::string& out, T n) {
  append_integer(out, static_cast<std::int64_t>(n));
}

// Joins strings, numbers and everything else that has an append_text overload.
template <class... Parts>
[[nodiscard]] std::string text(const Parts&... parts) {
  std::string out;
  (append_text(out, parts), ...);
  return out;
}

[[noreturn]] void fail(ErrorKind kind, std::string message);

template <class... Parts>
[[noreturn]] void shape_error(const Parts&... parts) {
  fail(ErrorKind::kShape, text(parts...));
}
template <class... Parts>
[[noreturn]] void value_error(const Parts&... parts) {
  fail(ErrorKind::kValue, text(parts...));
}
template <class... Parts>
[[noreturn]] void config_error(const Parts&... parts) {
  fail(ErrorKind::kConfig, text(parts...));
}

}  // namespace maskflow
