# `cmake --install`, which `make install`, the wheel and the Debian package are made with. Below the prefix:
#   bin/trainmark              the bench
#   libexec/trainmark          its trainers
#   share/trainmark            what it reads: suites, frameworks, contracts
#   share/{man,zsh,fish,…}     pages and completions, made from the options of the program itself
# The program finds the others from its own place (src/base/version.cpp): the tree can be moved, and is never written to.

option(TRAINMARK_BUNDLE_SIMDJSON "Install libsimdjson beside the bench, for machines without it" OFF)

install(TARGETS trainmark RUNTIME DESTINATION bin COMPONENT bench)
install(TARGETS trainmark-clock RUNTIME DESTINATION libexec/trainmark COMPONENT bench)

install(DIRECTORY frameworks protocol recipes references suites workloads DESTINATION share/trainmark COMPONENT bench
        USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE PATTERN .venv EXCLUDE)
install(PROGRAMS scripts/install-frameworks DESTINATION share/trainmark/scripts COMPONENT bench)
install(FILES scripts/environments.sh DESTINATION share/trainmark/scripts COMPONENT bench)
install(FILES LICENSE README.md README.zh.md SECURITY.md DESTINATION share/doc/trainmark COMPONENT bench)
install(DIRECTORY docs DESTINATION share/doc/trainmark COMPONENT bench FILES_MATCHING PATTERN "*.md")

set(pages ${CMAKE_BINARY_DIR}/generated/share)
install(CODE "
  file(REMOVE_RECURSE \"${pages}\")
  execute_process(COMMAND \"$<TARGET_FILE:trainmark>\" pages \"${pages}\" COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB manuals \"${pages}/man/man1/*.1\")
  execute_process(COMMAND gzip --best --no-name \${manuals} COMMAND_ERROR_IS_FATAL ANY)
" COMPONENT bench)
install(DIRECTORY ${pages}/ DESTINATION share COMPONENT bench)

if(TRAINMARK_BUNDLE_SIMDJSON)
  find_package(simdjson REQUIRED)
  get_target_property(simdjson_library simdjson::simdjson LOCATION)
  file(REAL_PATH ${simdjson_library} simdjson_file)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${simdjson_file} OUTPUT_VARIABLE simdjson_headers)
  string(REGEX MATCH "SONAME +([^\n ]+)" ignored "${simdjson_headers}")
  install(FILES ${simdjson_file} DESTINATION lib/trainmark RENAME ${CMAKE_MATCH_1} COMPONENT bench)
  set_target_properties(trainmark PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/trainmark")
endif()

if(TRAINMARK_TRAINERS)
  file(STRINGS ${TRAINMARK_TORCH_FOUND}/version.py torch_line REGEX "^__version__")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" TRAINMARK_TORCH_VERSION "${torch_line}")
  configure_file(trainers/train/trainmark-train.sh.in generated/launcher/trainmark-train @ONLY)
  install(PROGRAMS ${CMAKE_BINARY_DIR}/generated/launcher/trainmark-train DESTINATION libexec/trainmark COMPONENT trainers)
  install(TARGETS trainmark-train RUNTIME DESTINATION libexec/trainmark/libtorch COMPONENT trainers)
  install(FILES trainers/requirements.txt trainers/requirements.lock DESTINATION share/trainmark/trainers COMPONENT trainers)
  if(TARGET trainmark-cuda)
    # Where it was built: on machines with a GPU, and for wheels.
    install(TARGETS trainmark-cuda LIBRARY DESTINATION libexec/trainmark/libtorch COMPONENT trainers OPTIONAL)
  endif()
endif()

# Who installs has built what he wants to install; the tests need not be among it.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

# The Debian package: `make deb`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The Trainmark developers <trainmark@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "measures how fast deep-learning training runs")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Trainmark measures training speed as a matrix of workloads, frameworks, precisions, batches and scales. Every run is kept,
every figure has an interval, and what makes a figure doubtful is said beside it. It also measures any program that prints
its speed, and reads the logs of other programs. Frameworks are installed by `trainmark setup`, for each user.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libc6 (>= 2.36), libgcc-s1, libstdc++6 (>= 12), libsimdjson14 (>= 3.0.1), python3 (>= 3.11), python3-yaml")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-venv")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "openmpi-bin, slurm-client, bash-completion")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
