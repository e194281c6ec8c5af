// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

enum class EncodingKind : std::uint8_t { kIds, kBins };

// Encodes integers as vectors: CategoryEncoding encodes ids, Discretization the indices of the bins
// that contain its numbers.
class CategoryEncoding final : public Layer {
 public:
  explicit CategoryEncoding(EncodingKind kind) : kind_(kind) {}
  void describe(Fields& fields) override {
    Layer::describe(fields);
    if (discretizes()) {
      if (output_mode_.empty()) output_mode_ = "int";
      fields.field("bin_boundaries", boundaries_,
                   "Boundaries between the bins, in ascending order.");
      fields.field("num_bins", num_bins_, "Number of bins that adapt() computes.");
      fields.field("epsilon", epsilon_,
                   "Tolerance of the quantiles that adapt() computes, as a share of the numbers.");
      fields.choice("output_mode", output_mode_, "int one_hot multi_hot count",
                    "'int' (the index of the bin), 'one_hot', 'multi_hot' or 'count'.");
    } else {
      if (output_mode_.empty()) output_mode_ = "multi_hot";
      fields.field("num_tokens", num_tokens_, "Ids are 0 to num_tokens - 1.", FieldKind::kRequired);
      fields.choice("output_mode", output_mode_, "one_hot multi_hot count",
                    "'one_hot': a vector for each id; 'multi_hot' or 'count': one for all ids of "
                    "a sample.");
    }
    fields.field("sparse", sparse_, "Must be false: sparse tensors are not supported.");
  }
  void check_config() const override {
    if (sparse_)
      config_error("'sparse' is true, but sparse tensors are not supported; leave it out");
    if (!discretizes()) {
      require_positive("num_tokens", num_tokens_);
    } else if ((!boundaries_ && !num_bins_) || num_bins_.value_or(0) < 0) {
      // A config may have both after adapt().
      config_error("set 'bin_boundaries', or 'num_bins' to at least 0");
    } else if (boundaries_ && !std::ranges::is_sorted(*boundaries_)) {
      config_error("'bin_boundaries' must be in ascending order");
    }
  }

  [[nodiscard]] std::string_view call_arguments() const override {
    return discretizes() ? "" : "count_weights";
  }
  Structure call(const Args& args, Frame& /*frame*/) override {
    Tensor x = args.inputs.front();
    x = discretizes() ? bins_of(x) : known_ids(x);
    if (output_mode_ == "int") return {x};
    const bool each = output_mode_ == "one_hot";
    if (x.rank() == 0) x = x.reshaped({1});
    if (each && x.rank() > 1 && x.shape().back() == 1) {
      x = x.reshaped(x.shape().first(x.rank() - 1));
    }
    Tensor encoded = ops::one_hot(x, depth());
    if (each) return {encoded};
    if (const TensorArgument* weights = args.find("count_weights")) {
      if (output_mode_ != "count") {
        value_error("count_weights needs output_mode 'count', but it is '", output_mode_, "'");
      }
      encoded = ops::multiply(encoded, ops::expand_dims(weights->values.front(), -1));
    }
    const auto reduce = output_mode_ == "count" ? ops::sum : ops::max;
    return {reduce(encoded, sample_axis(x.shape()), false)};
  }
  OutputSpecs output_specs(const Args& args) override {
    Shape shape = args.inputs.front().shape();
    if (output_mode_ == "int") return {{shape, DType::kInt32}};
    if (shape.rank() == 0) shape.push_back(1);
    if (output_mode_ != "one_hot") {
      shape.erase(sample_axis(shape));
    } else if (shape.rank() > 1 && shape.back() == 1) {
      shape.erase(shape.rank() - 1);
    }
    shape.push_back(depth());
    return {{shape, DType::kFloat32}};
  }
  [[nodiscard]] Dict get_config() override {
    if (!discretizes()) return Layer::get_config();
    // Keras's Discretization does not accept `trainable`.
    const Dict all = Layer::get_config();
    Dict config;
    for (const Dict::Entry& entry : all.entries()) {
      if (entry.key != "trainable") config[entry.key] = entry.value;
    }
    return config;
  }

 private:
  [[nodiscard]] bool discretizes() const { return kind_ == EncodingKind::kBins; }
  [[nodiscard]] Dim depth() const {
    if (!discretizes()) return num_tokens_;
    return boundaries_ ? std::ssize(*boundaries_) + 1 : *num_bins_;
  }
  static int sample_axis(const Shape& shape) { return shape.rank() > 1 ? 1 : 0; }

  // Returns the index of the bin of each number: the count of boundaries less than or equal to it.
  // A NaN counts as above all boundaries.
  [[nodiscard]] Tensor bins_of(const Tensor& x) const {
    if (!boundaries_) {
      state_error("the layer has ", *num_bins_,
                  " bins but no boundaries; call adapt() or set bin_boundaries");
    }
    const std::vector<float> numbers(boundaries_->begin(), boundaries_->end());
    const Tensor boundaries = Tensor::from<float>({std::ssize(numbers)}, numbers);
    const Tensor below = ops::less(ops::expand_dims(x, -1), boundaries);
    return ops::count_nonzero(ops::logical_not(below), -1);
  }
  [[nodiscard]] Tensor known_ids(const Tensor& x) const {
    const Tensor ids = ops::cast(x, DType::kInt32);
    for (const std::int32_t id : ids.data<std::int32_t>()) {
      if (id >= num_tokens_) {
        value_error("id ", id, " must be less than num_tokens, which is ", num_tokens_);
      }
    }
    return ids;
  }

  EncodingKind kind_;
  int num_tokens_ = 0;
  std::optional<std::vector<double>> boundaries_;
  std::optional<int> num_bins_;
  double epsilon_ = 0.01;
  std::string output_mode_;
  bool sparse_ = false;
};

const RegisterLayer<CategoryEncoding, EncodingKind::kIds> encoding{
    "CategoryEncoding",
    "Encodes ids as vectors of num_tokens elements. [batch, time] becomes [batch, time, "
    "num_tokens] with 'one_hot', otherwise [batch, num_tokens]. Drops the mask with a warning.",
    {.arguments = "inputs count_weights", .composed = true}};
const RegisterLayer<CategoryEncoding, EncodingKind::kBins> discretization{
    "Discretization",
    "Replaces each number by the index of its bin, from 0, or encodes the index as "
    "CategoryEncoding does. Drops the mask with a warning.",
    {.composed = true}};

}  // namespace
}  // namespace maskflow
