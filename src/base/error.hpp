// SPDX-License-Identifier: MIT
// The only exception type of the core. A message says what is wrong, quotes the numbers, and names
// the remedy. Each enclosing layer adds its name in front as the exception passes through.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace maskflow {

enum class ErrorKind : int {
  kNone = 0,
  kShape = 1,        // a wrong rank or dimension
  kValue = 2,        // a value out of range
  kConfig = 3,       // an unknown class or key, or an impossible setting
  kFormat = 4,       // a damaged or unreadable file
  kState = 5,        // a valid call at the wrong time
  kUnsupported = 6,  // valid in Keras, not available here
  // JavaScript code that the core called has thrown; the caller keeps the original error.
  kCallback = 7,
};

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }
  [[nodiscard]] std::string take_message() noexcept { return std::move(message_); }
  // Adds the name of an enclosing layer in front: "encoder/lstm: ...".
  void add_layer(std::string_view name);

 private:
  ErrorKind kind_;
  std::string message_;
  bool has_layer_ = false;
};

[[noreturn]] void fail(ErrorKind kind, const AppendPart* append, const void* const* parts);
template <class... Parts>
[[noreturn]] void fail_with(ErrorKind kind, const Parts&... parts) {
  const void* const addresses[] = {part_address(parts)...};
  fail(kind, kAppendParts<PartType<Parts>...>, addresses);
}

template <class... Parts>
[[noreturn]] void shape_error(const Parts&... parts) {
  fail_with(ErrorKind::kShape, parts...);
}
template <class... Parts>
[[noreturn]] void value_error(const Parts&... parts) {
  fail_with(ErrorKind::kValue, parts...);
}
template <class... Parts>
[[noreturn]] void config_error(const Parts&... parts) {
  fail_with(ErrorKind::kConfig, parts...);
}
template <class... Parts>
[[noreturn]] void state_error(const Parts&... parts) {
  fail_with(ErrorKind::kState, parts...);
}
template <class... Parts>
[[noreturn]] void unsupported_error(const Parts&... parts) {
  fail_with(ErrorKind::kUnsupported, parts...);
}

}  // namespace maskflow
