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
// A dimension that is not known before there is data, as None in Keras.
constexpr Dim kUnknown = -1;
constexpr int kMaxRank = 8;

// Dimensions, outermost first. Stored in place, because each call creates dozens of shapes.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<Dim> dims);
  explicit Shape(std::span<const Dim> dims);

  [[nodiscard]] int rank() const { return rank_; }
  // Returns a dimension. Negative axes count from the end; an axis out of range is a ShapeError.
  [[nodiscard]] Dim operator[](int axis) const;
  void set(int axis, Dim dim);
  void push_back(Dim dim);
  void insert(int axis, Dim dim);  // Inserts a dimension before `axis`; axis == rank appends it.
  void erase(int axis);
  [[nodiscard]] Dim back() const { return (*this)[-1]; }
  [[nodiscard]] std::span<const Dim> dims() const { return {dims_.data(), at(rank_)}; }
  [[nodiscard]] bool known() const;  // Returns whether no dimension is kUnknown.
  // Return the number of elements, and the product of the dimensions from `first` to `last` - 1.
  // They throw ShapeError for unknown dimensions and for a product above kMaxElements.
  [[nodiscard]] Dim size() const { return size_between(0, rank_); }
  [[nodiscard]] Dim size_between(int first, int last) const;
  // Return a dimension, and these products, as sizes of arrays. All dimensions must be known.
  [[nodiscard]] std::size_t length(int axis) const { return at((*this)[axis]); }
  [[nodiscard]] std::size_t elements() const { return at(size()); }
  [[nodiscard]] std::size_t elements_between(int first, int last) const {
    return at(size_between(first, last));
  }
  [[nodiscard]] Shape first(int count) const;  // Returns the first `count` dimensions.
  [[nodiscard]] Shape from(int axis) const;    // Returns the dimensions from `axis` on.
  bool operator==(const Shape& other) const;

 private:
  std::array<Dim, kMaxRank> dims_{};
  int rank_ = 0;
};

// Maps a possibly negative axis to 0 .. rank - 1; throws a ShapeError that begins with `name`.
[[nodiscard]] int normalize_axis(Dim axis, int rank, const char* name = "axis");
// Applies NumPy's broadcasting rule. The broadcast of kUnknown and a dimension other than 1 is the
// latter.
[[nodiscard]] Shape broadcast(const Shape& a, const Shape& b);
[[nodiscard]] bool broadcastable(const Shape& a, const Shape& b);
// Returns whether `from` can be broadcast to exactly `to`.
[[nodiscard]] bool broadcasts_to(const Shape& from, const Shape& to);
// Appends "(3, None, 4)".
void append_text(std::string& out, const Shape& shape);

}  // namespace maskflow
