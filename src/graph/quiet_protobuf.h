// Protobuf writes its complaints to standard error, where a library has nothing to say.
#pragma once

namespace berth::graph {

// Once for the process; from any thread.
void silence_protobuf();

}  // namespace berth::graph
