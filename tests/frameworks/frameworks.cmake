# Tests of the Python trainers, each in the environment of its own framework; also the proof that they train what the
# C++ trainers train. `make test` installs some of the environments, `make test-frameworks` all.

# The folders are no packages (they have no __init__.py): a package `paddle` here would hide PaddlePaddle's own.
function(add_python_tests name python)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/${name}/test_*.py)
  foreach(file ${files})
    cmake_path(GET file STEM test)
    add_test(NAME frameworks.${name}.${test} COMMAND ${python} -m unittest discover ${CMAKE_CURRENT_LIST_DIR}/${name} ${test}.py)
    set_tests_properties(frameworks.${name}.${test} PROPERTIES TIMEOUT ${hang_seconds} COST 1000 LABELS frameworks
      ENVIRONMENT
      "OMP_NUM_THREADS=1;PYTHONPATH=${CMAKE_CURRENT_LIST_DIR};TRAINMARK_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  endforeach()
endfunction()

# What the C++ pipeline makes of pictures, to be compared with what others make of them.
add_executable(trainmark_save_batch ${CMAKE_CURRENT_LIST_DIR}/save_batch.cpp)
target_link_libraries(trainmark_save_batch PRIVATE trainmark_compiler trainmark_data)
target_sources(trainmark_save_batch PRIVATE $<TARGET_OBJECTS:trainmark_data>)

file(GLOB requirements CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/frameworks/*/requirements.txt)
foreach(file ${requirements})
  cmake_path(GET file PARENT_PATH framework)
  cmake_path(GET framework FILENAME framework)
  if(NOT EXISTS ${CMAKE_CURRENT_LIST_DIR}/${framework})
    continue()
  endif()
  set(python ${CMAKE_SOURCE_DIR}/.venv/${framework}/bin/python)
  if(NOT EXISTS ${python})
    message(STATUS "No .venv/${framework}: its tests are left out (scripts/setup ${framework} installs it)")
    continue()
  endif()
  add_python_tests(${framework} ${python})
  set(any_python ${python})
endforeach()
if(any_python)
  add_python_tests(common ${any_python})
endif()

# Metrics beside those of scikit-learn and SciPy, which the frameworks do not need.
set(python ${CMAKE_SOURCE_DIR}/.venv/readers/bin/python)
if(EXISTS ${python})
  add_python_tests(metrics ${python})
else()
  message(STATUS "No .venv/readers: metrics are not compared with other libraries' (scripts/setup readers installs them)")
endif()
