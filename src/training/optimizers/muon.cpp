// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "kernels/gemm_gradient.hpp"
#include "training/optimizers/adam.hpp"
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

// Jordan 2024: the momentum of a matrix, made orthogonal. Other weights, and those of embeddings,
// are Adam's.
class Muon final : public Optimizer {
 public:
  Muon() { weight_decay_ = 0.004; }
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("adam_beta_1", adam_.beta_1, "beta_1 of Adam.");
    fields.field("adam_beta_2", adam_.beta_2, "beta_2 of Adam.");
    fields.field("epsilon", adam_.epsilon, "epsilon of Adam.");
    fields.field("exclude_layers", exclude_layers_,
                 "Weights whose path matches one of these regular expressions are Adam's. They are "
                 "read as in Python, without lookaround, backreferences and flags.");
    fields.field("muon_a", a_, "Of x in Newton's and Schulz's step.");
    fields.field("muon_b", b_, "Of x's third power.");
    fields.field("muon_c", c_, "Of x's fifth power.");
    fields.field("adam_lr_ratio", adam_ratio_, "Adam's learning rate by that of matrices.");
    fields.field("momentum", momentum_, "Share of the last step in this one.");
    fields.field("ns_steps", steps_, "Steps of Newton and Schulz.");
    fields.field("nesterov", nesterov_, "Nesterov's momentum?");
    fields.field("exclude_embeddings", exclude_embeddings_,
                 "Are weights with 'embedding' in their path Adam's?");
    fields.field("adam_weight_decay", adam_weight_decay_, "Weight decay of Adam's weights.");
    fields.field("rms_rate", rms_rate_,
                 "Times the root of the longer side, of a step; null: neither.");
  }
  void check_config() const override {
    Optimizer::check_config();
    // (Five do; many would never end.)
    if (steps_ < 0 || steps_ > 1000)
      config_error("'ns_steps' is ", steps_, " but must be 0 to 1000");
  }

 private:
  [[nodiscard]] bool is_adams(const Trained& trained, PatternSearch search) const {
    return trained.variable->shape().rank() != 2 ||
           (exclude_embeddings_ &&
            lower_case(trained.path).find("embedding") != std::string::npos) ||
           any_matches(exclude_layers_, trained.path, search);
  }
  void make_slots(PatternSearch search) override {
    std::size_t largest = 0;
    std::size_t side = 0;
    for (Entry& entry : entries()) {
      entry.slots.push_back(add_slot(entry, "momentum"));
      if (is_adams(entry.trained, search)) {
        entry.slots.push_back(add_slot(entry, "velocity"));
        continue;
      }
      const Shape& shape = entry.trained.variable->shape();
      largest = std::max(largest, static_cast<std::size_t>(shape.size()));
      side = std::max(side, static_cast<std::size_t>(std::min(shape[0], shape[1])));
    }
    for (kernels::Floats* buffer : {&tall_, &wide_}) buffer->resize(largest);
    for (kernels::Floats* buffer : {&square_, &polynomial_}) {
      buffer->resize((Count(side) * side).of<float>());
    }
  }
  [[nodiscard]] std::optional<double> weight_decay_of(const Entry& entry) const override {
    return entry.slots.size() == 2 ? adam_weight_decay_ : weight_decay_;
  }

  void update(const Step& step) override {
    if (step.slots.size() == 2) {
      Step adams = step;
      adams.learning_rate *= static_cast<float>(adam_ratio_);
      return adam_update(adams, adam_, false);
    }
    const auto rows = static_cast<std::size_t>(step.shape[0]);
    const auto columns = static_cast<std::size_t>(step.shape[1]);
    // Of the two forms of the matrix the one that lies as the weight does.
    float* const own = (rows < columns ? wide_ : tall_).data();
    move(step, own);
    orthogonalize(own, std::max(rows, columns), std::min(rows, columns));
    float rate = step.learning_rate;
    if (rms_rate_) {
      rate *=
          std::sqrt(static_cast<float>(std::max(rows, columns))) * static_cast<float>(*rms_rate_);
    }
    for (std::size_t i = 0; i < step.size; ++i) step.weights[i] -= rate * own[i];
  }
  // The momentum, and what is to be made orthogonal.
  void move(const Step& step, float* to) const {
    const Vec momentum(static_cast<float>(momentum_));
    const Vec less(static_cast<float>(momentum_ - 1));
    const bool ahead = nesterov_;
    Step with = step;
    float* const slots[] = {step.slots[0], to};
    with.slots = slots;
    update_each<2>(with, [=](Vec&, const Vec& g, auto& s) {
      s[0] += g + s[0] * less;
      s[1] = ahead ? g + momentum * s[0] : s[0];
    });
  }

  // The matrix that `own` is gets the same singular vectors with values near 1, by steps of
  // a x + x (b A + c A A) with A = xᵀ x and x standing upright: then A is as small as it can be.
  // Beside x lies its transpose, with which each product is one of columns (add_outer).
  void orthogonalize(float* own, std::size_t height, std::size_t side) {
    const std::size_t n = height * side;
    const float scale = 1 / (norm(own, n) + 1e-7F);
    for (std::size_t i = 0; i < n; ++i) own[i] *= scale;
    if (own == wide_.data()) {
      transpose(own, side, height, tall_.data());
    } else {
      transpose(own, height, side, wide_.data());
    }
    for (int step = 0; step < steps_; ++step) {
      make_polynomial(height, side);
      for (std::size_t i = 0; i < n; ++i) tall_[i] *= static_cast<float>(a_);
      const kernels::Rows of_polynomial{polynomial_.data(), side};
      kernels::add_outer({wide_.data(), height}, of_polynomial, side, height, side, tall_.data());
      transpose(tall_.data(), height, side, wide_.data());
    }
  }
  static void transpose(const float* from, std::size_t rows, std::size_t columns, float* to) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) to[c * rows + r] = from[r * columns + c];
    }
  }
  // polynomial_ = b A + c A A
  void make_polynomial(std::size_t height, std::size_t side) {
    const std::size_t n = side * side;
    std::fill_n(square_.data(), n, 0.0F);
    std::fill_n(polynomial_.data(), n, 0.0F);
    const kernels::Rows x{tall_.data(), side};
    kernels::add_outer(x, x, height, side, side, square_.data());
    const kernels::Rows square{square_.data(), side};
    kernels::add_outer(square, square, side, side, side, polynomial_.data());
    for (std::size_t i = 0; i < n; ++i) {
      polynomial_[i] =
          static_cast<float>(b_) * square_[i] + static_cast<float>(c_) * polynomial_[i];
    }
  }

  Moments adam_;
  std::vector<std::string> exclude_layers_;
  double a_ = 3.4445;
  double b_ = -4.775;
  double c_ = 2.0315;
  double adam_ratio_ = 1;
  double momentum_ = 0.95;
  int steps_ = 5;
  bool nesterov_ = true;
  bool exclude_embeddings_ = true;
  std::optional<double> adam_weight_decay_ = 0.004;
  std::optional<double> rms_rate_ = 0.2;
  // Large enough for the largest matrix, so that a step asks for no memory.
  kernels::Floats tall_, wide_, square_, polynomial_;
};

const RegisterOptimizer<Muon> registration{"Muon",
                                           "Orthogonal steps for matrices, Adam for the rest."};

}  // namespace
}  // namespace maskflow
