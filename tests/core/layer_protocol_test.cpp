// SPDX-License-Identifier: MIT
// Keras's call protocol, on test layers: when a layer receives a mask, when the mask is passed on,
// and the warning when it is dropped.
#include <gtest/gtest.h>

#include <functional>

#include "model/trace.hpp"
#include "support/errors.hpp"
#include "support/layers.hpp"

namespace maskflow {
namespace {

using test::fails_with;
using test::floats;
using test::mask_of;
using test::Scope;

// A layer that stores the mask it receives and returns the result that a test sets.
class Probe final : public Layer {
 public:
  Probe(bool takes, bool supports) : takes_(takes) {
    supports_masking_ = supports;
    set_class_name("Probe");
    set_name("probe");
  }
  [[nodiscard]] bool takes_mask() const override { return takes_; }
  [[nodiscard]] std::string_view call_arguments() const override { return "more"; }
  Structure call(const Args& args, Frame& frame) override {
    seen = args.mask;
    training = frame.trains();
    return result ? result(args, frame)
                  : Tensors{args.inputs.front().reshaped(args.inputs[0].shape())};
  }
  Masks compute_mask(const Tensors& inputs, const Masks& masks) override {
    return computed ? *computed : Layer::compute_mask(inputs, masks);
  }
  void build(const std::vector<Shape>&) override { ++builds; }

  std::optional<Masks> seen;
  std::optional<Masks> computed;
  std::function<Tensors(const Args&, Frame&)> result;
  int builds = 0;
  bool training = false;

