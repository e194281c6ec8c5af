// SPDX-License-Identifier: MIT
#include "base/error.hpp"

#include <cmath>
#include <cstdio>

namespace maskflow {

void Error::add_layer(std::string_view name) {
  std::string prefix(name);
  prefix += has_layer_ ? "/" : ": ";
  message_ = prefix + message_;
  has_layer_ = true;
}

void append_integer(std::string& out, std::int64_t n) { out += std::to_string(n); }

void append_text(std::string& out, double x) {
  if (std::isnan(x)) {
    out += "NaN";
    return;
  }
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%g", x);
  out += buffer;
}

void fail(ErrorKind kind, std::string message) { throw Error(kind, std::move(message)); }

}  // namespace maskflow
