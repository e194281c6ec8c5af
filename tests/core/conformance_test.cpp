// SPDX-License-Identifier: MIT
// Every recorded case of every family, under both rules of mask propagation.
#include <gtest/gtest.h>

#include "support/fixtures.hpp"

namespace maskflow {
namespace {

using test::at;

struct Family {
  std::string name;
  MaskPropagation rule;
};

std::vector<Family> all_families() {
  std::vector<Family> families;
  for (const std::string& name : test::fixture_names("layers")) {
    families.push_back({name, MaskPropagation::kKeras315});
    families.push_back({name, MaskPropagation::kKeras316});
  }
  return families;
}

std::string name_of(const testing::TestParamInfo<Family>& family) {
  return family.param.name +
         (family.param.rule == MaskPropagation::kKeras315 ? "_keras315" : "_keras316");
}

class Conformance : public testing::TestWithParam<Family> {};

TEST_P(Conformance, EqualsTheRecordedNumbers) {
  const auto& [name, rule] = GetParam();
  const Value fixture = test::read_fixture("layers/" + name + ".json");
  Value changes;
  if (rule == MaskPropagation::kKeras316) {
    const Value overlay = test::read_fixture("next-3.16/layers_masks.json");
    if (const Value* family = at(overlay, "families").find(name)) changes = *family;
  }
  const List& cases = at(fixture, "cases").as_list("cases");
  EXPECT_GT(cases.size(), 0U);
  for (const Value& recorded : cases) {
    const std::string& title = at(recorded, "name").as_string("name");
    const std::string problem = recorded.find("fn") != nullptr
                                    ? test::check_activation(recorded)
                                    : test::check_case(recorded, changes.find(title), rule);
    EXPECT_EQ(problem, "") << title;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Conformance, testing::ValuesIn(all_families()), name_of);

TEST(ConformanceFixtures, Exist) {
  EXPECT_GE(test::fixture_names("layers").size(), 11U);
  std::size_t cases = 0;
  for (const std::string& name : test::fixture_names("layers")) {
    cases += at(test::read_fixture("layers/" + name + ".json"), "cases").as_list("cases").size();
  }
  EXPECT_GE(cases, 1300U);
}

}  // namespace
}  // namespace maskflow
