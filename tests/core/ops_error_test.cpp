// SPDX-License-Identifier: MIT
// Errors of ops and their messages, and defined results for empty tensors, overflow and NaN.
#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.hpp"
#include "support/op_cases.hpp"

namespace maskflow {
namespace {

using test::dict;
using test::fails_with;
using test::floats;
using test::ints;
using test::list;
using test::same_bits;

const Tensor& matrix() {
  static const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  return x;
}

testing::AssertionResult refused(const char* op, const Tensors& operands, const Dict& attributes,
                                 ErrorKind kind, std::initializer_list<std::string> parts) {
  const auto result =
      fails_with(kind, parts, [&] { static_cast<void>(apply_op(op, operands, attributes)); });
  if (!result) return result;
  // The message begins with the name of the op, as it does for a layer.
  return fails_with(kind, {op}, [&] { static_cast<void>(apply_op(op, operands, attributes)); });
}

constexpr auto kShape = ErrorKind::kShape;
constexpr auto kValue = ErrorKind::kValue;
constexpr auto kConfig = ErrorKind::kConfig;

TEST(OpErrors, UnknownNamesAndSettings) {
  EXPECT_TRUE(refused("NoSuchOp", {}, {}, kConfig, {"NoSuchOp"}));
  EXPECT_TRUE(refused("Sum", {matrix()}, dict({{"axes", 0}}), kConfig, {"axes"}));
  EXPECT_TRUE(refused("Cast", {matrix()}, {}, kValue, {"dtype"}));
  EXPECT_TRUE(refused("Cast", {matrix()}, dict({{"dtype", "float64"}}), ErrorKind::kUnsupported,
                      {"float64", "float32", "int32", "bool"}));
  EXPECT_TRUE(refused("Sum", {matrix()}, dict({{"axis", "time"}}), kConfig, {"axis", "time"}));
  EXPECT_TRUE(refused("Sum", {matrix()}, dict({{"axis", 0.5}}), kConfig, {"axis", "0.5"}));
}

TEST(OpErrors, WrongNumberOfTensors) {
  EXPECT_TRUE(refused("Add", {matrix()}, {}, kValue, {"2", "1"}));
  EXPECT_TRUE(refused("Where", {matrix(), matrix()}, {}, kValue, {"3", "2"}));
  EXPECT_TRUE(refused("Exp", {}, {}, kValue, {"1", "0"}));
  EXPECT_TRUE(refused("Exp", {matrix(), matrix()}, {}, kValue, {"1", "2"}));
  EXPECT_TRUE(refused("Zeros", {matrix()}, dict({{"shape", list({1})}}), kValue, {"0", "1"}));
  EXPECT_TRUE(refused("Exp", {Tensor()}, {}, kValue, {"empty"}));
  EXPECT_TRUE(refused("Concatenate", {}, {}, kValue, {"no tensors to join"}));
  EXPECT_TRUE(refused("Stack", {}, {}, kValue, {"no tensors to stack"}));
}

TEST(OpErrors, IncompatibleShapesAreBothNamed) {
  const Tensor other = floats({2, 2}, {1, 2, 3, 4});
  for (const char* op : {"Add", "Equal", "LogicalAnd", "Divide"}) {
    EXPECT_TRUE(refused(op, {matrix(), other}, {}, kShape, {"(2, 3)", "(2, 2)"}));
  }
  EXPECT_TRUE(refused("Where", {matrix(), other, other}, {}, kShape, {"(2, 3)", "(2, 2)"}));
  EXPECT_TRUE(refused("Matmul", {matrix(), other}, {}, kShape, {"(2, 3)", "(2, 2)", "3", "2"}));
  EXPECT_TRUE(refused("Matmul", {matrix(), test::scalar(1)}, {}, kShape, {"single numbers"}));
  EXPECT_TRUE(refused("Concatenate", {matrix(), other}, dict({{"axis", 0}}), kShape,
                      {"(2, 3)", "(2, 2)", "axis 0"}));
  EXPECT_TRUE(refused("Stack", {matrix(), other}, {}, kShape, {"(2, 3)", "(2, 2)"}));
  EXPECT_TRUE(refused("BroadcastTo", {matrix()}, dict({{"shape", list({3, 2})}}), kShape,
                      {"(2, 3)", "(3, 2)"}));
  EXPECT_TRUE(refused("TakeAlongAxis", {matrix(), ints({3, 1}, {0, 0, 0})}, dict({{"axis", -1}}),
                      kShape, {"(3, 1)", "(2, 1)"}));
  EXPECT_TRUE(refused("TakeAlongAxis", {matrix(), ints({2}, {0, 0})}, dict({{"axis", -1}}), kShape,
                      {"(2,)", "(2, 3)"}));
}

TEST(OpErrors, AxesOutOfRange) {
  for (const char* op : {"Sum", "Max", "Any", "Cumsum", "Flip", "Softmax", "Split", "Unstack"}) {
    Dict attributes = dict({{"axis", 2}});
    if (std::string(op) == "Split") attributes["indices_or_sections"] = 1;
    EXPECT_TRUE(refused(op, {matrix()}, attributes, kShape, {"2", "rank 2", "-2 to 1"}));
  }
  EXPECT_TRUE(refused("ExpandDims", {matrix()}, dict({{"axis", 4}}), kShape, {"4", "rank 3"}));
  EXPECT_TRUE(refused("Squeeze", {matrix()}, dict({{"axis", 1}}), kShape, {"axis 1", "size 3"}));
  EXPECT_TRUE(refused("Softmax", {Tensor::zeros(DType::kFloat32, {2, 0})}, dict({{"axis", 2}}),
                      kShape, {"2", "rank 2"}));
  EXPECT_TRUE(refused("ExpandDims", {matrix()}, dict({{"axis", list({0, 0})}}), kValue, {"twice"}));
  EXPECT_TRUE(refused("Sum", {matrix()}, dict({{"axis", list({0, -2})}}), kValue, {"twice"}));
  EXPECT_TRUE(refused("Moveaxis", {matrix()},
                      dict({{"source", list({0, 0})}, {"destination", list({0, 1})}}), kValue,
                      {"twice"}));
  EXPECT_TRUE(refused("Moveaxis", {matrix()}, dict({{"source", list({0, 1})}, {"destination", 0}}),
                      kValue, {"2", "1"}));
  EXPECT_TRUE(refused("Transpose", {matrix()}, dict({{"axes", list({0, 0})}}), kValue, {"once"}));
  EXPECT_TRUE(refused("Transpose", {matrix()}, dict({{"axes", list({0})}}), kValue, {"once"}));
}

TEST(OpErrors, IndicesAndSlicesOutOfRange) {
  EXPECT_TRUE(
      refused("Take", {matrix(), ints({1}, {2})}, dict({{"axis", 0}}), kValue, {"2", "-2 to 1"}));
  EXPECT_TRUE(
      refused("Take", {matrix(), ints({1}, {-3})}, dict({{"axis", 0}}), kValue, {"-3", "-2 to 1"}));
  EXPECT_TRUE(refused("TakeAlongAxis", {matrix(), ints({2, 1}, {0, 3})}, dict({{"axis", 1}}),
                      kValue, {"3"}));
  EXPECT_TRUE(refused("GetItem", {matrix()}, dict({{"key", list({0, 3})}}), kShape, {"index 3"}));
  EXPECT_TRUE(refused("GetItem", {matrix()}, dict({{"key", list({0, 0, 0})}}), kShape, {"3", "2"}));
  EXPECT_TRUE(
      refused("GetItem", {matrix()}, dict({{"key", dict({{"step", 0}})}}), kValue, {"step"}));
  EXPECT_TRUE(refused("Slice", {matrix()},
                      dict({{"start_indices", list({0, 2})}, {"shape", list({1, 2})}}), kShape,
                      {"2 to 4", "axis 1", "(2, 3)"}));
  EXPECT_TRUE(refused("Slice", {matrix()},
                      dict({{"start_indices", list({0})}, {"shape", list({1})}}), kShape,
                      {"2 axes"}));
  const auto columns = [](double start, double size) {
    return dict({{"start_indices", list({0, start})}, {"shape", list({-1, size})}});
  };
  EXPECT_TRUE(refused("Slice", {matrix()}, columns(4, -1), kShape, {"4 to 3", "axis 1", "(2, 3)"}));
  EXPECT_TRUE(refused("Slice", {matrix()}, columns(-1, -1), kShape, {"-1 to 3", "axis 1"}));
  EXPECT_TRUE(refused("Slice", {matrix()}, columns(1, -2), kShape, {"1 to -1", "axis 1"}));
  // The largest integers that settings can be.
  const double large = 9007199254740992;
  for (const double size : {-1.0, 1.0, large}) {
    EXPECT_TRUE(refused("Slice", {matrix()}, columns(large, size), kShape,
                        {"9007199254740992 to", "axis 1"}));
    EXPECT_TRUE(refused("Slice", {matrix()}, columns(-large, size), kShape,
                        {"-9007199254740992 to", "axis 1"}));
  }
}

TEST(OpErrors, ImpossibleReshapes) {
  const auto reshape = [](const List& shape) { return dict({{"newshape", shape}}); };
  EXPECT_TRUE(refused("Reshape", {matrix()}, reshape(list({4})), kShape, {"(2, 3)", "(4,)", "6"}));
  EXPECT_TRUE(refused("Reshape", {matrix()}, reshape(list({4, -1})), kShape, {"6", "4"}));
  EXPECT_TRUE(refused("Reshape", {matrix()}, reshape(list({-1, -1})), kShape, {"two"}));
  EXPECT_TRUE(refused("Reshape", {matrix()}, reshape(list({-2, 3})), kShape, {"-2"}));
  EXPECT_TRUE(refused("Reshape", {matrix()}, reshape(list({0, -1})), kShape, {"0"}));
  // The product of the sizes overflows 64 bits.
  EXPECT_TRUE(
      refused("Reshape", {matrix()}, reshape(list({0x1p40, 0x1p40, -1})), kShape, {"many"}));
  EXPECT_TRUE(refused("Zeros", {}, dict({{"shape", list({0x1p20, 0x1p20})}}), kShape, {"many"}));
  EXPECT_TRUE(refused("Zeros", {}, dict({{"shape", list({-3})}}), kShape, {"negative"}));
}

TEST(OpErrors, ImpossibleNumbers) {
  EXPECT_TRUE(refused("Split", {matrix()}, dict({{"indices_or_sections", 4}, {"axis", 1}}), kShape,
                      {"size 3", "4"}));
  EXPECT_TRUE(refused("Repeat", {matrix()}, dict({{"repeats", -1}}), kValue, {"-1"}));
  EXPECT_TRUE(refused("Tile", {matrix()}, dict({{"repeats", list({-2})}}), kValue, {"-2"}));
  EXPECT_TRUE(refused("Pad", {matrix()}, dict({{"pad_width", -1}}), kValue, {"-1"}));
  EXPECT_TRUE(refused("OneHot", {ints({1}, {0})}, dict({{"num_classes", 0}}), kValue, {"0"}));
  EXPECT_TRUE(refused("Arange", {}, dict({{"start", 1}, {"step", 0}}), kValue, {"step"}));
  EXPECT_TRUE(refused("Arange", {}, dict({{"start", 1e12}}), kValue, {"too many"}));
  EXPECT_TRUE(
      refused("Linspace", {}, dict({{"start", 0}, {"stop", 1}, {"num", -1}}), kValue, {"-1"}));
  for (const char* op : {"Max", "Min", "Argmax", "Argmin"}) {
    EXPECT_TRUE(refused(op, {floats({0}, {})}, {}, kValue, {"size 0"}));
  }
}

// --- edges
// -----------------------------------------------------------------------------------------

TEST(OpEdges, ProductOverAnEmptyAxisIsZero) {
  const Tensor nothing = apply_op1("Matmul", std::array{floats({2, 0}, {}), floats({0, 3}, {})});
  EXPECT_TRUE(same_bits(nothing, Tensor::zeros(DType::kFloat32, {2, 3})));
  const Tensor batch =
      apply_op1("Matmul", std::array{floats({2, 2, 0}, {}), floats({2, 0, 1}, {})});
  EXPECT_TRUE(same_bits(batch, Tensor::zeros(DType::kFloat32, {2, 2, 1})));
}

TEST(OpEdges, ReductionsOfEmptyAxes) {
  const Tensor empty = floats({2, 0}, {});
  const Dict last = dict({{"axis", -1}});
  EXPECT_TRUE(same_bits(apply_op1("Sum", std::array{empty}, last), floats({2}, {0, 0})));
  EXPECT_TRUE(same_bits(apply_op1("Prod", std::array{empty}, last), floats({2}, {1, 1})));
  EXPECT_TRUE(std::isnan(apply_op1("Mean", std::array{empty}, {}).data<float>()[0]));
  EXPECT_EQ(apply_op1("All", std::array{empty}).data<std::uint8_t>()[0], 1);
  EXPECT_EQ(apply_op1("Any", std::array{empty}).data<std::uint8_t>()[0], 0);
  EXPECT_EQ(apply_op1("Sum", std::array{empty}, dict({{"axis", 0}})).shape(), (Shape{0}));
}

// Each axis in turn has size 0: an op must not read an element, and must return the correct shape.
TEST(OpEdges, UnaryOpsAcceptEmptyTensors) {
  for (const test::OpCase& c : test::op_cases()) {
    if (c.operands.size() != 1 || c.expected.size() != 1) continue;
    const Shape& shape = c.operands[0].shape();
    for (int axis = 0; axis < shape.rank(); ++axis) {
      Shape empty = shape;
      empty.set(axis, 0);
      const Tensor x = Tensor::zeros(c.operands[0].dtype(), empty);
      SCOPED_TRACE(text(c.op, " ", Value(c.attributes), " of ", empty));
      try {
        static_cast<void>(apply_op(c.op, std::array{x}, c.attributes));
      } catch (const Error&) {  // Many ops refuse empty tensors, which is allowed.
      }
    }
  }
}

TEST(OpEdges, IntegersWrapAsInNumpy) {
  const Tensor least = ints({1}, {INT32_MIN});
  const Tensor max = ints({1}, {INT32_MAX});
  const Tensor one = ints({1}, {1});
  const auto of = [](const char* op, const Tensors& x) {
    return apply_op1(op, x).data<std::int32_t>()[0];
  };
  EXPECT_EQ(of("Add", {max, one}), INT32_MIN);
  EXPECT_EQ(of("Subtract", {least, one}), INT32_MAX);
  EXPECT_EQ(of("Multiply", {max, max}), 1);
  EXPECT_EQ(of("Negative", {least}), INT32_MIN);
  EXPECT_EQ(of("Absolute", {least}), INT32_MIN);
  EXPECT_EQ(of("Square", {max}), 1);
  EXPECT_EQ(of("Power", {ints({1}, {3}), ints({1}, {41})}), 2069870691);
}

TEST(OpEdges, FunctionsPropagateNan) {
  const Tensor nan = floats({5}, {NAN, NAN, NAN, NAN, NAN});
  for (const test::OpCase& c : test::unary_cases()) {
    // Threshold compares, which is false for NaN; the others test for NaN or cannot contain it.
    if (c.op == "Threshold" || c.expected[0].dtype() != DType::kFloat32 || c.op == "Cast") continue;
    const Tensor y = apply_op(c.op, std::array{nan}, c.attributes).front();
    for (const float v : y.data<float>()) EXPECT_TRUE(std::isnan(v)) << c.op << " gives " << v;
  }
}

}  // namespace
}  // namespace maskflow
