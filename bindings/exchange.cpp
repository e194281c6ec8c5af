// SPDX-License-Identifier: MIT
#include "exchange.hpp"

namespace maskflow::bindings {
namespace {

Exchange slot;

void set_address(const Tensor& tensor) {
  slot.address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(tensor.raw()));
}

}  // namespace

Exchange& exchange() { return slot; }

Tensor tensor_from_exchange() {
  Shape shape;
  for (std::int32_t i = 0; i < slot.rank; ++i) shape.push_back(slot.dims[i]);
  Tensor tensor(static_cast<DType>(slot.dtype), shape);
  set_address(tensor);
  return tensor;
}

void set_exchange(const Tensor& tensor) {
  slot.dtype = static_cast<std::int32_t>(tensor.dtype());
  slot.rank = tensor.rank();
  for (int i = 0; i < tensor.rank(); ++i) {
    slot.dims[i] = static_cast<std::int32_t>(tensor.shape()[i]);
  }
  set_address(tensor);
}

TensorHandle give_with_exchange(const Tensor& tensor) {
  set_exchange(tensor);
  return give_tensor(tensor);
}

}  // namespace maskflow::bindings
