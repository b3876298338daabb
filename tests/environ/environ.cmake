# A made-up libnvidia-ml.so.1, so that the code that talks to GPUs runs on machines without one.

add_library(trainmark_fake_nvml MODULE ${CMAKE_CURRENT_LIST_DIR}/nvml/fake_nvml.cpp)
target_link_libraries(trainmark_fake_nvml PRIVATE trainmark_compiler)
target_include_directories(trainmark_fake_nvml PRIVATE ${CMAKE_SOURCE_DIR}/src)
set_target_properties(trainmark_fake_nvml PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests-lib PREFIX "" OUTPUT_NAME fake_nvml)
add_dependencies(trainmark_tests trainmark_fake_nvml)
tell_where(TRAINMARK_FAKE_NVML="$<TARGET_FILE:trainmark_fake_nvml>" environ/nvml/nvml_test.cpp
  environ/conditions/conditions_test.cpp)
