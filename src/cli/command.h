// A command as data: its arguments and options are rows of tables, from which the parser, the help and docs/cli.md are
// made. A command is one file that defines one Command, and one line in the list of commands.cpp.
#pragma once

#include <span>
#include <string_view>

#include "base/progress.h"
#include "cli/exit_code.h"
#include "cli/value.h"

namespace berth::cli {

class Arguments;
class Console;

struct Option {
  std::string_view name;                         // "--output"
  char letter;                                   // 'o' for -o, or kNoLetter
  std::string_view value;                        // its name in the help, "DIR"; empty for a switch
  ValueKind kind;                                // what the value must be; choices are the words of `value`: "copy|map"
  std::string_view help;
  std::string_view fallback = "";                // what holds when it is not given; empty when there is nothing to say
  bool required = false;
};

inline constexpr char kNoLetter = '\0';

struct OptionGroup {
  std::string_view title;                        // of options that commands share; empty for those of one command
  std::span<const Option> options;
};

enum class Arity { one, any };

struct Argument {
  std::string_view name;                         // "CHECKPOINT"
  Arity arity;                                   // `any` only in the last place
  ValueKind kind;
  std::string_view help;
};

// What a command works with. `progress` also tells it to stop: long work asks it.
struct Context {
  const Arguments& arguments;
  Console& console;
  Progress& progress;
};

struct Command {
  std::string_view name;
  std::string_view summary;                      // one line, without a full stop
  std::string_view details;                      // a paragraph
  std::span<const Argument> arguments;
  std::span<const OptionGroup> groups;           // the options that every command has come on top of these
  std::span<const std::string_view> examples;
  ExitCode (*run)(const Context& context);       // throws Error
  bool hidden = false;                           // for the project's own use: not in the help
};

}  // namespace berth::cli
