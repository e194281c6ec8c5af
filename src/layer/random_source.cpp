// SPDX-License-Identifier: MIT
#include "layer/random_source.hpp"

namespace maskflow {

Random& RandomSource::numbers() {
  if (!seed_.is_number()) return Policy::current().random;
  if (!own_) own_.emplace(static_cast<std::uint64_t>(seed_.as_number("seed")));
  return *own_;
}

}  // namespace maskflow
