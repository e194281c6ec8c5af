// SPDX-License-Identifier: MIT
#include "tensor/shape.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "tensor/dtype.hpp"
#include "tensor/stand_in.hpp"

namespace maskflow {

std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return "bool";
    case DType::kInt32:
      return "int32";
    case DType::kFloat32:
      break;
  }
  return "float32";
}

DType dtype_of(std::string_view name) {
  for (const DType dtype : {DType::kFloat32, DType::kInt32, DType::kBool}) {
    if (name == name_of(dtype)) return dtype;
  }
  unsupported_error("dtype '", name, "' is not supported; use 'float32', 'int32' or 'bool'");
}

Shape::Shape(std::initializer_list<Dim> dims) : Shape(std::span(dims.begin(), dims.size())) {}

Shape::Shape(std::span<const Dim> dims) {
  for (const Dim dim : dims) push_back(dim);
}

Dim Shape::operator[](int axis) const { return dims_[at(normalize_axis(axis, rank_))]; }

namespace {

Dim checked(Dim dim) {
  if (dim > kMaxElements) {
    shape_error("a dimension of ", dim, " is too large; the largest is ", kMaxElements);
  }
  return dim;
}

}  // namespace

void Shape::set(int axis, Dim dim) { dims_[at(normalize_axis(axis, rank_))] = checked(dim); }

void Shape::push_back(Dim dim) { insert(rank_, dim); }

void Shape::insert(int axis, Dim dim) {
  if (rank_ == kMaxRank) shape_error("a tensor has at most ", kMaxRank, " dimensions");
  const auto position = dims_.begin() + normalize_axis(axis, rank_ + 1);
  std::copy_backward(position, dims_.begin() + rank_, dims_.begin() + rank_ + 1);
  *position = checked(dim);
  ++rank_;
}

void Shape::erase(int axis) {
  const auto position = dims_.begin() + normalize_axis(axis, rank_);
  std::copy(position + 1, dims_.begin() + rank_, position);
  --rank_;
}

bool Shape::known() const {
  return std::none_of(dims().begin(), dims().end(), [](Dim d) { return d == kUnknown; });
}

// Returns a product of dimensions. As in NumPy, the product of the non-zero dimensions must fit
// even if a dimension is 0, because loops over some of the axes count them.
Dim Shape::size_between(int first, int last) const {
  Dim product = 1;
  bool empty = false;
  for (int axis = first; axis < last; ++axis) {
    const Dim dim = dims_[at(axis)];
    empty = empty || dim == 0;
    if (dim == 0) continue;
    if (dim == kUnknown) {
      shape_error("shape ", *this, " has unknown dimensions, but data needs all of them");
    }
    if (dim < 0) shape_error("shape ", *this, " has a negative dimension");
    if (product > kMaxElements / dim) {
      shape_error("shape ", *this, " has too many elements; the maximum is ", kMaxElements);
    }
    product *= dim;
  }
  return empty ? 0 : product;
}

Shape Shape::first(int count) const { return Shape(dims().first(at(count))); }

Shape Shape::from(int axis) const { return Shape(dims().subspan(at(axis))); }

bool Shape::operator==(const Shape& other) const {
  return std::equal(dims().begin(), dims().end(), other.dims().begin(), other.dims().end());
}

int normalize_axis(Dim axis, int rank, const char* name) {
  const Dim index = axis < 0 ? axis + rank : axis;
  if (index < 0 || index >= rank) {
    shape_error(name, " ", axis, " is out of range for rank ", rank, "; use ", -rank, " to ",
                rank - 1);
  }
  return static_cast<int>(index);
}

namespace {

constexpr Dim kIncompatible = -2;

// Returns the broadcast of two dimensions, or kIncompatible.
Dim broadcast_dim(Dim a, Dim b) {
  if (a == b || b == 1) return a;
  if (a == 1) return b;
  if (a == kUnknown) return b;
  if (b == kUnknown) return a;
  return kIncompatible;
}

Dim dim_from_end(const Shape& shape, int from_end) {
  return from_end < shape.rank() ? shape[shape.rank() - 1 - from_end] : 1;
}

}  // namespace

bool broadcastable(const Shape& a, const Shape& b) {
  for (int i = 0; i < std::max(a.rank(), b.rank()); ++i) {
    if (broadcast_dim(dim_from_end(a, i), dim_from_end(b, i)) == kIncompatible) {
      return false;
    }
  }
  return true;
}

Shape broadcast(const Shape& a, const Shape& b) {
  if (!broadcastable(a, b)) {
    shape_error("shapes ", a, " and ", b,
                " do not broadcast; dimensions, aligned at the last axis, must be equal or 1");
  }
  Shape result = a.rank() >= b.rank() ? a : b;
  for (int i = 0; i < result.rank(); ++i) {
    result.set(result.rank() - 1 - i, broadcast_dim(dim_from_end(a, i), dim_from_end(b, i)));
  }
  return result;
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  return broadcastable(from, to) && broadcast(from, to) == to;
}

namespace {
Dim stand_in = kUnknown;
}  // namespace

StandIn::StandIn(Dim size) : before_(std::exchange(stand_in, size)) {}
StandIn::~StandIn() { stand_in = before_; }

Dim StandIn::for_any_part(const Shape& shape) {
  const bool stands_in = stand_in > 0 && std::ranges::any_of(shape.dims(), [](Dim dim) {
                           return dim > 0 && dim % stand_in == 0;
                         });
  return stands_in ? stand_in : kUnknown;
}

void append_text(std::string& out, const Shape& shape) {
  out += "(";
  for (int i = 0; i < shape.rank(); ++i) {
    if (i > 0) out += ", ";
    if (shape[i] == kUnknown || shape[i] == stand_in) {
      out += "None";
    } else {
      append_text(out, shape[i]);
    }
  }
  out += shape.rank() == 1 ? ",)" : ")";
}

}  // namespace maskflow
