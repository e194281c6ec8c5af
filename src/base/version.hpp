// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>

#include "base/error.hpp"

namespace maskflow {

// The state of a buffer or a weight. Each write renews it with a number that no state of anything
// had before. A result kept with the versions of its sources is therefore current exactly while
// these are equal, even if another source reuses the address of an earlier one. The newest version
// of several sources changes with each write to any of them.
class Version {
 public:
  Version() { renew(); }
  void renew() { number_ = ++newest; }
  [[nodiscard]] auto operator<=>(const Version&) const = default;
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  inline static std::uint64_t newest = 0;
  std::uint64_t number_;
};

// In debug builds, throws StateError if a kept result is out of date. `is_current` computes the
// result again and compares the two.
template <class F>
void check_kept([[maybe_unused]] const F& is_current) {
#ifndef NDEBUG
  if (!is_current()) state_error("a result of earlier weights was used; please report this");
#endif
}

}  // namespace maskflow
