// SPDX-License-Identifier: MIT
#include "base/id_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "support/random.hpp"

namespace maskflow {
namespace {

TEST(IdTable, FindsWhatAMapFinds) {
  IdTable<std::shared_ptr<int>> table;
  std::map<int, std::shared_ptr<int>> expected;
  test::Rng rng(3);
  for (int step = 0; step < 20000; ++step) {
    const int id = static_cast<int>(rng.integer(0, step / 40 + 5));
    const auto known = expected.find(id);
    std::shared_ptr<int>* const found = table.find(id);
    ASSERT_EQ(found != nullptr, known != expected.end()) << id;
    if (found != nullptr) {
      ASSERT_EQ(*found, known->second);
      ASSERT_EQ(table.remove(id), known->second);
      // The table keeps nothing of a removed entry.
      ASSERT_EQ(known->second.use_count(), 1);
      expected.erase(known);
    } else {
      expected[id] = std::make_shared<int>(step);
      table.add(id, expected[id]);
    }
  }
}

}  // namespace
}  // namespace maskflow
