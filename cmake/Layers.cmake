# One static library for each folder of src/, lowest first. src/README.md lists the layers and what each is for;
# tests/project/layers_test.cpp holds the includes against that list.
#
#   berth_layer(NAME [LINKS target...])   links all layers before it, and the named targets
function(berth_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS")
  get_property(lower GLOBAL PROPERTY BERTH_LAYERS)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(berth_${name} STATIC ${sources})
  target_include_directories(berth_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM lower PREPEND berth_ OUTPUT_VARIABLE lower_targets)
  list(REVERSE lower_targets)
  target_link_libraries(berth_${name} PUBLIC ${lower_targets} ${arg_LINKS})
  set_property(GLOBAL APPEND PROPERTY BERTH_LAYERS ${name})
endfunction()
