// Bounds on what a check may say.
#include "graph/problems.h"

#include <utility>

namespace berth::graph {
namespace {

constexpr std::size_t kMaxProblems = 100;
constexpr std::size_t kMaxBytes = 1000;

}  // namespace

bool Problems::full() const noexcept { return list_.size() >= kMaxProblems; }

void Problems::add(std::string problem) {
  if (full()) {
    ++left_out_;
    return;
  }
  if (problem.size() > kMaxBytes) problem = problem.substr(0, kMaxBytes) + "…";
  list_.push_back(std::move(problem));
}

std::vector<std::string> Problems::take() {
  if (left_out_ != 0) list_.push_back("and " + std::to_string(left_out_) + " more");
  return std::move(list_);
}

}  // namespace berth::graph
