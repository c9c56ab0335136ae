# What scripts/setup brings, with versions and SHA-256. Sourced, not run.
# Raising a version: change it here, run scripts/setup, put the hash it prints, run scripts/test.

ort_version=1.32.0
ort_wheel_sha256=5a34fc4dfeb5a7b4a74c95dcba1e773d722abda720b474edf1b0c419dc6d163d

# ONNX Runtime's C and C++ headers, API version 29: what the npm package for Unity carries (its iOS frameworks).
ort_headers_package=com.github.asus4.onnxruntime
ort_headers_version=0.4.9
ort_headers_sha256=e59788788818fdde1b2e522e766a21ba0f7d8391de55737abf81e32cc801785d

onnx_version=1.23.2
onnx_sha256=008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8

# Needed only while ONNX is built: a CMake of 3.26 or later, and what pip wants before it hands out a source archive.
build_tools=(
  "cmake==4.4.5 --hash=sha256:85625a9b6d5e88ff99c7eb79123d85570844e77ac076366cf75c609cc0b1b579"
  "scikit_build_core==1.1.2 --hash=sha256:7f4f959a467692db50bdd1ea7ce1507f2c7972e6023b753ee302d169bc4cec85"
  "packaging==26.4 --hash=sha256:81383611a09c1bc0b08b76e0fd5829d7c6824c65b27a6aee339da133f4233ea2"
  "pathspec==1.1.1 --hash=sha256:a00ce642f577bf7f473932318056212bc4f8bfdf53128c78bbd5af0b9b20b189"
)

# Debian packages: to build and run.
debian_build=(g++ cmake ninja-build ccache python3 python3-pip
  nlohmann-json3-dev libsimdjson-dev libcli11-dev libfmt-dev libssl-dev libprotobuf-dev protobuf-compiler)
# To test.
debian_test=(libgtest-dev libgmock-dev)
