// SPDX-License-Identifier: MIT
// The one exception type of the core. Every message names what was wrong, the numbers involved and
// the remedy; the layer's path is put in front while the exception travels outwards.
#pragma once

#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"

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
  [[nodiscard]] std::string take_message() noexcept { return std::move(message_); }
  // Puts the name of an enclosing layer in front: "encoder/lstm: ...".
  void add_layer(std::string_view name);

 private:
  ErrorKind kind_;
  std::string message_;
  bool has_layer_ = false;
};

[[noreturn]] void fail(ErrorKind kind, std::initializer_list<Piece> pieces);

template <class... Parts>
[[noreturn]] void shape_error(const Parts&... parts) {
  fail(ErrorKind::kShape, {Piece(parts)...});
}
template <class... Parts>
[[noreturn]] void value_error(const Parts&... parts) {
  fail(ErrorKind::kValue, {Piece(parts)...});
}
template <class... Parts>
[[noreturn]] void config_error(const Parts&... parts) {
  fail(ErrorKind::kConfig, {Piece(parts)...});
}
template <class... Parts>
[[noreturn]] void state_error(const Parts&... parts) {
  fail(ErrorKind::kState, {Piece(parts)...});
}
template <class... Parts>
[[noreturn]] void unsupported_error(const Parts&... parts) {
  fail(ErrorKind::kUnsupported, {Piece(parts)...});
}

}  // namespace maskflow
