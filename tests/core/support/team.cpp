// SPDX-License-Identifier: MIT
#include "support/team.hpp"

#include <gtest/gtest.h>

#include "kernels/team.hpp"
#include "support/tensors.hpp"

#if defined(MASKFLOW_THREADS)

#include <thread>
#include <vector>

namespace maskflow::test {
namespace {

constexpr int kHelpers = 6;
// Members in tests that do not choose a number.
constexpr int kUsual = 3;

void use(int members) { kernels::team_use(members - 1, 1); }

// Starts the helpers before the first test and ends them after the last one.
class Helpers : public testing::Environment {
 public:
  void SetUp() override {
    kernels::team_start(kHelpers, true);
    for (int member = 1; member <= kHelpers; ++member) {
      threads_.emplace_back([member] { kernels::team_member(member); });
    }
    while (kernels::team_arrived() < kHelpers) std::this_thread::yield();
    use(kUsual);
  }
  void TearDown() override {
    kernels::team_end();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::vector<std::thread> threads_;
};

const testing::Environment* const environment = testing::AddGlobalTestEnvironment(new Helpers);

}  // namespace

TeamOf::TeamOf(int members) { use(members); }
TeamOf::~TeamOf() { use(kUsual); }

void expect_same_for_all_teams(const std::function<Tensors()>& compute) {
  Tensors expected;
  for (const int members : kMembers) {
    const TeamOf team(members);
    const Tensors results = compute();
    if (members == 1) expected = results;
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      ASSERT_EQ(results[i].empty_handle(), expected[i].empty_handle());
      if (results[i].empty_handle()) continue;
      EXPECT_TRUE(same_bits(results[i], expected[i])) << members << " members, result " << i;
    }
  }
}

}  // namespace maskflow::test

#endif
