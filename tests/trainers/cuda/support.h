#pragma once

#include <gtest/gtest.h>

#include "engine/accelerator.h"
#include "engine/device.h"

namespace trainmark::train {

/// Tests that need a GPU say why where there is none.
class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    const DeviceDescription cuda = find_devices().at(1);
    if (!cuda.missing.empty()) GTEST_SKIP() << cuda.missing;
    accelerator = open_accelerator("cuda");
  }

  Accelerator* accelerator = nullptr;
};

}  // namespace trainmark::train
