// SPDX-License-Identifier: MIT
// Attention (Luong et al. 2015) and AdditiveAttention (Bahdanau et al. 2015): one head without
// projections.
#include "layers/attend.hpp"
#include "layers/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Query, value, and the key if it is not the value.
class ListAttention : public Layer {
 public:
  ListAttention() { supports_masking_ = true; }
  void check_config() const override { check_dropout(dropout_); }
  [[nodiscard]] bool takes_mask() const override { return true; }
  [[nodiscard]] bool returns_list() const override { return returns_scores_; }

  Tensors call(const Args& args) override {
    check(args);
    const Tensor query = ops::cast(args.inputs[0], DType::kFloat32);
    const Tensor value = ops::cast(args.inputs[1], DType::kFloat32);
    const Tensor key = ops::cast(args.inputs.size() > 2 ? args.inputs[2] : value, DType::kFloat32);
    const Shape& shape = query.shape();
    const Dim steps = value.shape()[1];
    const Dim width = value.shape()[2];
    const Tensor shown = mask_of(args, 0, {shape[0], shape[1]});
    Tensor allowed = mask_of(args, 1, {shape[0], steps});
    if (!allowed.empty_handle()) allowed = allowed.reshaped({shape[0], 1, 1, steps});
    if (option(args.options, "use_causal_mask")) {
      allowed = both(allowed, band_mask(shape[1], steps, true, 0));
    }
    Attend attend({shape[0], shape[1], steps, 1, 1, static_cast<std::size_t>(shape[2]),
                   static_cast<std::size_t>(width)},
                  allowed, Blind::kScored);
    attend.score = score(shape[2]);
    attend.returns_dropped = true;
    if (is_training(args)) attend.dropout = dropout_;
    const bool masked = !shown.empty_handle() || !allowed.empty_handle();
    if (masked && finite(query) && finite(key) && finite(value)) {
      // Scores that are asked for show masked queries too.
      const bool hidden = !shown.empty_handle() && !returns_scores_;
      attend.leave_out(hidden ? shown.data<std::uint8_t>().data() : nullptr);
    }
    Tensor rows(DType::kFloat32, {static_cast<Dim>(attend.queries().size()), width});
    Tensors results;
    if (returns_scores_) {
      results = {{}, Tensor::zeros(DType::kFloat32, {shape[0], shape[1], steps})};
    }
    results.resize(returns_scores_ ? 2 : 1);
    attend.run(query.data<float>().data(), key.data<float>().data(), value.data<float>().data(),
               false, rows.mutable_data<float>().data(),
               returns_scores_ ? results[1].mutable_data<float>().data() : nullptr);
    results[0] = attend.queries().spread(rows, {shape[0], shape[1], width});
    if (!shown.empty_handle()) {
      // Keras multiplies: a NaN of a masked query stays one.
      const Tensor factor = ops::expand_dims(ops::cast(shown, DType::kFloat32), -1);
      results[0] = ops::multiply(results[0], factor);
    }
    return results;
  }

  std::vector<TensorSpec> output_specs(const Args& args) override {
    check(args);
    const Shape& query = args.inputs[0].shape();
    const Shape& value = args.inputs[1].shape();
    std::vector<TensorSpec> specs{{{query[0], query[1], value[2]}, DType::kFloat32}};
    if (returns_scores_) specs.push_back({{query[0], query[1], value[1]}, DType::kFloat32});
    return specs;
  }
  // Scores have no mask.
  Masks compute_mask(const Tensors&, const Masks& masks) override {
    return {masks.empty() ? nullptr : masks.front()};
  }

 protected:
  [[nodiscard]] virtual kernels::Score score(Dim features) const = 0;
  void describe_dropout(Fields& fields) {
    fields.field("dropout", dropout_, "Share of the attention weights set to zero when training.");
    fields.field("seed", seed_, "Kept for the configuration.");
  }

