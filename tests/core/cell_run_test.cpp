// SPDX-License-Identifier: MIT
// A cell has one run at a time.
#include "rnn/cell_run.hpp"

#include <gtest/gtest.h>

#include "ops/frame.hpp"
#include "support/errors.hpp"

namespace maskflow {
namespace {

using test::fails_with;

// A cell that counts its runs, with other cells inside.
class CountingCell final : public RnnCell {
 public:
  explicit CountingCell(std::vector<RnnCell*> inside = {}) : inside_(std::move(inside)) {}
  [[nodiscard]] std::string cell_name() const override { return "counts"; }
  [[nodiscard]] std::vector<RnnCell*> inner_cells() override { return inside_; }
  [[nodiscard]] std::vector<std::size_t> state_sizes() const override { return {1}; }
  [[nodiscard]] std::size_t output_size() const override { return 1; }
  [[nodiscard]] std::size_t features() const override { return 1; }
  [[nodiscard]] std::size_t projected_width() const override { return 1; }
  void project(const kernels::Rows& /*inputs*/, std::size_t /*count*/,
               float* /*projected*/) override {}
  const float* step(float* projected, const StepLanes& /*lanes*/,
                    std::span<float* const> /*states*/) override {
    return projected;
  }
  void begin(std::size_t lanes, Frame& /*frame*/) override {
    if (lanes == 0) state_error("no lanes");
    ++begun;
  }
  int begun = 0;

 private:
  std::vector<RnnCell*> inside_;
};

testing::AssertionResult is_refused(RnnCell& cell) {
  Frame frame;
  return fails_with(ErrorKind::kState, {"cell 'counts' is called by code", "use another cell"},
                    [&] { const CellRun run(cell, 1, frame); });
}

TEST(CellRun, ASecondRunOfACellIsRefusedBeforeItBegins) {
  Frame frame;
  CountingCell cell;
  {
    const CellRun run(cell, 1, frame);
    EXPECT_TRUE(is_refused(cell));
    EXPECT_EQ(cell.begun, 1);
  }
  const CellRun later(cell, 1, frame);
  EXPECT_EQ(cell.begun, 2);
}

TEST(CellRun, ARunOfAStackIsOneOfEachOfItsCells) {
  Frame frame;
  CountingCell shared;
  CountingCell stack({&shared, &shared});
  CountingCell other({&shared});
  const CellRun run(stack, 1, frame);
  EXPECT_TRUE(is_refused(shared));
  EXPECT_TRUE(is_refused(other));
}

TEST(CellRun, ARunThatCannotBeginLeavesTheCellFree) {
  Frame frame;
  CountingCell cell;
  EXPECT_TRUE(
      fails_with(ErrorKind::kState, {"no lanes"}, [&] { const CellRun run(cell, 0, frame); }));
  const CellRun run(cell, 1, frame);
  EXPECT_EQ(cell.begun, 1);
}

}  // namespace
}  // namespace maskflow
