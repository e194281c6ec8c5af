// SPDX-License-Identifier: MIT
// Every op by example, and properties of all ops.
#include <gtest/gtest.h>

#include <set>

#include "layers/core/input_layer.hpp"
#include "support/layers.hpp"
#include "support/op_cases.hpp"

namespace maskflow {
namespace {

using test::OpCase;

std::string title(const OpCase& c) { return text(c.op, " ", Value(c.attributes)); }

// Calls f(case) for every example; an Error counts as a failure and does not end the test.
template <class F>
void for_cases(F&& f) {
  for (const OpCase& c : test::op_cases()) {
    SCOPED_TRACE(title(c));
    try {
      f(c);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(Ops, HaveAnExampleEach) {
  std::set<std::string> shown;
  for (const OpCase& c : test::op_cases()) shown.insert(c.op);
  for (const OpDef* op : all_ops()) {
    EXPECT_TRUE(shown.contains(std::string(op->name)))
        << op->name << " has no example in tests/core/support/op_cases_*.cpp";
  }
  EXPECT_GE(all_ops().size(), 100U);
}

TEST(Ops, ResultsEqualTheExamples) {
  for_cases([](const OpCase& c) {
    const Tensors got = apply_op(c.op, c.operands, c.attributes);
    ASSERT_EQ(got.size(), c.expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_TRUE(test::close(got[i], c.expected[i])) << "result " << i;
    }
  });
}

TEST(Ops, ResultsCarryNoMask) {
  for_cases([](const OpCase& c) {
    Tensors operands;
    for (const Tensor& operand : c.operands) {
      const Tensor ones = Tensor::full(DType::kBool, operand.shape(), 1);
      operands.push_back(operand.with_mask(make_mask(ones)));
    }
    for (const Tensor& result : apply_op(c.op, operands, c.attributes)) {
      EXPECT_EQ(result.mask(), nullptr);
    }
  });
}

TEST(Ops, OperandsStayUnchanged) {
  for_cases([](const OpCase& c) {
    Tensors copies;
    for (const Tensor& operand : c.operands) {
      copies.push_back(Tensor(operand.dtype(), operand.shape()));
      std::copy_n(operand.raw(), operand.bytes(), copies.back().mutable_raw());
    }
    static_cast<void>(apply_op(c.op, c.operands, c.attributes));
    for (std::size_t i = 0; i < copies.size(); ++i) {
      EXPECT_TRUE(test::same_bits(c.operands[i], copies[i])) << "operand " << i;
    }
  });
}

// The symbolic result of an op has the shape and dtype of the computed one.
TEST(Ops, SymbolicSpecsEqualThoseOfResults) {
  for_cases([](const OpCase& c) {
    if (c.operands.empty()) return;
    Tensors symbols;
    for (const Tensor& operand : c.operands) {
      symbols.push_back(input_symbol(operand.spec()));
    }
    const Tensors got = apply_op(c.op, symbols, c.attributes);
    ASSERT_EQ(got.size(), c.expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_TRUE(got[i].is_symbolic());
      EXPECT_EQ(text(got[i].dtype(), got[i].shape()),
                text(c.expected[i].dtype(), c.expected[i].shape()));
    }
  });
}

}  // namespace
}  // namespace maskflow
