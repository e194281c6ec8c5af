// SPDX-License-Identifier: MIT
#include "kernels/team.hpp"

#include "kernels/flops.hpp"

#if defined(MASKFLOW_THREADS)

#include <algorithm>
#include <atomic>

namespace maskflow::kernels {
namespace {

using Word = std::atomic<std::uint32_t>;

#if defined(__wasm_atomics__)
void wait_while(Word& word, std::uint32_t value) {
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&word), static_cast<int>(value), -1);
}
void wake(Word& word, int count) {
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word),
                                      static_cast<std::uint32_t>(count));
}
#else
void wait_while(Word& word, std::uint32_t value) { word.wait(value); }
void wake(Word& word, int count) {
  for (; count > 0; --count) word.notify_one();
}
#endif

// Checks of a word before its thread sleeps. A fence leaves the core to the other hyperthread for
// some tens of cycles, so this is about 0.1 ms.
constexpr int kSpins = 4000;

// Checks by a helper that did not sleep between regions: calls keep coming, and between two of them
// is work that is not shared.
constexpr int kMostSpins = 4 * kSpins;

// Helpers that a thread wakes. To wake one takes longer than a small region, so each of them wakes
// as many.
constexpr std::uint32_t kWoken = 2;

void pause() { std::atomic_thread_fence(std::memory_order_seq_cst); }

// Returns true once `word` no longer has this value, and false if it has it for a while.
bool changes_soon(const Word& word, std::uint32_t value, int spins = kSpins) {
  for (int i = 0; i < spins; ++i) {
    if (word.load() != value) return true;
    pause();
  }
  return false;
}

constexpr std::size_t kPartsPerMember = 4;

// Smallest number of elements that a thread computes: a multiple of every vector's size, and whole
// lines of the cache.
constexpr std::size_t kElements = 64;

// Words that different threads write are on different cache lines.
struct Team {
  // Number of the region; odd while it is open for helpers.
  alignas(64) Word region = 0;
  alignas(64) Word next_part = 0;
  // Helpers that may use the fields of this region.
  alignas(64) Word inside = 0;
  alignas(64) Word sleepers = 0;
  // Sleepers that helpers of this region still wake. A hint: a late helper may wake one for
  // nothing.
  alignas(64) Word to_wake = 0;
  Word arrived = 0;
  Word main_sleeps = 0;
  Word ended = 0;
  Word failed = 0;
  std::atomic<std::uint64_t> multiply_adds = 0;
  TeamCounts counts;  // without the regions
  // Written by the main thread while no helper is inside.
  alignas(64) const FunctionRef<void(int, int)>* body = nullptr;
  std::uint32_t parts = 0;
  int helpers = 0;  // that run parts
  Work least_work = kLeastWork;
  bool may_block = false;
  bool is_busy = false;
};

constinit Team team;
constinit thread_local int self = 0;

void run_parts(int member) {
  for (;;) {
    const std::uint32_t part = team.next_part.fetch_add(1);
    if (part >= team.parts) return;
    (*team.body)(static_cast<int>(part), member);
  }
}

// Wakes some of the helpers that this region needs. Returns their number.
std::uint32_t wake_some() {
  std::uint32_t left = team.to_wake.load();
  while (left != 0 && !team.to_wake.compare_exchange_weak(left, left - std::min(left, kWoken))) {
  }
  const std::uint32_t count = std::min(left, kWoken);
  if (count != 0) wake(team.region, static_cast<int>(count));
  return count;
}

void help(std::uint32_t region, int member) {
  wake_some();
  team.inside.fetch_add(1);
  // A region that was closed before the line above may be gone. One that is closed after it waits.
  if (team.region.load() == region && member <= team.helpers) {
    const std::uint64_t before = multiply_adds;
    run_parts(member);
    team.multiply_adds.fetch_add(multiply_adds - before);
  }
  if (team.inside.fetch_sub(1) == 1 && team.main_sleeps.load() != 0) wake(team.inside, 1);
}

void check_alive() {
  if (team.failed.load() != 0) __builtin_trap();
}

void wait_for_helpers() {
  for (std::uint32_t count = team.inside.load(); count != 0; count = team.inside.load()) {
    check_alive();
    if (changes_soon(team.inside, count) || !team.may_block) continue;
    team.main_sleeps.store(1);
    wait_while(team.inside, count);
    team.main_sleeps.store(0);
  }
  check_alive();
}

}  // namespace

int team_size() { return 1 + team.helpers; }

int team_self() { return self; }

bool is_region(Work work) { return team.helpers > 0 && !team.is_busy && work >= team.least_work; }

