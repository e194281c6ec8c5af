// SPDX-License-Identifier: MIT
#include "training/schedule.hpp"

namespace maskflow {
namespace {

class PiecewiseConstantDecay final : public Schedule {
 public:
  PiecewiseConstantDecay() : Schedule("PiecewiseConstant") {}
  void describe(Fields& fields) override {
    fields.field("boundaries", boundaries_, TypeScript{"number[]"},
                 "Steps in ascending order; each is the last step of its rate.",
                 FieldKind::kRequiredList);
    fields.field("values", values_,
                 "Learning rates: one for each boundary, and one for all later steps.",
                 FieldKind::kRequiredList);
    describe_name(fields);
  }
  void check_config() const override {
    if (boundaries_.empty()) config_error("'boundaries' is empty; use the rate alone");
    if (values_.size() == boundaries_.size() + 1) return;
    config_error("'values' has ", values_.size(), " rates but must have ", boundaries_.size() + 1,
                 ": one more than 'boundaries'");
  }
  [[nodiscard]] float operator()(float step) const override {
    std::size_t i = 0;
    while (i < boundaries_.size() && static_cast<double>(step) > boundaries_[i]) ++i;
    return static_cast<float>(values_[i]);
  }

 private:
  std::vector<double> boundaries_;
  std::vector<double> values_;
};

const RegisterSchedule<PiecewiseConstantDecay> registration{"PiecewiseConstantDecay",
                                                            "A constant rate up to each boundary."};

}  // namespace
}  // namespace maskflow
