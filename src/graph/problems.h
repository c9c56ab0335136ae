// A list of problems that stays short, whatever is wrong with a model.
#pragma once

#include <string>
#include <vector>

namespace berth::graph {

class Problems {
 public:
  void add(std::string problem);
  [[nodiscard]] bool empty() const noexcept { return list_.empty(); }
  [[nodiscard]] bool full() const noexcept;
  [[nodiscard]] std::vector<std::string> take();  // with a last line that counts those left out

 private:
  std::vector<std::string> list_;
  std::size_t left_out_ = 0;
};

}  // namespace berth::graph
