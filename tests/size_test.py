"""Does size.py find what is too large, and nothing else? python3 tests/size_test.py"""
import unittest

import size


def found(text, ending=".cpp"):
    return [what for _, what in size.judge(text, ending)]


def function(lines, head="int count(int a) {", above=""):
    return above + head + "\n" + "  ++a;\n" * (lines - 2) + "}\n"


class Size(unittest.TestCase):
    def test_functions_have_sixty_lines_at_most(self):
        self.assertEqual(found(function(60)), [])
        self.assertEqual(found(function(61)), ["a function of 61 lines, at most 60"])

    def test_functions_stand_in_namespaces_and_types(self):
        for inside in ("namespace a::b {\nnamespace {\n", "class A final : public B<int> {\n public:\n", "template <class T, int N = 3>\nstruct A {\n  int x = 0, y{1};\n\n"):
            self.assertEqual(found(inside + function(61) + "}\n}\n"), ["a function of 61 lines, at most 60"], inside)

    def test_heads_of_every_form_are_seen(self):
        for head in ("A::A(int a) : b_{a}, c_(a) {", "TEST(Suite, Case) {", "auto f(int a) -> std::vector<int> {", "[[noreturn]] static void g(struct A* a) {",
                     "bool operator()(int a) const {", "int h(const std::string& text = \"{\") {"):
            self.assertEqual(found(function(61, head)), ["a function of 61 lines, at most 60"], head)

    def test_what_a_function_is_a_template_of_does_not_count(self):
        self.assertEqual(found(function(60, above="template <class A,\n          class B>\n")), [])
        self.assertEqual(found(function(61, above="// longer than 60 lines: a table\ntemplate <class A>\n")), [])

    def test_what_is_no_function_may_be_long(self):
        for head, end in (("const std::vector<int> table = {", "};"), ("enum class A {", "};"), ("namespace a {", "}"), ("struct A {", "};")):
            self.assertEqual(found(head + "\n" + "  f(1),\n" * 80 + end + "\n"), [], head)

    def test_blocks_inside_do_not_end_a_function(self):
        self.assertEqual(found(function(61, "int count(int a) {\n  if (a > 0) {\n    return 1;\n  }\n  const auto more = [&](int b) {\n    return b;\n  };")),
                         ["a function of 67 lines, at most 60"])

    def test_text_is_no_code(self):
        self.assertEqual(found('void f() {\n  const char* text = R"(\n' + "{ line\n" * 100 + ')";\n}\n'), [])

    def test_a_reason_above_a_function_is_enough(self):
        self.assertEqual(found(function(61, above="// longer than 60 lines: a table\n")), [])
        self.assertEqual(found(function(61, above="/// Counts. It is longer than\n/// 60 lines: a table\n")), [])
        self.assertEqual(found(function(61, above="// longer than 60 lines:\n")), ["a function of 61 lines, at most 60"])
        self.assertEqual(found("// longer than 60 lines: a table\nint other;\n" + function(61)), ["a function of 61 lines, at most 60"])

    def test_a_function_takes_five_things_at_most(self):
        for head in ("void f(int a, int b, int c, int d, int e{}) {{", "f::f(int a, int b, const std::map<int, int>& c, int (&d)[3][2], int e{}) : a_(a, b, c, d, e) {{",
                     "template <class A, class B, class C, class D, class E, class F>\nauto f(A a, B b, C c, D d, E e{}) -> T<A, B, C, D, E, F> {{",
                     "bool operator()(int a, int b, int c, int d = g(1, 2), int e{}) const {{", "__launch_bounds__(64, 1) void f(A<B(C, D)> a, int b, int c, int d, int e{}) {{"):
            self.assertEqual(found(head.format("") + "}\n"), [], head)
            self.assertEqual(found(head.format(", int f = 0") + "}\n"), ["a function of 6 parameters, at most 5"], head)
        self.assertEqual(found("void f() {\n}\nconcept A = requires(int a, int b, int c, int d, int e, int f) {\n  a;\n};\n"), [])

    def test_a_reason_is_enough_for_more(self):
        head = "void f(int a, int b, int c, int d, int e, int f) {\n}\n"
        self.assertEqual(found("/// Adds. More than 5 parameters: they are six.\n" + head), ["a function of 6 parameters, at most 5"])
        self.assertEqual(found("/// Adds; more than 5 parameters: they are six.\n" + head), [])
        self.assertEqual(list(size.judge(head, ".cpp", few_parameters=False)), [])

    def test_files_and_lines_have_their_limits(self):
        self.assertEqual(found("int a;\n" * 400), [])
        self.assertEqual(found("int a;\n" * 401), ["a file of 401 lines, at most 400"])
        self.assertEqual(found("//" + "π" * 118 + "\n"), [])
        self.assertEqual(found("//" + "x" * 119 + "\n"), ["a line of 121 columns, at most 120"])

    def test_python_is_judged_likewise(self):
        body = "    a = 1\n"
        self.assertEqual(found("def f():\n" + body * 59, ".py"), [])
        self.assertEqual(found("def f():\n" + body * 60, ".py"), ["a function of 61 lines, at most 60"])
        self.assertEqual(found("# longer than 60 lines: a table\ndef f():\n" + body * 60, ".py"), [])
        self.assertEqual(found('def f():\n    a = """\n' + "text\n" * 90 + '"""\n', ".py"), [])


if __name__ == "__main__":
    unittest.main()
