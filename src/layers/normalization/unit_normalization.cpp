// SPDX-License-Identifier: MIT
#include "layers/normalization/normalization.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

class UnitNormalization final : public NormalizationLayer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axis", axes_, "Axis or axes of a vector.");
  }
  void build(const std::vector<Shape>&) override {}

  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const Tensor square = ops::sum(ops::multiply(x, x), sorted_axes(x.rank()), true);
    const Tensor bounded = ops::maximum(square, Tensor::scalar(DType::kFloat32, 1e-24));
    return {ops::multiply(x, ops::rsqrt(bounded))};
  }
};

const RegisterLayer<UnitNormalization> registration{
    "UnitNormalization",
    "Divides each vector by its Euclidean length, or by 1e-12 if it is shorter; the shape stays "
    "the "
    "same. Passes the mask through; masked steps are normalized, too.",
    {.composed = true, .built_at_init = true}};

}  // namespace
}  // namespace maskflow
