#include "scenario/reading/table.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "scenario/reading/examine.hpp"
#include "support/error.hpp"

namespace conesweep::scenario {
namespace {

namespace fs = std::filesystem;

class Table : public testing::Test {
 protected:
  Table() {
    std::string name = (fs::temp_directory_path() / "conesweep-table-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = name;
  }
  ~Table() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return folder / name;
  }

  std::vector<double> column(const std::string& bytes, const std::string& name) const {
    return read_column(load_table(write("t.csv", bytes)), name);
  }

  // what is said about the table, without the folder's name
  std::string refusal(const std::string& bytes, const std::string& name) const {
    try {
      column(bytes, name);
    } catch (const InputError& error) {
      return without_folder(error.what());
    }
    return "no error";
  }

  std::string without_folder(std::string text) const {
    for (std::size_t at; (at = text.find(folder.string() + "/")) != std::string::npos;)
      text.erase(at, folder.string().size() + 1);
    return text;
  }

  // all problems of a scenario beside the tables
  std::string problems(const std::string& table, const std::string& members = "3") const {
    const fs::path file = write("s.toml",
                                "[model]\ncoordinates = [\"x\"]\nforce = [\"-mu\"]\n[model.parameters]\nmu = "
                                "1\n[start]\nx = \"0\"\n[time]\nend = 1\nstep = 0.1\n"
                                "[ensemble]\nmembers = " +
                                    members + "\n[vary]\nmu = { table = \"" + table + "\" }\n");
    std::string all;
    for (const auto& problem : examine(load_source(file)).problems) all += "\n" + without_folder(problem.to_text());
    return all;
  }

