// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/memory.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace maskflow {
namespace {

using test::dict;
using test::fails_with;
using test::list;
using test::Rng;
using test::same_bits;

struct Fixture {
  LayerPtr layer = test::make("LSTM", {{"units", 3}, {"return_sequences", true}});
  Tensor x;

  Fixture() {
    Rng rng(1);
    test::randomize(*layer, rng, {1, 4, 2});
    x = test::random_floats(rng, {5, 4, 2});
  }
  [[nodiscard]] Args args() const {
    Args result;
    result.inputs = {x};
    return result;
  }
};

TEST(Predict, ResultDoesNotDependOnBatchSize) {
  const Fixture f;
  const std::vector<std::uint8_t> keep{1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1};
  Args args = f.args();
  args.inputs = {test::masked(f.x, keep)};
  const Tensor wanted = predict(*f.layer, args, 0).tensors.front();
  EXPECT_TRUE(same_bits(wanted, (*f.layer)(args.inputs.front())));
  EXPECT_EQ(wanted.mask(), nullptr) << "predict gives plain numbers";
  for (const Dim size : {1, 2, 3, 4, 5, 9}) {
    EXPECT_TRUE(same_bits(predict(*f.layer, args, size).tensors.front(), wanted)) << "by " << size;
  }
}

TEST(Predict, ExplicitMaskIsSplitUnlessItHasOneRow) {
  const Fixture f;
  for (const Dim rows : {Dim{1}, Dim{5}}) {
    Args args = f.args();
    Rng rng(2);
    const auto keep = test::random_keep(rng, static_cast<int>(rows), 4);
    args.mask = Masks{test::mask_of({rows, 4}, keep)};
    EXPECT_TRUE(same_bits(predict(*f.layer, args, 2).tensors.front(), f.layer->apply(args).front()))
        << rows;
  }
}

TEST(Predict, InputsNeedEqualRowCounts) {
  const Fixture f;
  Args args = f.args();
  const Tensor three = Tensor::zeros(DType::kFloat32, {3, 3});
  args.tensors.push_back({"initial_state", {three, three}, true});
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"5", "3", "rows"},
                         [&] { static_cast<void>(predict(*f.layer, args, 2)); }));
  args = f.args();
  args.mask = Masks{test::mask_of({3, 4}, std::vector<std::uint8_t>(12, 1))};
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(3, 4)"},
                         [&] { static_cast<void>(predict(*f.layer, args, 2)); }));
  args.inputs = {test::scalar(1)};
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"batch axis"},
                         [&] { static_cast<void>(predict(*f.layer, args, 2)); }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"at least one input"},
                         [&] { static_cast<void>(predict(*f.layer, Args(), 2)); }));
}

TEST(Predict, OutputsWithoutABatchAxisCannotBeJoined) {
  const Tensor x = test::input({kUnknown, 2});
  const auto model = test::functional({x}, {apply_op1("Transpose", std::array{x})});
  Args args;
  args.inputs = {Tensor::zeros(DType::kFloat32, {5, 2})};
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(2, 2)", "(2, 1)", "batch"},
                         [&] { static_cast<void>(predict(*model, args, 2)); }));
}

// The layers return more rows than they receive, or fewer.
TEST(Predict, BatchesOfAnyRowCountAreJoined) {
  const Tensor x = test::input({kUnknown, 2, 2});
  const Tensor more = apply_op1("Reshape", std::array{x}, dict({{"newshape", list({-1, 2})}}));
  const Tensor fewer = apply_op1("Sum", std::array{x}, dict({{"axis", 0}, {"keepdims", true}}));
  const auto model = test::functional({x}, {more, fewer});
  Rng rng(3);
  Args args;
  args.inputs = {test::random_floats(rng, {5, 2, 2})};
  const Tensors joined = predict(*model, args, 2).tensors;
  EXPECT_TRUE(same_bits(joined[0], args.inputs[0].reshaped({10, 2})));
  EXPECT_EQ(joined[1].shape(), (Shape{3, 2, 2}));
}

// Batches write into the final result: joining them makes no second copy.
TEST(Predict, StoresItsResultsOnce) {
  const Tensor x = test::input({kUnknown, 1});
  const auto model = test::functional(
      {x}, {apply_op1("Repeat", std::array{x}, dict({{"repeats", 256}, {"axis", 1}}))});
  Args args;
  args.inputs = {Tensor::zeros(DType::kFloat32, {1024, 1})};
  const MemoryRoom room(1024 * 257 * 4 + 100'000, "that is enough");
  EXPECT_EQ(predict(*model, args, 8).tensors.front().shape(), (Shape{1024, 256}));
}

TEST(Predict, EmptyBatchReturnsNoRows) {
  const Fixture f;
  Args args;
  args.inputs = {Tensor::zeros(DType::kFloat32, {0, 4, 2})};
  EXPECT_EQ(predict(*f.layer, args, 2).tensors.front().shape(), (Shape{0, 4, 3}));
}

}  // namespace
}  // namespace maskflow
