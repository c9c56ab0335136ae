// The one error type of berth: what kind of thing went wrong, what was found, and what to do about it.
// Every function of the library reports failure by throwing it. It is caught at the program's edges, and where a failure
// is itself a result: a list of problems, a row of a file.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace berth {

// The edges turn a kind into an exit code or an HTTP status, each in one table.
enum class ErrorKind {
  usage,          // the caller's request makes no sense: an option, an argument
  invalid_input,  // a file or a message is broken
  unsupported,    // it is well formed, and berth does not do it
  not_found,      // a file, a model, a name that is not there
  mismatch,       // two things that must agree do not: numbers, hashes, shapes
  limit,          // larger or longer than is allowed
  busy,           // try again later
  cancelled,      // the caller gave up, or the user interrupted
  io,             // the operating system refused
  internal,       // a defect in berth itself
};

[[nodiscard]] std::string_view name_of(ErrorKind kind) noexcept;

// `where` names the place (file, JSON path, tensor, row), `message` says what was found and what was expected,
// `hint` what to do; `hint` and `where` may be empty. what() is "WHERE: MESSAGE".
//
//   throw Error(ErrorKind::mismatch, "model.safetensors: classifier.weight", "has shape [2, 8], expected [3, 8]");
class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string where, std::string message, std::string hint = {});

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] const std::string& where() const noexcept { return where_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }
  [[nodiscard]] const char* what() const noexcept override { return what_.c_str(); }

 private:
  ErrorKind kind_;
  std::string where_;
  std::string message_;
  std::string hint_;
  std::string what_;
};

}  // namespace berth