 private:
  void check(const Args& args) {
    returns_scores_ = option(args.options, "return_attention_scores");
    const std::size_t count = args.inputs.size();
    if (!args.list || count < 2 || count > 3) {
      value_error("expected a list [query, value] or [query, value, key], but got ",
                  args.list ? "a list of " : "", count, count == 1 ? " tensor" : " tensors");
    }
    if (args.mask && args.mask->size() != 2 && args.mask->size() != 3) {
      value_error("the mask must be a list [query mask, value mask], but has ", args.mask->size(),
                  " of them; use null where there is none");
    }
    const Shape& query = args.inputs.front().shape();
    for (const Tensor& input : args.inputs) {
      if (input.rank() != 3) {
        shape_error("expected inputs [batch, time, features], but one has shape ", input.shape());
      }
    }
    const Shape& value = args.inputs[1].shape();
    const Shape& key = args.inputs.back().shape();
    const bool same_batch = fits(query[0], value[0]) && fits(query[0], key[0]);
    if (!same_batch || !fits(query[2], key[2]) || !fits(value[1], key[1])) {
      shape_error("query ", query, ", value ", value, " and key ", key,
                  " do not fit: they need one batch size, query and key as many features, value "
                  "and key as many steps");
    }
  }
  static bool fits(Dim a, Dim b) { return a == b || a == kUnknown || b == kUnknown; }

  // That of one of the inputs as [batch, time]; no handle when there is none.
  static Tensor mask_of(const Args& args, std::size_t index, const Shape& shape) {
    const MaskPtr mask = args.mask && index < args.mask->size() ? (*args.mask)[index] : nullptr;
    if (mask == nullptr || mask->shape() == shape) return mask ? mask->values() : Tensor();
    Dict target;
    target["shape"] = List{shape[0], shape[1]};
    return apply_op1("BroadcastTo", {&mask->values(), 1}, target);
  }

  double dropout_ = 0;
  Value seed_;
  bool returns_scores_ = false;
};

class Attention final : public ListAttention {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("use_scale", use_scale_, "Scale the scores by a weight?");
    fields.field("score_mode", score_mode_,
                 "'dot': query times key; 'concat': the sum of tanh(query + key), weighted.");
    describe_dropout(fields);
  }
  void check_config() const override {
    ListAttention::check_config();
    if (score_mode_ != "dot" && score_mode_ != "concat") {
      config_error("'score_mode' is '", score_mode_, "' but must be 'dot' or 'concat'");
    }
  }
  void build(const std::vector<Shape>&) override {
    if (use_scale_) scale_ = add_weight("scale", {}, Initializer("ones"));
    if (score_mode_ == "concat") {
      concat_weight_ = add_weight("concat_score_weight", {}, Initializer("ones"));
    }
  }

 private:
  [[nodiscard]] kernels::Score score(Dim) const override {
    const float scale = scale_ ? *scale_->data() : 1;
    if (!concat_weight_) return {.factor = scale};
    return {.additive = true, .factor = *concat_weight_->data(), .inner = scale};
  }
  bool use_scale_ = false;
  std::string score_mode_ = "dot";
  VariablePtr scale_, concat_weight_;
};

class AdditiveAttention final : public ListAttention {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("use_scale", use_scale_, "Weigh the features by weights [features]?");
    describe_dropout(fields);
  }
  void build(const std::vector<Shape>& inputs) override {
    if (use_scale_) {
      scale_ = add_weight("scale", {inputs.back().back()}, Initializer("glorot_uniform"));
    }
  }

 private:
  [[nodiscard]] kernels::Score score(Dim features) const override {
    if (scale_ && scale_->shape()[0] != features) {
      shape_error("the layer was built for ", scale_->shape()[0], " features but the query has ",
                  features);
    }
    return {.additive = true, .weights = scale_ ? scale_->data() : nullptr};
  }
  bool use_scale_ = true;
  VariablePtr scale_;
};

const RegisterLayer<Attention> registration{
    "Attention",
    "Attention of a list [query, value] or [query, value, key], each [batch, time, features]: for "
    "each query the mean of the values, weighted by softmax over the scores of query and key. The "
    "mask of the value hides steps; where that of the query is false the result is 0. Passes on "
    "the mask of the query. Call options: returnAttentionScores, useCausalMask."};
const RegisterLayer<AdditiveAttention> additive_registration{
    "AdditiveAttention",
    "Attention whose scores are the sum of scale * tanh(query + key) over the features. Inputs, "
    "masks and call options as for Attention."};

}  // namespace
}  // namespace maskflow
