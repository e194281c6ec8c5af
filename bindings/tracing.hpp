// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "ops/context.hpp"

namespace maskflow::bindings {

// Collects what runs while it lives.
class Tracing {
 public:
  Tracing() : before_(Context::current().trace) { Context::current().trace = &events_; }
  ~Tracing() { Context::current().trace = before_; }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;
  [[nodiscard]] const std::vector<TraceEvent>& events() const { return events_; }

 private:
  std::vector<TraceEvent>* before_;
  std::vector<TraceEvent> events_;
};

}  // namespace maskflow::bindings
