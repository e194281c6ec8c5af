// SPDX-License-Identifier: MIT
// The one exception type of the core. Every message names what was wrong, the numbers involved and
// the remedy; the layer's path is put in front while the exception travels outwards.
#pragma once

#include <exception>
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
