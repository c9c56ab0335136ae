# What is installed, and the packages made of it (scripts/package): a tar.gz that runs wherever it is unpacked, and a .deb.
# berth finds its libraries relative to itself, so both have the same tree: bin/berth, lib/berth/*.so, share/doc/berth.
include(GNUInstallDirs)

install(TARGETS berth RUNTIME DESTINATION bin)
install(FILES ${BERTH_ORT_LIBRARY} DESTINATION lib/berth RENAME libonnxruntime.so)

# simdjson comes as a shared library only; a copy beside ONNX Runtime saves every user from installing it.
install(FILES $<TARGET_FILE:simdjson::simdjson>
  DESTINATION lib/berth RENAME $<TARGET_SONAME_FILE_NAME:simdjson::simdjson>)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION share/doc/berth)
install(FILES ${BERTH_DEPS}/onnxruntime/LICENSE DESTINATION share/doc/berth RENAME onnxruntime-LICENSE)
install(FILES ${BERTH_DEPS}/onnxruntime/ThirdPartyNotices.txt
  DESTINATION share/doc/berth RENAME onnxruntime-ThirdPartyNotices.txt)

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME berth)
set(CPACK_PACKAGE_CONTACT "The berth authors <berth@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "From a Hugging Face checkpoint to a fast, verified model on a CPU")
set(CPACK_PACKAGE_FILE_NAME berth-${PROJECT_VERSION}-linux-x86_64)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libstdc++6 (>= 12)")
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_SOURCE_DIR}/dist)
include(CPack)
