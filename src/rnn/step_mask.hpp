// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.hpp"
#include "tensor/mask.hpp"

namespace maskflow {

// The mask of a call, [batch, steps] or [steps], as a function of row and step. Without a mask,
// every step is kept. Throws ShapeError for other sizes.
class StepMask {
 public:
  StepMask(const MaskPtr& mask, std::size_t batch, std::size_t steps) {
    if (mask == nullptr) return;
    const Tensor& values = mask->values();
    if (values.size() != steps * batch && values.size() != steps) {
      shape_error("the mask has shape ", mask->shape(), " but must have one boolean for each of ",
                  batch, " rows and ", steps, steps == 1 ? " step" : " steps");
    }
    keep_ = values.data<std::uint8_t>().data();
    stride_ = values.size() == steps ? 0 : steps;
  }
  [[nodiscard]] bool keeps(std::size_t row, std::size_t step) const {
    return keep_ == nullptr || keep_[row * stride_ + step] != 0;
  }

 private:
  const std::uint8_t* keep_ = nullptr;
  std::size_t stride_ = 0;
};

}  // namespace maskflow
