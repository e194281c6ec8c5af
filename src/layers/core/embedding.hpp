// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer.hpp"

namespace maskflow {

class Embedding : public Layer {
 public:
  Embedding() { streaming_ = Streaming::kEachStep; }
  void describe(Fields& fields) override;
  void check_config() const override;
  void build(const std::vector<Shape>& inputs) override;
  [[nodiscard]] bool supports_masking() const override { return mask_zero_; }
  Structure call(const Args& args, Frame& /*frame*/) override {
    return {look_up(args.inputs.front())};
  }
  OutputSpecs output_specs(const Args& args) override;
  Masks compute_mask(const Tensors& inputs, const Masks& masks) override;

 protected:
  [[nodiscard]] Tensor look_up(const Tensor& ids) const;

  VariablePtr embeddings_;
  int input_dim_ = 0;
  int output_dim_ = 0;
  Initializer embeddings_initializer_{"uniform"};
  bool mask_zero_ = false;

 private:
  [[nodiscard]] std::int32_t row_of(std::int32_t id) const;
};

// Returns true for the layer Embedding, whose input is ids. A custom layer may have the name
// Embedding, too.
[[nodiscard]] bool is_embedding(const Layer& layer);

}  // namespace maskflow
