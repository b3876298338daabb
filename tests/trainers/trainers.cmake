# Tests of the trainers. A test file is found by its name; only those in cpu/, cuda/, distributed/, engine/, input/, layers/, models/, quality/
# and workload/ need LibTorch themselves, the others drive the built programs or the parts that do without it.

# Test machines are shared: threads that spin while they wait for a core make steps 100 times longer.
set(one_thread OMP_NUM_THREADS=1)

file(GLOB common_tests CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_LIST_DIR}/common/*_test.cpp ${CMAKE_CURRENT_LIST_DIR}/clock/*_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/train/*_test.cpp ${CMAKE_CURRENT_LIST_DIR}/support/*.cpp)
add_executable(trainmark_trainer_tests ${common_tests}
  ${CMAKE_SOURCE_DIR}/trainers/clock/learning.cpp ${CMAKE_SOURCE_DIR}/trainers/clock/schedule.cpp)
compile_together(trainmark_trainer_tests)
target_include_directories(trainmark_trainer_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/..)
target_precompile_headers(trainmark_trainer_tests PRIVATE <gtest/gtest.h> <nlohmann/json.hpp>)
tell_where(TRAINMARK_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" ${CMAKE_CURRENT_LIST_DIR}/support/program.cpp)
target_link_libraries(trainmark_trainer_tests PRIVATE trainmark_compiler trainmark_trainer_common trainmark_data
                      GTest::gtest GTest::gtest_main)
add_dependencies(trainmark_trainer_tests trainmark-clock trainmark-train)
add_shares(trainmark_trainer_tests 6 * ${one_thread})

file(GLOB_RECURSE train_tests CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_LIST_DIR}/engine/*_test.cpp ${CMAKE_CURRENT_LIST_DIR}/layers/*_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/models/*_test.cpp ${CMAKE_CURRENT_LIST_DIR}/cuda/*_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/cpu/*_test.cpp ${CMAKE_CURRENT_LIST_DIR}/distributed/*_test.cpp ${CMAKE_CURRENT_LIST_DIR}/input/*_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/quality/*_test.cpp ${CMAKE_CURRENT_LIST_DIR}/workload/*_test.cpp)
add_executable(trainmark_train_tests ${train_tests})
compile_together(trainmark_train_tests)
tell_where(TRAINMARK_SOURCE="${CMAKE_SOURCE_DIR}" ${CMAKE_CURRENT_LIST_DIR}/cuda/launch_test.cpp)
target_include_directories(trainmark_train_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/.. ${CMAKE_CURRENT_LIST_DIR}/cuda)
target_precompile_headers(trainmark_train_tests REUSE_FROM trainmark_train_objects)
target_link_libraries(trainmark_train_tests PRIVATE trainmark_compiler trainmark_train_objects
                      GTest::gtest GTest::gtest_main)
add_shares(trainmark_train_tests 16 * ${one_thread})

# The worked example of docs/adding.md: it must build and learn as it stands there.
file(GLOB example_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/examples/*.cpp)
add_executable(trainmark_example_tests ${example_sources} ${CMAKE_CURRENT_LIST_DIR}/example/contracts.cpp)
file(GLOB example_contracts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/examples/perceptron.yaml)
embed_files(trainmark_example_tests example_workloads ${example_contracts})
target_include_directories(trainmark_example_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/..)
target_precompile_headers(trainmark_example_tests REUSE_FROM trainmark_train_objects)
target_link_libraries(trainmark_example_tests PRIVATE trainmark_compiler trainmark_train_objects
                      GTest::gtest GTest::gtest_main)
add_shares(trainmark_example_tests 1 * ${one_thread})

# docs/workloads.md has the numbers of the contracts.
add_test(NAME workload_tables COMMAND python3 ${CMAKE_SOURCE_DIR}/scripts/workload-tables --check)
