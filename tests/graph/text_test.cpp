// The text form of a graph.
#include <gtest/gtest.h>

#include "berth/graph.h"
#include "graph/models.h"

namespace berth::graph {
namespace {

TEST(Text, GivesALineANode) {
  EXPECT_EQ(to_text(test::linear_model()),
            "ir 8, ai.onnx 17\n"
            "in %x: float32[batch, 32]\n"
            "const %weight: float32[32, 24]\n"
            "const %bias: float32[24]\n"
            "%xw = MatMul(%x, %weight)\n"
            "%y = Add(%xw, %bias)\n"
            "out %y: float32[batch, 24]\n");
}

TEST(Text, ShowsAttributesBranchesAndSmallConstants) {
  EXPECT_EQ(to_text(test::varied_model()),
            "ir 8, ai.onnx 17, com.microsoft 1\n"
            "in %x: float32[batch, 4]\n"
            "in %flag: bool[]\n"
            "in %any: float32[?, 4]\n"
            "const %axes: int64[2] = {1, -1}\n"
            "const %scale: float32[] = {2}\n"
            "const %table: float32[40, 10]\n"
            "%chosen = If(%flag)\n"
            "  then_branch:\n"
            "    %then_out = Relu(%x)\n"
            "    out %then_out: float32[batch, 4]\n"
            "  else_branch:\n"
            "    %else_out = Neg(%x)\n"
            "    out %else_out: float32[batch, 4]\n"
            "%shift = Constant() {value=float32[1, 4] = {0, 1, 2, 3}}\n"
            "%z, _, %w = com.microsoft.EveryAttribute(%chosen, _, %shift) {int=-3, float=0.5, text='gelu', "
            "ints=[0, -1, 1099511627776], floats=[1.5, -0], texts=['a', ''], no_ints=[]}\n"
            "out %z: float32[…]\n"
            "out %w: int64[batch, ?]\n");
}

}  // namespace
}  // namespace berth::graph
