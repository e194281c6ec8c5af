// SPDX-License-Identifier: MIT
#include "base/error.hpp"

namespace maskflow {

void Error::add_layer(std::string_view name) {
  std::string prefix(name);
  prefix += has_layer_ ? "/" : ": ";
  message_ = prefix + message_;
  has_layer_ = true;
}

void fail(ErrorKind kind, const AppendPart* append, const void* const* parts) {
  throw Error(kind, message(append, parts));
}

}  // namespace maskflow
