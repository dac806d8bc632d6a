// main of every GoogleTest program. Exit codes, for ctest's SKIP_RETURN_CODE: 1 if a case failed, whatever was skipped
// beside it; 77 if all cases that ran were skipped; 1 if no case ran, since a filter that fits nothing tests nothing;
// else 0.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

int main(int count, char** arguments) {
  testing::InitGoogleMock(&count, arguments);
  if (RUN_ALL_TESTS() != 0) return 1;
  if (GTEST_FLAG_GET(list_tests)) return 0;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  if (all.test_to_run_count() == 0) {
    std::cerr << "no case fits the filter " << GTEST_FLAG_GET(filter) << '\n';
    return 1;
  }
  return all.skipped_test_count() == all.test_to_run_count() ? 77 : 0;
}
