// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "base/index.hpp"

namespace maskflow {

using Dim = std::int64_t;
constexpr Dim kUnknown = -1;  // Keras's None: known only when data comes
constexpr int kMaxRank = 8;

// Dimensions, outermost first. No allocation: shapes are made by the dozen in every call.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<Dim> dims);
  explicit Shape(std::span<const Dim> dims);

  [[nodiscard]] int rank() const { return rank_; }
  // Negative axes count from the end; out of range is a ShapeError.
  [[nodiscard]] Dim operator[](int axis) const;
  void set(int axis, Dim dim);
  void push_back(Dim dim);
  void insert(int axis, Dim dim);  // before `axis`; axis == rank appends
  void erase(int axis);
  [[nodiscard]] Dim back() const { return (*this)[-1]; }
  [[nodiscard]] std::span<const Dim> dims() const {
    return {dims_.data(), static_cast<std::size_t>(rank_)};
  }
  [[nodiscard]] bool known() const;  // no dimension is kUnknown
  // Product of all dimensions, of those before, and of those from `axis` on.
  [[nodiscard]] Dim size() const { return size_between(0, rank_); }
  [[nodiscard]] Dim size_between(int first, int last) const;
  [[nodiscard]] Shape first(int count) const;
  [[nodiscard]] Shape from(int axis) const;
  bool operator==(const Shape& other) const;

 private:
  std::array<Dim, kMaxRank> dims_{};
  int rank_ = 0;
};

// Maps a possibly negative axis to 0 .. rank-1, or throws a ShapeError that names `what`.
[[nodiscard]] int normalize_axis(Dim axis, int rank, const char* what = "axis");
// NumPy's broadcasting rule; kUnknown against anything but 1 stays what the other says.
[[nodiscard]] Shape broadcast(const Shape& a, const Shape& b);
[[nodiscard]] bool broadcastable(const Shape& a, const Shape& b);
// Is `to` what `from` becomes in it?
[[nodiscard]] bool broadcasts_to(const Shape& from, const Shape& to);
// "(3, None, 4)"
void append_text(std::string& out, const Shape& shape);

}  // namespace maskflow
