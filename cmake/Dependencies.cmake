# The libraries that berth is built from. `scripts/setup` puts those that Debian does not have into BERTH_DEPS.
# What each is for, and why it and no other: docs/dependencies.md.
set(BERTH_DEPS "$ENV{BERTH_CACHE}" CACHE PATH "The folder that scripts/setup filled")
if(NOT BERTH_DEPS)
  if(DEFINED ENV{XDG_CACHE_HOME})
    set(BERTH_DEPS "$ENV{XDG_CACHE_HOME}/berth/deps" CACHE PATH "" FORCE)
  else()
    set(BERTH_DEPS "$ENV{HOME}/.cache/berth/deps" CACHE PATH "" FORCE)
  endif()
endif()

set(BERTH_ORT_VERSION 1.32.0)
set(BERTH_ORT_LIBRARY "${BERTH_DEPS}/onnxruntime/lib/libonnxruntime.so.${BERTH_ORT_VERSION}")
foreach(part runtime headers onnx)
  if(NOT EXISTS "${BERTH_DEPS}/done.${part}")
    message(FATAL_ERROR "berth's dependencies are not whole in ${BERTH_DEPS}: run scripts/setup first")
  endif()
endforeach()

find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(Threads REQUIRED)
set(OPENSSL_USE_STATIC_LIBS ON)  # fewer shared libraries that a package must find elsewhere
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
set(Protobuf_USE_STATIC_LIBS ON)
find_package(Protobuf REQUIRED)
# Its config file wants a Protobuf package in config mode, which Debian does not have: the targets are all that is needed.
include("${BERTH_DEPS}/onnx/lib/cmake/ONNX/ONNXTargets.cmake")

# ONNX Runtime is opened at run time: only its headers are needed here.
add_library(berth_ort_headers INTERFACE)
target_include_directories(berth_ort_headers SYSTEM INTERFACE "${BERTH_DEPS}/onnxruntime/include")
