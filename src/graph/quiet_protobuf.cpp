// What protobuf would log, its callers learn from the result of a parse.
#include "graph/quiet_protobuf.h"

#include <google/protobuf/stubs/logging.h>
#include <mutex>

namespace berth::graph {

void silence_protobuf() {
  static std::once_flag once;
  std::call_once(once, [] { google::protobuf::SetLogHandler(nullptr); });
}

}  // namespace berth::graph
