// ONNX Runtime is not built with the thread sanitizer, which cannot see how its own threads synchronize.
#ifdef __SANITIZE_THREAD__
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return "called_from_lib:libonnxruntime.so\n"
         "race:libonnxruntime.so\n";
}
#endif
