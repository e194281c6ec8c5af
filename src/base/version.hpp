// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>

#include "base/error.hpp"

namespace maskflow {

// The state of something that can be written. Each write gives it a number that no state of
// anything had before. So a result that is kept with the versions of its sources is current exactly
// while these are equal, even if another source takes over the address of an earlier one. Of
// several sources, the newest version changes with each write to any of them.
class Version {
 public:
  Version() { renew(); }
  void renew() { number_ = ++newest; }
  [[nodiscard]] auto operator<=>(const Version&) const = default;

 private:
  inline static std::uint64_t newest = 0;
  std::uint64_t number_;
};

// In a debug build, `is_current` computes a kept result again and compares the two. The error gets
// the layer's name on its way.
template <class F>
void check_kept([[maybe_unused]] const F& is_current) {
#ifndef NDEBUG
  if (!is_current()) state_error("a result of earlier weights was kept; please report this");
#endif
}

}  // namespace maskflow
