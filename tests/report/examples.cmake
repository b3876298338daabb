# The format that docs/adding.md shows, so that it stays true.
file(GLOB report_examples CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/examples/report/*.cpp)
target_sources(trainmark_tests PRIVATE ${report_examples})
