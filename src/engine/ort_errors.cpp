// The table of ONNX Runtime's messages (as release 1.32 words them): pattern, kind, sentence, hint. The first row that
// matches wins, so the rows go from the particular to the general.
#include "engine/ort_errors.h"

#include <algorithm>
#include <array>
#include <regex>

namespace berth::engine {
namespace {

struct Row {
  const char* pattern;  // ECMAScript, searched for
  ErrorKind kind;
  const char* sentence;  // $1 … are the pattern's groups
  const char* hint;
};

constexpr const char* kNewerRuntime = "export it for an older version, or use a newer ONNX Runtime with --ort-library";
constexpr const char* kKeepTogether = "a model and its weights files travel together, in one folder";
constexpr const char* kFewerTokens = "put fewer tokens into one run (--batch-tokens)";

constexpr std::array kRows = {
    // Reading the file.
    Row{"[Pp]rotobuf parsing failed", ErrorKind::invalid_input, "is not an ONNX model, or is damaged or cut off", ""},
    Row{"No graph was found in the protobuf", ErrorKind::invalid_input, "is not an ONNX model: it holds no graph", ""},
    Row{"Unsupported model IR version: (-?\\d+), max supported IR version: (\\d+)", ErrorKind::unsupported,
        "has IR version $1, and this ONNX Runtime reads up to $2", kNewerRuntime},
    Row{"Opset (\\d+) is under development[^]*support for domain (\\S+) is till opset (\\d+)", ErrorKind::unsupported,
        "needs opset $1 of $2, and this ONNX Runtime has up to $3", kNewerRuntime},
    Row{"External data path does not exist: \"[^\"]*?([^\"/]+)\"", ErrorKind::not_found,
        "needs the weights file $1, which is missing", kKeepTogether},
    Row{"External data path escapes model directory\\. External data path: \"([^\"]+)\"", ErrorKind::invalid_input,
        "wants to read weights from $1, outside its own folder", kKeepTogether},
    Row{"External initializer: (\\S+) offset: (\\d+) size to read: (\\d+) given file_length: (\\d+)",
        ErrorKind::invalid_input, "expects $3 bytes of tensor $1 at offset $2 of a weights file of $4 bytes",
        "the weights file is cut off, or belongs to another model"},
    Row{"[Ee]xternal data path validation failed for initializer: (\\S+?)\\.", ErrorKind::invalid_input,
        "names a weights file for tensor $1 that cannot be used", kKeepTogether},

    // Building the graph.
    Row{"No Op registered for (\\S+) with domain_version of (\\d+)", ErrorKind::unsupported,
        "uses operator $1, which this ONNX Runtime does not know at opset $2", ""},
    Row{"Fatal error: (\\S*):(\\w+)\\(-?\\d+\\) is not a registered function/op", ErrorKind::unsupported,
        "uses operator $2 of domain $1, which this ONNX Runtime does not know", "custom operators are not loaded"},
    Row{"No opset import for domain '([^']*)'", ErrorKind::invalid_input,
        "uses operators of domain $1 without importing it", ""},
    Row{"Could not find an implementation for (\\w+)\\((\\d+)\\)", ErrorKind::unsupported,
        "uses operator $1 (opset $2) with types for which this provider has no kernel", ""},
    Row{"Type Error: ([^]{1,300})", ErrorKind::invalid_input, "has types that do not fit: $1", ""},
    Row{"Node \\(([^)]*)\\) Op \\((\\w+)\\) \\[ShapeInferenceError\\] ([^]{1,300})", ErrorKind::invalid_input,
        "has shapes that do not fit at $2 '$1': $3", ""},
    Row{"Node input '([^']*)' is not a graph input, initializer, or output of a previous node",
        ErrorKind::invalid_input, "uses the value '$1', which nothing produces", ""},
    Row{"the graph is not acyclic", ErrorKind::invalid_input, "has a graph with a cycle", ""},

    // Providers.
    Row{"lib(onnxruntime_providers_\\w+)\\.so", ErrorKind::unsupported, "needs $1, which cannot be loaded",
        "install the provider's libraries (CUDA, cuDNN, TensorRT) or use --provider cpu"},
    Row{"(CUDA|CUDNN|CUBLAS) failure (\\d+): ([^;]{1,200})", ErrorKind::unsupported,
        "cannot use the GPU: $1 error $2, $3", "see the driver, or use --provider cpu"},

    // Running.
    Row{"Failed to allocate memory for requested buffer of size (\\d+)", ErrorKind::limit,
        "needs $1 bytes more than there is memory", kFewerTokens},
    Row{"bad_alloc", ErrorKind::limit, "needs more than there is memory", kFewerTokens},
    Row{"indices element out of data bounds, idx=(-?\\d+) must be within the inclusive range \\[-?\\d+,(-?\\d+)\\]",
        ErrorKind::invalid_input, "looks up row $1 of a table whose last row is $2",
        "the tokenizer may belong to another model, or the text is longer than the model's position table"},
    Row{"Attempting to broadcast an axis by a dimension other than 1\\. (\\d+) by (\\d+)", ErrorKind::invalid_input,
        "cannot combine sizes $1 and $2", "the text may be longer than the model's position table"},
    Row{"running (\\w+) node\\. Name:'([^']*)' Status Message: ([^]{1,300})", ErrorKind::invalid_input,
        "fails at $1 '$2': $3", ""},
};

// Long enough for every pattern; std::regex recurses over its subject.
constexpr std::size_t kLongestSubject = 2048;
constexpr std::size_t kLongestQuote = 300;

// One line; a build's own source positions mean nothing to a reader.
std::string readable(std::string text) {
  static const std::regex source_position("/onnxruntime_src/\\S+:\\d+ [^\\n]{0,400}?\\)( const)? ");
  text = std::regex_replace(text, source_position, "");
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

ErrorKind kind_of(OrtErrorCode code) {
  switch (code) {
    case ORT_NO_SUCHFILE: return ErrorKind::not_found;
    case ORT_INVALID_ARGUMENT:
    case ORT_INVALID_PROTOBUF:
    case ORT_INVALID_GRAPH: return ErrorKind::invalid_input;
    default: return ErrorKind::unsupported;
  }
}

}  // namespace

Error translate(const std::string& message, OrtErrorCode code, const std::string& where) {
  const std::string subject = message.substr(0, kLongestSubject);
  for (const Row& row : kRows) {
    std::smatch match;
    if (std::regex_search(subject, match, std::regex(row.pattern))) {
      return Error(row.kind, where, readable(match.format(row.sentence)), row.hint);
    }
  }
  return Error(kind_of(code), where, "ONNX Runtime refuses it: " + readable(subject).substr(0, kLongestQuote));
}

}  // namespace berth::engine