 private:
  bool takes_;
};

Tensor data() { return floats({1, 2, 1}, {1, 2}); }
MaskPtr mask() { return mask_of({1, 2}, {1, 0}); }

Tensors run(Layer& layer, const Tensor& x, const std::optional<Masks>& explicit_mask = {},
            const Tensors& more = {}) {
  Args args;
  args.inputs = {x};
  args.mask = explicit_mask;
  if (!more.empty()) args.tensors.push_back({"more", more, true});
  return layer.apply(std::move(args));
}

TEST(Protocol, AttachedMaskIsPassedInAndOn) {
  const auto layer = std::make_shared<Probe>(true, true);
  const MaskPtr m = mask();
  const Tensor y = run(*layer, data().with_mask(m)).front();
  ASSERT_TRUE(layer->seen.has_value());
  EXPECT_EQ(layer->seen->front(), m);
  EXPECT_EQ(y.mask(), m);
}

TEST(Protocol, LayerThatUsesNoMaskPassesItOn) {
  const auto layer = std::make_shared<Probe>(false, true);
  const MaskPtr m = mask();
  EXPECT_EQ(run(*layer, data().with_mask(m)).front().mask(), m);
  EXPECT_FALSE(layer->seen.has_value());
}

TEST(Protocol, ExplicitMaskReplacesTheAttachedOne) {
  const auto layer = std::make_shared<Probe>(true, true);
  const MaskPtr given = mask_of({1, 2}, {0, 1});
  const Tensor y = run(*layer, data().with_mask(mask()), Masks{given}).front();
  EXPECT_EQ(layer->seen->front(), given);
  EXPECT_EQ(y.mask(), given);
}

TEST(Protocol, SecondTensorArgumentDisablesTheAttachedMask) {
  const auto layer = std::make_shared<Probe>(true, true);
  const MaskPtr m = mask();
  const Tensor y = run(*layer, data().with_mask(m), {}, {data()}).front();
  EXPECT_FALSE(layer->seen.has_value());
  EXPECT_EQ(y.mask(), m);
}

TEST(Protocol, DroppedMaskWarnsOncePerLayer) {
  const auto layer = std::make_shared<Probe>(true, false);
  const Scope scope;
  static_cast<void>(run(*layer, data()));
  EXPECT_TRUE(scope.warnings().empty()) << "without a mask there is nothing to say";
  for (int calls = 1; calls <= 3; ++calls) {
    EXPECT_EQ(run(*layer, data().with_mask(mask())).front().mask(), nullptr);
    ASSERT_EQ(scope.warnings().size(), 1U);
  }
  // The layer still received the mask: using a mask and supporting masking are independent.
  EXPECT_TRUE(layer->seen.has_value());
  for (const char* part : {"'probe'", "(Probe)", "does not support masking", "dropped"}) {
    EXPECT_NE(scope.warnings().front().find(part), std::string::npos) << part;
  }
}

TEST(Protocol, DroppedMaskCanBeAnErrorOrSilent) {
  const auto layer = std::make_shared<Probe>(false, false);
  {
    const Scope scope(MaskPropagation::kKeras315, OnMaskDropped::kError);
    EXPECT_TRUE(fails_with(ErrorKind::kValue, {"probe", "dropped", "withMask(null)"},
                           [&] { static_cast<void>(run(*layer, data().with_mask(mask()))); }));
    EXPECT_TRUE(scope.warnings().empty());
  }
  const Scope scope(MaskPropagation::kKeras315, OnMaskDropped::kSilent);
  EXPECT_EQ(run(*layer, data().with_mask(mask())).front().mask(), nullptr);
  EXPECT_TRUE(scope.warnings().empty());
}

TEST(Protocol, ReturnedInputKeepsItsMask) {
  const auto layer = std::make_shared<Probe>(false, false);
  layer->result = [](const Args& args, Frame&) { return args.inputs; };
  const Scope scope;
  const MaskPtr m = mask();
  EXPECT_EQ(run(*layer, data().with_mask(m)).front().mask(), m);
  EXPECT_TRUE(scope.warnings().empty()) << "the mask is not lost";
}

TEST(Protocol, MaskSetInCallIsKept) {
  const auto layer = std::make_shared<Probe>(false, true);
  const MaskPtr own = mask_of({1, 2}, {0, 0});
  layer->result = [&](const Args&, Frame&) { return Tensors{data().with_mask(own), data()}; };
  const MaskPtr m = mask();
  layer->computed = Masks{m, m};
  const Tensors y = run(*layer, data().with_mask(m));
  EXPECT_EQ(y[0].mask(), own);
  EXPECT_EQ(y[1].mask(), m);
}

TEST(Protocol, DefaultMasksOnlyTheFirstOutput) {
  const auto layer = std::make_shared<Probe>(false, true);
  layer->result = [](const Args&, Frame&) { return Tensors{data(), data()}; };
  const MaskPtr m = mask();
  const Tensors y = run(*layer, data().with_mask(m));
  EXPECT_EQ(y[0].mask(), m);
  EXPECT_EQ(y[1].mask(), nullptr);
}

TEST(Protocol, BuildsOnlyOnceEvenAfterAnError) {
  const auto layer = std::make_shared<Probe>(false, true);
  layer->result = [](const Args&, Frame&) -> Tensors { value_error("no"); };
  for (int i = 0; i < 2; ++i) EXPECT_THROW(static_cast<void>(run(*layer, data())), Error);
  layer->result = nullptr;
  static_cast<void>(run(*layer, data()));
  EXPECT_EQ(layer->builds, 1);
}

TEST(Protocol, TrainingReachesInnerLayersOnly) {
  const auto inner = std::make_shared<Probe>(false, true);
  const auto outer = std::make_shared<Probe>(false, true);
  Args args;
  args.inputs = {data()};
  args.training = true;
  outer->result = [&](const Args& given, Frame& frame) {
    Args plain;
    plain.inputs = given.inputs;
    return inner->run(std::move(plain), frame).tensors;
  };
  Frame outermost;
  static_cast<void>(outer->run(std::move(args), outermost));
  EXPECT_TRUE(inner->training);
  EXPECT_FALSE(outermost.training.has_value());
}

TEST(Protocol, ErrorNamesTheWholePath) {
  const auto inner = std::make_shared<Probe>(false, true);
  const auto outer = std::make_shared<Probe>(false, true);
  inner->set_name("inner");
  outer->set_name("outer");
  inner->result = [](const Args&, Frame&) -> Tensors { shape_error("the reason"); };
  outer->result = [&](const Args& args, Frame&) { return run(*inner, args.inputs.front()); };
  try {
    static_cast<void>(run(*outer, data()));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "outer/inner: the reason");
  }
}

TEST(Protocol, TraceRecordsTheMask) {
  const auto takes = std::make_shared<Probe>(true, true);
  const auto drops = std::make_shared<Probe>(false, false);
  const Scope scope;
  Trace trace;
  Frame frame;
  frame.observer = &trace;
  Args masked;
  masked.inputs = {data().with_mask(mask())};
  Args passed;
  passed.inputs = takes->run(masked, frame).tensors;
  static_cast<void>(drops->run(std::move(passed), frame));
  masked.tensors.push_back({"more", {data()}, true});
  static_cast<void>(takes->run(std::move(masked), frame));
  const std::vector<TraceEvent>& events = trace.events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_TRUE(events[0].takes_mask && events[0].supports_masking && !events[0].mask_ignored);
  EXPECT_NE(events[0].out.front(), nullptr);
  EXPECT_FALSE(events[1].supports_masking);
  EXPECT_NE(events[1].in.front(), nullptr);
  EXPECT_EQ(events[1].out.front(), nullptr);
  EXPECT_TRUE(events[2].mask_ignored);
}

}  // namespace
}  // namespace maskflow
