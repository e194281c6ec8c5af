// SPDX-License-Identifier: MIT
#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Sums of products over one axis of each of two tensors, for each sample.
class Dot final : public Layer {
 public:
  Dot() { supports_masking_ = true; }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axes", axes_, "Axis to sum over: one number for both tensors, or one for each.",
                 FieldKind::kRequired);
    fields.field("normalize", normalize_,
                 "Divide by the Euclidean lengths along these axes; the result is the cosine.");
  }
  void check_config() const override {
    if (axes_.empty() || axes_.size() > 2) {
      config_error("'axes' has ", axes_.size(), " numbers but needs one, or one for each tensor");
    }
  }
  [[nodiscard]] int min_rank() const override { return 2; }

  [[nodiscard]] bool takes_list() const override { return true; }
  Structure call(const Args& args, Frame& /*frame*/) override {
    const Shape shape = output_specs(args).front().shape;
    const Tensor left = matrices(args, 0, -1);
    const Tensor right = matrices(args, 1, 1);
    return {ops::matmul(left, right).reshaped(shape)};
  }
  OutputSpecs output_specs(const Args& args) override {
    if (args.inputs.size() != 2) {
      value_error("Dot needs a list of 2 tensors but got ", args.inputs.size());
    }
    Shape a = args.inputs[0].shape();
    Shape b = args.inputs[1].shape();
    const int axis_a = axis_of(args, 0);
    const int axis_b = axis_of(args, 1);
    check_equal(a, 0, b, 0);
    check_equal(a, axis_a, b, axis_b);
    if (a[0] == kUnknown) a.set(0, b[0]);
    a.erase(axis_a);
    b.erase(axis_b);
    for (int i = 1; i < b.rank(); ++i) a.push_back(b[i]);
    if (a.rank() == 1) a.push_back(1);
    return {{a, DType::kFloat32}};
  }
  Masks compute_mask(const Tensors&, const Masks&) override { return {}; }
  [[nodiscard]] Dict get_config() override {
    Dict config = Layer::get_config();
    if (axes_.size() == 1) config["axes"] = axes_.front();
    return config;
  }

 private:
  [[nodiscard]] int axis_of(const Args& args, std::size_t input) const {
    const int axis =
        normalize_axis(input == 0 ? axes_.front() : axes_.back(), args.inputs[input].rank());
    if (axis == 0) config_error("'axes' contains axis 0, the batch; use an axis from 1 on");
    return axis;
  }
  static void check_equal(const Shape& a, int axis_a, const Shape& b, int axis_b) {
    const Dim x = a[axis_a];
    const Dim y = b[axis_b];
    if (x == y || x == kUnknown || y == kUnknown) return;
    shape_error("axis ", axis_a, " of ", a, " has size ", x, " but axis ", axis_b, " of ", b,
                " has ", y, "; they must be equal");
  }
  // Returns an input as one matrix for each sample: the summed axis is moved to `place` (1 or -1)
  // and the other axes are flattened into one.
  [[nodiscard]] Tensor matrices(const Args& args, std::size_t input, int place) const {
    Tensor x = ops::cast(args.inputs[input], DType::kFloat32);
    const int axis = axis_of(args, input);
    if (normalize_) x = ops::normalize(x, axis, 1e-7);
    Shape rest = x.shape().from(1);
    rest.erase(axis - 1);
    const Dim batch = x.shape()[0];
    const Dim depth = x.shape()[axis];
    const Dim others = rest.size();
    return ops::move_axis(x, axis, place)
        .reshaped(place == 1 ? Shape{batch, depth, others} : Shape{batch, others, depth});
  }

  std::vector<int> axes_;
  bool normalize_ = false;
};

const RegisterLayer<Dot> registration{
    "Dot",
    "Dot products of a list of two tensors, sample by sample: [batch, a, n] and [batch, b, n] with "
    "axes 2 become [batch, a, b]. Masked steps count as data; the result has no mask.",
    {.composed = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
