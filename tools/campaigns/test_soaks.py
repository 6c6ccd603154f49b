"""Tests of the long soaks."""

import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import soaks


class SoakTests(unittest.TestCase):
    def test_names(self):
        self.assertEqual(soaks.parts("search"), ["model", "sqlite"])
        self.assertEqual(soaks.parts("fuzz,model"), ["model", "fuzz"])
        self.assertEqual(soaks.parts("all"), ["model", "sqlite", "compare", "crash", "fuzz"])
        self.assertEqual(soaks.parts("stores,crash"), ["compare", "crash"])
        with self.assertRaisesRegex(soaks.Failure, "unknown soak 'modell'"):
            soaks.parts("model,modell")

    def test_figures_and_table(self):
        row = {"command": "touchstone simulate", "noun": "runs", "commit": "0a1b2c3d", "date": "2026-11-29", "ran": 1234,
               "asked": 10_000_000, "findings": 0, "events": 7}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "README.md").write_text("before\n" + soaks.BEGIN + "old\n" + soaks.END + "after\n")
            with mock.patch.object(soaks, "FIGURES", folder / "soaks.json"), \
                    mock.patch.object(soaks, "README", folder / "README.md"):
                soaks.store("sqlite", row)
                soaks.store("model", row | {"ran": 5})
                text = (folder / "README.md").read_text()
                self.assertEqual(list(soaks.figures()["parts"]), ["model", "sqlite"])
            self.assertTrue(text.startswith("before\n") and text.endswith("after\n"))
            self.assertNotIn("old", text)
            self.assertIn("| sqlite: `touchstone simulate` | 1,234 of 10,000,000 runs | 0 | 0a1b2c3d | 2026-11-29 |", text)

    def test_sums_of_adapters(self):
        state = {"first": 1, "next": 501, "operations": 9_000, "commit": "0a1b2c3d", "disagreed": False}
        progress = {"c": state, "rust": state | {"next": 101, "disagreed": True}, "sqlite": state,
                    "java": state | {"commit": "ffffffff"}, "go": state | {"first": 7}}
        sizes = {"c": 1_000, "rust": 1_000, "java": 1_000, "go": 1_000}
        with mock.patch.object(soaks, "store") as stored:
            soaks.store_adapters(progress, sizes, None)
            soaks.store_adapters({"c": state | {"next": 1}}, sizes, "0a1b2c3d")
            stored.assert_not_called()
            soaks.store_adapters({"c": state | {"next": 1, "disagreed": True}}, sizes, "0a1b2c3d")
            self.assertEqual([stored.call_args.args[1][key] for key in ("ran", "findings")], [0, 1])
            soaks.store_adapters(progress, sizes, "0a1b2c3d")
        name, row = stored.call_args.args
        self.assertEqual(name, "adapters")
        self.assertEqual([row[key] for key in ("ran", "asked", "findings", "events")], [600, 4_000, 1, 18_000])

    def test_no_figures_are_no_table(self):
        self.assertEqual(soaks.table({"parts": {}}), "None has run yet.\n")

    def test_readme_has_the_figures(self):
        text = soaks.README.read_text()
        self.assertIn(soaks.BEGIN + soaks.table(soaks.figures()) + soaks.END, text)


if __name__ == "__main__":
    unittest.main()
