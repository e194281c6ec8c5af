// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

class Permute final : public Layer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("dims", dims_,
                 "New order of the axes after the batch, numbered from 1: a permutation of 1 to n.",
                 FieldKind::kRequiredList);
  }
  void check_config() const override {
    for (int axis = 1; axis <= static_cast<int>(dims_.size()); ++axis) {
      if (std::ranges::find(dims_, axis) == dims_.end()) {
        config_error("'dims' has ", dims_.size(), " axes but lacks axis ", axis,
                     "; list each axis from 1 to ", dims_.size(), " once");
      }
    }
  }

  [[nodiscard]] int rank() const override { return static_cast<int>(dims_.size()) + 1; }

  Structure call(const Args& args, Frame& /*frame*/) override {
    std::vector<int> axes{0};
    axes.insert(axes.end(), dims_.begin(), dims_.end());
    return {ops::transpose(args.inputs.front(), axes)};
  }
  OutputSpecs output_specs(const Args& args) override {
    const Tensor& x = args.inputs.front();
    Shape shape{x.shape()[0]};
    for (const int axis : dims_) shape.push_back(x.shape()[axis]);
    return {{shape, x.dtype()}};
  }

 private:
  std::vector<int> dims_;
};

const RegisterLayer<Permute> registration{
    "Permute",
    "Reorders the axes after the batch: dims [2, 1] exchange time and features. Drops the mask "
    "with a warning.",
    {.composed = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
