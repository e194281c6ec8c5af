// SPDX-License-Identifier: MIT
// Einstein summation: subscripts such as "abc,cd->abd", and tensors rearranged by them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.hpp"

namespace maskflow {

// A label for each axis. '...' stands for the axes that an operand has in addition to its letters;
// their labels are digits.
class Subscripts {
 public:
  // Parses "ab,bc->ac". Without an arrow, the result has the labels that occur once, in
  // alphabetical order. Throws ConfigError for another form, and ShapeError for a rank that does
  // not fit.
  Subscripts(std::string_view equation, std::span<const int> ranks);

  // Records the sizes of an operand's labels. Sizes of 1 broadcast; an unknown size may become
  // known by another operand. Throws ShapeError if two sizes differ.
  void measure(std::size_t operand, const Shape& shape);
  [[nodiscard]] const std::string& operand(std::size_t index) const { return operands_[index]; }
  [[nodiscard]] const std::string& result() const { return result_; }
  // Returns the number of axes that '...' stands for.
  [[nodiscard]] std::size_t elided() const { return elided_; }
  [[nodiscard]] Dim size_of(char label) const { return sizes_[index_of(label)]; }
  [[nodiscard]] Shape shape_of(std::string_view labels) const;
  // Returns the product of the sizes of these labels.
  [[nodiscard]] Dim count(std::string_view labels) const;

  // Reorders the axes of x, which have these labels. For a repeated label, returns the diagonal.
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

// The labels of a product of two tensors, grouped by their role.
struct LabelGroups {
  std::string batch;    // Labels in both, and kept: one product for each index.
  std::string rows;     // Labels only in a, and kept.
  std::string summed;   // Labels in both, and summed over.
  std::string columns;  // Labels only in b, and kept.
  // Labels only in one and not kept, which are summed over before the product.
  std::string lone_a, lone_b;

  LabelGroups(std::string_view a, std::string_view b, std::string_view kept);
};

}  // namespace maskflow