  fs::path folder;
};

using Values = std::vector<double>;

TEST_F(Table, GivesOneColumnInTheOrderOfItsRows) {
  EXPECT_EQ(column("a,mu,b\n1,2,3\n4,5.5e-1,6\n", "mu"), (Values{2, 0.55}));
  EXPECT_EQ(column("mu\n1\n2\n3", "mu"), (Values{1, 2, 3}));
}

TEST_F(Table, TakesWhatSpreadsheetsWrite) {
  EXPECT_EQ(column("\xEF\xBB\xBFmu,b\r\n1,2\r\n3,4\r\n", "mu"), (Values{1, 3})) << "byte order mark and CRLF";
  EXPECT_EQ(column(" \"mu\" , b\n \"1\" ,2\n\t+3 ,4\n", "mu"), (Values{1, 3})) << "quotes, blanks, tabs, a plus";
  EXPECT_EQ(column("mu,b\n\n1,2\n   \n3,4\n\n", "mu"), (Values{1, 3})) << "empty lines";
  EXPECT_EQ(column("\"a,b\",mu\n\"1,5\",2\n", "mu"), (Values{2})) << "commas inside quotes";
}

TEST_F(Table, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(refusal("mu,nu\n1,2\n", "mv"),
            "the table t.csv has no column 'mv'; did you mean 'mu'? (its columns: mu and nu)");
  EXPECT_EQ(refusal("mu,nu\n1,2\n", "length"), "the table t.csv has no column 'length' (its columns: mu and nu)");
  EXPECT_EQ(refusal("mu,nu\n1,2\n\nx,4\n", "mu"), "t.csv:4: 'x' in column 'mu' is not a finite number");
  EXPECT_EQ(refusal("mu\n1\n1;5\n", "mu"), "t.csv:3: '1;5' in column 'mu' is not a finite number");
  EXPECT_EQ(refusal("mu\nnan\n", "mu"), "t.csv:2: 'nan' in column 'mu' is not a finite number");
  EXPECT_EQ(refusal("mu\n1e999\n", "mu"), "t.csv:2: '1e999' in column 'mu' is not a finite number");
  EXPECT_EQ(refusal("a,mu\n1,\n", "mu"), "t.csv:2: '' in column 'mu' is not a finite number");
  EXPECT_EQ(refusal("mu\n\"1,5\"\n", "mu"), "t.csv:2: '1,5' in column 'mu' is not a finite number");
  EXPECT_EQ(refusal("", "mu"), "the table t.csv is empty");
  EXPECT_EQ(refusal("mu\n", "mu"), "the table t.csv has no rows");
}

TEST_F(Table, HasAsManyCellsInEveryRowAsInTheHeader) {
  const std::string comma = "; a comma parts cells, so decimals are written with a point: 1.5";
  EXPECT_EQ(refusal("a,mu\n1\n", "mu"), "t.csv:2: the row has 1 cell, the header 2");
  EXPECT_EQ(refusal("a,b,mu\n1,2\n", "a"), "t.csv:2: the row has 2 cells, the header 3");
  EXPECT_EQ(refusal("mu\n1\n\n1,5\n", "mu"), "t.csv:4: the row has 2 cells, the header 1" + comma);
  EXPECT_EQ(refusal("mu,nu\n1,5,2,5\n", "mu"), "t.csv:2: the row has 4 cells, the header 2" + comma);
}

TEST_F(Table, HasNoTwoColumnsOfOneName) {
  EXPECT_EQ(refusal("mu,nu,mu\n1,2,3\n", "mu"), "the table t.csv has two columns 'mu'; rename one of them");
  EXPECT_EQ(refusal("mu,nu,nu\n1,2,3\n", "mu"), "the table t.csv has two columns 'nu'; rename one of them");
  EXPECT_EQ(column("mu,,\n1,2,3\n", "mu"), (Values{1})) << "columns without a name are nobody's";
}

TEST_F(Table, IsReadOnce) {
  const auto file = write("t.csv", "mu,nu\n1,2\n");
  const scenario::Table table = load_table(file);
  write("t.csv", "changed");
  EXPECT_EQ(read_column(table, "mu"), (Values{1}));
  EXPECT_EQ(read_column(table, "nu"), (Values{2}));
  EXPECT_EQ(*table.bytes, "mu,nu\n1,2\n");
}

TEST_F(Table, IsARegularFile) {
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(problems("pipe:mu"), R"(
s.toml:14:16: cannot read the table pipe: it is no regular file
    mu = { table = "pipe:mu" }
                   ^^^^^^^^^)");
}

TEST_F(Table, IsLookedForBesideTheScenario) {
  write("data.csv", "mu\n1\n2\n3\n4\n");
  EXPECT_EQ(problems("data.csv:mu"), "");
  EXPECT_EQ(problems("none.csv:mu"), R"(
s.toml:14:16: cannot read the table none.csv: No such file or directory
    mu = { table = "none.csv:mu" }
                   ^^^^^^^^^^^^^)");
  EXPECT_EQ(problems(".:mu"), R"(
s.toml:14:16: cannot read the table .: it is a folder
    mu = { table = ".:mu" }
                   ^^^^^^)");
  EXPECT_EQ(problems("data.csv:nu"), R"(
s.toml:14:16: the table data.csv has no column 'nu'; did you mean 'mu'? (its columns: mu)
    mu = { table = "data.csv:nu" }
                   ^^^^^^^^^^^^^)");
}

TEST_F(Table, NeedsARowForEveryMember) {
  write("data.csv", "mu\n1\n2\n3\n4\n");
  EXPECT_EQ(problems("data.csv:mu", "4"), "");
  EXPECT_EQ(problems("data.csv:mu", "5"), R"(
s.toml:14:1: the table data.csv:mu has 4 rows for 5 members; a row is a member, so ask for fewer members or add rows
    mu = { table = "data.csv:mu" }
    ^^)");
}

TEST_F(Table, HasNoPlaceInAGrid) {
  write("data.csv", "mu\n1\n2\n3\n4\n");
  EXPECT_EQ(problems("data.csv:mu", "4\nsampler = \"grid\"\nlevels = { mu = 4 }"), R"(
s.toml:16:1: a table has one row a member and cannot be part of a grid; list its values as a choice
    mu = { table = "data.csv:mu" }
    ^^)");
}

TEST_F(Table, HasNoPlaceInACorrelation) {
  write("data.csv", "mu\n1\n2\n3\n4\n");
  EXPECT_EQ(problems("data.csv:mu", "4\n[correlation]\nmu = { mu = 0.5 }"), R"(
s.toml:14:1: 'mu' comes from a table, whose rows are taken as they are; correlate it there and leave it out here
    mu = { mu = 0.5 }
    ^^
s.toml:14:8: the correlation of 'mu' with itself is 1; leave it out
    mu = { mu = 0.5 }
           ^^)");
}

}  // namespace
}  // namespace conesweep::scenario
