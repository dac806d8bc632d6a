"""What texts refer to is there: links, equations, references, samples. Run by ctest; the other arguments of product tests are not used:

    python3 words_test.py Words
"""
import pathlib
import re
import sys
import tomllib
import unittest

from pages import page_files, read_blocks

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Words(unittest.TestCase):
    def texts(self, *endings):
        for folder in ["", "docs", "samples", "host", "include", "kernels", "tests", "bench", "cmake", "tools"]:
            for path in sorted((SOURCE / folder).glob("**/*" if folder else "*")):
                if path.is_file() and path.name.endswith(endings):
                    yield path.relative_to(SOURCE), path.read_text()

    def test_links_lead_somewhere(self):
        missing = []
        for path in page_files(SOURCE):
            for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", path.read_text()):
                other = (path.parent / target).resolve() if target else path
                heads = re.findall(r"^#+ (.*)$", other.read_text(), re.M) if other.suffix == ".md" and other.exists() else []
                anchors = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
                if not other.exists() or anchor and anchor not in anchors:
                    missing.append(f"{path.relative_to(SOURCE)}: {target}#{anchor}")
        self.assertEqual(missing, [])

    def test_the_page_on_models_has_all_that_the_compiler_asks_of_one(self):
        concept = (SOURCE / "include/conesweep/step/is_model.hpp").read_text()
        wanted = set(re.findall(r"Model::(?:template )?([a-z_]+)\b", concept))
        told = set(re.findall(r"`([a-z_]+)(?:<\w+>)?(?:\(|\[|`)", (SOURCE / "docs/user_model.md").read_text()))
        self.assertGreater(len(wanted), 40)
        self.assertEqual(sorted(wanted - told), [])

    def test_numbered_equations_are_defined_once_in_theory(self):
        # where they begin a row of a table, an item, or a line by themselves (with two blanks behind)
        begins = re.findall(r"^(?:\| \(?([A-Z]\d+)\)? \||- \(([A-Z]\d+)\) |\(([A-Z]\d+)\)  )", (SOURCE / "docs/theory.md").read_text(), re.M)
        defined = ["".join(names) for names in begins]
        self.assertEqual(sorted(defined), sorted(set(defined)))
        unknown = {f"{path}: ({number})" for path, text in self.texts(".md", ".cpp", ".hpp", ".cu", ".cuh", ".toml", ".py", ".txt")
                   for number in re.findall(r"(?:\(|theory\.md, )([A-Z][1-9]\d*)\b", text) if number not in defined and path.name != "words_test.py"}
        self.assertEqual(sorted(unknown), [])

    def test_references_are_in_the_bibliography(self):
        known = set(re.findall(r"^@\w+\{(\w+)", (SOURCE / "docs/references.bib").read_text(), re.M))
        unknown = {f"{path}: {key}" for path, text in self.texts(".md", ".cpp", ".hpp", ".cu", ".cuh", ".toml", ".py")
                   for keys in re.findall(r"\[((?:[A-Z][A-Za-z]+(?:19|20)\d\d[^\]]*))\]", text) for key in re.findall(r"[A-Z][A-Za-z]+(?:19|20)\d\d", keys) if key not in known}
        self.assertEqual(sorted(unknown), [])

    def program_flags(self):
        return {flag for path in (SOURCE / "host/app").glob("*.cpp") for flag in re.findall(r'"(?:-\w,)?(--[a-z][a-z-]*)"', path.read_text())}

    def test_sentences_of_the_library_name_no_flags(self):
        flags = self.program_flags() - {"--version"}  # which compilers are asked for
        self.assertGreater(len(flags), 40)
        flag = re.compile("(?<![\\w-])(?:" + "|".join(sorted(flags)) + ")(?![\\w-])")
        named = []
        for path, text in self.texts(".cpp", ".hpp", ".cu", ".cuh"):
            if path.parts[0] not in ("host", "include", "kernels") or path.parts[:2] == ("host", "app"):
                continue
            literals = re.findall(r'"(?:[^"\\\n]|\\.)*"', text) + [body for _, body in re.findall(r'R"([^\s()]*)\((.*?)\)\1"', text, re.S)]
            named += [f"{path}: {literal}" for literal in literals if flag.search(literal)]
        self.assertEqual(named, [], "the library does not know the command line: say setting::… of support/sentence.hpp")

    def test_settings_that_sentences_mention_are_flags(self):
        names = re.findall(r'\w+\{"(\w+)"\}', (SOURCE / "host/support/sentence.hpp").read_text())
        self.assertGreater(len(names), 20)
        self.assertEqual({"--" + name.replace("_", "-") for name in names} - self.program_flags(), set())

    def examples(self):
        """Every scenario that a test runs: samples, studies, and the files that pages show."""
        for path in sorted(SOURCE.glob("samples/**/*.toml")):
            yield tomllib.loads(path.read_text())
        for path in page_files(SOURCE):
            for block in read_blocks(path.read_text().splitlines()):
                if block.kind == "toml" and "file" in block.notes:
                    yield tomllib.loads(block.text)

    def test_every_word_of_the_reference_has_an_example(self):
        reference = (SOURCE / "docs/scenario.md").read_text()

        def listed(head):
            """Words that begin the rows of a section's tables."""
            section = re.split(r"^#+ ", reference.split(f"\n{head}\n")[1], maxsplit=1, flags=re.M)[0]
            rows = re.findall(r"^\| ((?:`[a-z_0-9]+(?:\([^`]*\))?`[ ,…]*)+)", section, re.M)
            words = {word for row in rows for word in re.findall(r"`([a-z_0-9]+)", row)}
            self.assertTrue(words, head)
            return words

        keys, texts, reducers, quantities, distributions, samplers = set(), [], set(), set(), set(), {"random"}  # random: the default

        def walk(value):
            if isinstance(value, dict):
                keys.update(value)
            for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
                walk(one)
            if isinstance(value, str):
                texts.append(value)

        for scenario in self.examples():
            walk(scenario)
            observe = scenario.get("observe", {})
            reducers.update(*(one for one in observe.values() if isinstance(one, dict)))
            quantities.update(observe.get("standard", []), observe.get("also", []))
            distributions.update(*scenario.get("vary", {}).values())
            samplers.add(scenario.get("ensemble", {}).get("sampler"))
        functions = set(re.findall(r"([a-z_]+)\(", " ".join(texts)))

        sections = ["### `[model]` (needed)", "### `[[model.contact]]`", "### `[[model.bilateral]]`", "### `[[model.resistance]]`", "### `[time]` (needed)", "### `[ensemble]`",
                    "### `[sweep]`", "### `[observe]`", "### `[record]`"]
        missing = set().union(*map(listed, sections)) - keys
        missing |= listed("## Observables") - reducers | {"after", "before"} - reducers
        missing |= listed("## Standard quantities") - quantities - {"impulse", "penetration", "variation", "first_contact"}  # observed wherever nothing is chosen
        missing |= listed("## Distributions") - distributions | listed("## Samplers") - samplers
        missing |= {"delay", "window_max", "window_min", "window_mean", "now", "normal", "slip", "gap", "never", "if"} - functions
        missing |= {"classes", "sweep", "define", "percussions", "correlation"} - keys
        self.assertEqual(sorted(missing), [])

    def test_citation_is_of_this_version_and_licence(self):
        citation = (SOURCE / "CITATION.cff").read_text()
        version = re.search(r"project\(conesweep VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text())[1]
        self.assertIn(f"\nversion: {version}\nlicense: BSD-3-Clause\n", citation)
        self.assertIn("BSD 3-Clause", (SOURCE / "LICENSE").read_text())
        title = re.search(r"MonteiroMarquesDzonou2017,.*?title += \{(.*?)\}", (SOURCE / "docs/references.bib").read_text(), re.S)[1]
        self.assertIn(f'title: "{title}"\n', citation)

    def test_commands_stand_in_fences(self):
        bare = [f"{path.relative_to(SOURCE)}: {line.strip()}" for path in page_files(SOURCE) for line in path.read_text().splitlines()
                if re.match(r"    (\$ )?(conesweep|build/bin/conesweep|\./\w+\.sh)\b", line)]
        self.assertEqual(bare, [], "commands are run where they stand in ```sh")

    def test_gallery_of_the_samples_is_complete(self):
        for page in ["README.md", "samples/README.md"]:
            shown = set(re.findall(r"^\| \[\w+\]\((?:samples/)?(\w+)\.toml\)", (SOURCE / page).read_text(), re.M))
            self.assertEqual(shown, {path.stem for path in (SOURCE / "samples").glob("*.toml")}, page)
        run = set(re.findall(r"^conesweep run samples/(\w+)\.toml$", (SOURCE / "samples/README.md").read_text(), re.M))
        self.assertEqual(run, {path.stem for path in (SOURCE / "samples").glob("*.toml")})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose", "Words"])
