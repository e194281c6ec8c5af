// SPDX-License-Identifier: MIT
#include "exchange.hpp"

namespace maskflow::bindings {
namespace {

Exchange numbers;

void set_address(const Tensor& tensor) {
  numbers.address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(tensor.raw()));
}

}  // namespace

Exchange& exchange() { return numbers; }

Tensor tensor_from_exchange() {
  Shape shape;
  for (std::int32_t i = 0; i < numbers.rank; ++i) shape.push_back(numbers.dims[i]);
  Tensor tensor(static_cast<DType>(numbers.dtype), shape);
  set_address(tensor);
  return tensor;
}

void set_exchange(const Tensor& tensor) {
  numbers.dtype = static_cast<std::int32_t>(tensor.dtype());
  numbers.rank = tensor.rank();
  for (int i = 0; i < tensor.rank(); ++i) {
    numbers.dims[i] = static_cast<std::int32_t>(tensor.shape()[i]);
  }
  set_address(tensor);
}

TensorHandle give_with_exchange(const Tensor& tensor) {
  set_exchange(tensor);
  return give(tensor);
}

}  // namespace maskflow::bindings
