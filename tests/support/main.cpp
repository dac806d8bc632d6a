// main of every GoogleTest program. Exit codes, for ctest's SKIP_RETURN_CODE: 1 if a case failed, whatever was skipped beside it;
// 77 if all cases that ran were skipped; 1 if no case ran, since a filter that fits nothing tests nothing; else 0.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <string>

namespace {

/// GoogleTest's own printer, but for skips. CMake's gtest_discover_tests takes GoogleTest's word for a skipped case as a skip even if the
/// program fails, and this cannot be switched off; so nothing here prints that word.
class Printer : public testing::EmptyTestEventListener {
 public:
  explicit Printer(testing::TestEventListener* printer) : printer_(printer) {}

  void OnTestProgramStart(const testing::UnitTest& all) override { printer_->OnTestProgramStart(all); }
  void OnTestIterationStart(const testing::UnitTest& all, int iteration) override { printer_->OnTestIterationStart(all, iteration); }
  void OnTestSuiteStart(const testing::TestSuite& suite) override { printer_->OnTestSuiteStart(suite); }
  void OnTestStart(const testing::TestInfo& test) override { printer_->OnTestStart(test); }
  void OnTestPartResult(const testing::TestPartResult& result) override { printer_->OnTestPartResult(result); }
  void OnTestSuiteEnd(const testing::TestSuite& suite) override { printer_->OnTestSuiteEnd(suite); }

  void OnTestEnd(const testing::TestInfo& test) override {
    if (test.result()->Skipped())
      std::cout << "[  SKIP    ] " << test.test_suite_name() << '.' << test.name() << std::endl;
    else
      printer_->OnTestEnd(test);
  }

  void OnTestIterationEnd(const testing::UnitTest& all, int iteration) override {
    if (all.skipped_test_count() == 0) {
      printer_->OnTestIterationEnd(all, iteration);
      return;
    }
    std::cout << "[==========] " << all.test_to_run_count() << " ran: " << all.successful_test_count() << " passed, " << all.skipped_test_count()
              << " skipped, " << all.failed_test_count() << " failed\n";
    for (int s = 0; s < all.total_test_suite_count(); ++s)
      for (int t = 0; t < all.GetTestSuite(s)->total_test_count(); ++t) list(*all.GetTestSuite(s)->GetTestInfo(t));
    std::cout.flush();
  }

 private:
  static void list(const testing::TestInfo& test) {
    if (!test.should_run() || test.result()->Passed()) return;
    std::cout << (test.result()->Skipped() ? "[  SKIP    ] " : "[  FAILED  ] ") << test.test_suite_name() << '.' << test.name() << '\n';
  }

  std::unique_ptr<testing::TestEventListener> printer_;
};

}  // namespace

int main(int count, char** arguments) {
  testing::InitGoogleMock(&count, arguments);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  listeners.Append(new Printer(listeners.Release(listeners.default_result_printer())));
  if (RUN_ALL_TESTS() != 0) return 1;
  if (GTEST_FLAG_GET(list_tests)) return 0;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  if (all.test_to_run_count() == 0) {
    std::cerr << "no case fits the filter " << GTEST_FLAG_GET(filter) << '\n';
    return 1;
  }
  return all.skipped_test_count() == all.test_to_run_count() ? 77 : 0;
}