void parallel(int parts, FunctionRef<void(int, int)> body, Work work) {
  if (parts < 2 || team.is_busy || team.helpers == 0 || team.arrived.load() == 0) {
    for (int part = 0; part < parts; ++part) body(part, 0);
    return;
  }
  team.is_busy = true;
  const Work before = multiply_adds;
  team.body = &body;
  team.parts = static_cast<std::uint32_t>(parts);
  team.next_part.store(0);
  team.region.fetch_add(1);
  // A helper that falls asleep after this line has seen the region.
  if (const Work sleepers = team.sleepers.load(); sleepers != 0) {
    const Work helpers = std::min<Work>(team.parts - 1, work / team.least_work);
    team.to_wake.store(static_cast<std::uint32_t>(std::min(sleepers, helpers)));
    team.counts.wakes += wake_some();
  }
  run_parts(0);
  team.to_wake.store(0);
  team.region.fetch_add(1);
  wait_for_helpers();
  multiply_adds += team.multiply_adds.exchange(0);
  team.counts.work += multiply_adds - before;
  team.is_busy = false;
}

void parallel_ranges(Grains grains, Work work, FunctionRef<void(std::size_t, std::size_t)> body) {
  // More parts than members, so that a member whose core has other work takes fewer.
  const std::size_t parts =
      std::min(grains.number(), kPartsPerMember * static_cast<std::size_t>(team_size()));
  parallel(
      static_cast<int>(parts),
      [&](int part, int /*member*/) {
        const Interval range = grains.part(static_cast<std::size_t>(part), parts);
        body(range.begin, range.end);
      },
      work);
}

void parallel_blocks(Grains first, Grains second, Work work,
                     FunctionRef<void(Interval, Interval)> body) {
  const auto members = static_cast<std::size_t>(team_size());
  const std::size_t parts = std::min(first.number(), kPartsPerMember * members);
  // With two parts for each member, a quicker one can take more.
  const std::size_t more = std::min(second.number(), (2 * members + parts - 1) / parts);
  parallel(
      static_cast<int>(parts * more),
      [&](int part, int /*member*/) {
        const auto i = static_cast<std::size_t>(part);
        body(first.part(i / more, parts), second.part(i % more, more));
      },
      work);
}

void parallel_rows(std::size_t count, Work work, FunctionRef<void(std::size_t, std::size_t)> body) {
  if (!is_region(count * work)) return body(0, count);
  parallel_ranges({count, 1}, count * work, body);
}

void parallel_elements(std::size_t count, Work work,
                       FunctionRef<void(std::size_t, std::size_t)> body) {
  if (!is_region(count * work)) return body(0, count);
  parallel_ranges({count, kElements}, count * work, body);
}

void team_start(int helpers, bool may_block) {
  team.helpers = helpers;
  team.may_block = may_block;
  team.ended.store(0);
}

void team_use(int helpers, Work least_work) {
  team.helpers = helpers;
  team.least_work = std::max<Work>(least_work, 1);
}

void team_member(int member) {
  self = member;
  team.arrived.fetch_add(1);
  int spins = kSpins;
  for (std::uint32_t done = 0; team.ended.load() == 0;) {
    const std::uint32_t region = team.region.load();
    if (region % 2 == 1 && region != done) {
      help(region, member);
      done = region;
      spins = std::min(2 * spins, kMostSpins);
    } else if (!changes_soon(team.region, region, spins)) {
      spins = kSpins;
      team.sleepers.fetch_add(1);
      if (team.ended.load() == 0) wait_while(team.region, region);
      team.sleepers.fetch_sub(1);
    }
  }
  team.arrived.fetch_sub(1);
}

int team_arrived() { return static_cast<int>(team.arrived.load()); }

TeamCounts team_counts() {
  TeamCounts counts = team.counts;
  counts.regions = team.region.load() / 2;
  return counts;
}

void team_end() {
  team.ended.store(1);
  team.region.fetch_add(2);
  wake(team.region, static_cast<int>(team.arrived.load()));
  team.helpers = 0;
}

void team_fail() {
  team.failed.store(1);
  team.inside.fetch_add(1);
  wake(team.inside, 1);
}

}  // namespace maskflow::kernels

#else

// Linking as a whole then inlines them, even for size. GCC warns, because they are not `inline`.
#if defined(__clang__)
#define INLINE [[gnu::always_inline]]
#else
#define INLINE
#endif

namespace maskflow::kernels {

INLINE int team_size() { return 1; }
INLINE int team_self() { return 0; }
INLINE bool is_region(Work /*work*/) { return false; }

INLINE void parallel(int parts, FunctionRef<void(int, int)> body, Work /*work*/) {
  for (int part = 0; part < parts; ++part) body(part, 0);
}

INLINE void parallel_blocks(Grains first, Grains second, Work /*work*/,
                            FunctionRef<void(Interval, Interval)> body) {
  body({0, first.count}, {0, second.count});
}
INLINE void parallel_rows(std::size_t count, Work /*work*/,
                          FunctionRef<void(std::size_t, std::size_t)> body) {
  body(0, count);
}
INLINE void parallel_elements(std::size_t count, Work /*work*/,
                              FunctionRef<void(std::size_t, std::size_t)> body) {
  body(0, count);
}

}  // namespace maskflow::kernels

#endif
