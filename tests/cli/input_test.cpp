// Standard input that can be interrupted.
#include "cli/input.h"

#include <gmock/gmock.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "berth/error.h"

namespace berth::cli {
namespace {

class Stoppable final : public Progress {
 public:
  void throw_if_cancelled() const override { cancellation.throw_if_cancelled(); }
  Cancellation cancellation;
};

class Input : public ::testing::Test {
 protected:
  Input() { EXPECT_EQ(::pipe(ends_), 0); }
  ~Input() override {
    ::close(ends_[0]);
    close_writing_end();
  }
  void write(std::string_view text) {
    EXPECT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void close_writing_end() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  int ends_[2]{};
  Stoppable progress_;
};

TEST_F(Input, GivesLinesAsTheyCome) {
  InterruptibleInput input(ends_[0], progress_);
  std::string line;
  write("first\nsec");
  ASSERT_TRUE(std::getline(input, line));
  EXPECT_EQ(line, "first");
  write("ond\n\nlast");
  close_writing_end();
  std::vector<std::string> rest;
  while (std::getline(input, line)) rest.push_back(line);
  EXPECT_THAT(rest, ::testing::ElementsAre("second", "", "last"));
}

TEST_F(Input, EndsAtOnceWhenItIsCancelled) {
  InterruptibleInput input(ends_[0], progress_);
  std::thread other([&] { progress_.cancellation.cancel(); });
  std::string line;
  try {
    std::getline(input, line);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  other.join();
}

TEST_F(Input, SaysWhenItCannotBeRead) {
  InterruptibleInput input(ends_[1], progress_);  // the end for writing
  close_writing_end();
  std::string line;
  EXPECT_THROW(std::getline(input, line), Error);
}

}  // namespace
}  // namespace berth::cli
