// SPDX-License-Identifier: MIT
// Einstein's summation: subscripts such as "abc,cd->abd" and the rearranging of axes they ask for.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.hpp"

namespace maskflow {

// A label for each axis. '...' stands for as many axes as an operand has more than letters; they
// get digits for labels.
class Subscripts {
 public:
  // "ab,bc->ac"; without an arrow the result has the labels that occur once, in alphabetical order.
  // ConfigError for what is not of that form, ShapeError where a rank does not fit.
  Subscripts(std::string_view equation, std::span<const int> ranks);

  // Takes the sizes of the labels of an operand from its shape. Sizes of 1 broadcast, unknown ones
  // are found out elsewhere; ShapeError where two differ.
  void measure(std::size_t operand, const Shape& shape);
  [[nodiscard]] const std::string& operand(std::size_t index) const { return operands_[index]; }
  [[nodiscard]] const std::string& result() const { return result_; }
  [[nodiscard]] std::size_t elided() const { return elided_; }  // axes that '...' stands for
  [[nodiscard]] Dim size_of(char label) const { return sizes_[index_of(label)]; }
  [[nodiscard]] Shape shape_of(std::string_view labels) const;
  [[nodiscard]] Dim count(std::string_view labels) const;  // the product of the sizes

  // x, which has these labels, with its axes in another order; an axis for a repeated label is the
  // diagonal.
  [[nodiscard]] Tensor arranged(const Tensor& x, std::string_view labels,
                                std::string_view order) const;

 private:
  static std::size_t index_of(char label) { return static_cast<unsigned char>(label) % 128U; }
  std::string_view equation_;
  std::vector<std::string> operands_;
  std::string result_;
  std::size_t elided_ = 0;
  std::array<Dim, 128> sizes_;  // 1 until measured
};

// The labels of a product of two tensors by what becomes of them.
struct LabelGroups {
  // In both and kept: one product for each. In a alone and kept. In both and summed over. In b
  // alone and kept.
  std::string batch, rows, summed, columns;
  std::string lone_a, lone_b;  // in one alone and not kept: summed over first

  LabelGroups(std::string_view a, std::string_view b, std::string_view kept);
};

}  // namespace maskflow
