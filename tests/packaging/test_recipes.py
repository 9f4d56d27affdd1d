"""Recipes and workflows that are not run here: each says so, and fits the project as it is."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from wavediff.core.system.version import VERSION

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CONDA, FLATPAK = ROOT / "recipes" / "conda.yaml", ROOT / "recipes" / "flatpak.yaml"
HERE = Path(__file__).parent
SCHEMAS = [
    *((path, ("--builtin-schema", "vendor.github-workflows")) for path in WORKFLOWS),
    (ROOT / "CITATION.cff", ("--builtin-schema", "vendor.citation-file-format")),
    (CONDA, ("--schemafile", str(HERE / "conda.schema.json"))),
    (FLATPAK, ("--schemafile", str(HERE / "flatpak.schema.json"))),
]
CONDA_NAMES = {"PySide6-Essentials": "pyside6", "isal": "python-isal"}  # the others have one name


@pytest.mark.parametrize("path", [*WORKFLOWS, *(ROOT / "recipes").iterdir()], ids=lambda path: path.name)
def test_each_says_that_it_was_not_run_here(path):
    assert "# Not run here: " in path.read_text(encoding="utf-8").partition("\n\n")[0]
    if path.suffix == ".sh":
        subprocess.run(["sh", "-n", path], check=True, timeout=60)
    else:
        assert isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict)


@pytest.mark.parametrize(("path", "schema"), SCHEMAS, ids=lambda one: getattr(one, "name", ""))
def test_each_fits_its_schema(tmp_path, path, schema):
    """Those of GitHub and of CITATION.cff come with check-jsonschema; ours name what the other two recipes use."""
    checker = pytest.importorskip("check_jsonschema")
    text = path.read_text(encoding="utf-8")
    key = re.search(r"^(message|on|about|command):", text, re.MULTILINE)[1]
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(re.sub(rf"^{key}:", f"{key}x:", text, count=1, flags=re.MULTILINE), encoding="utf-8")
    for file, code in ((path, 0), (wrong, 1)):
        done = (
            pytest.importorskip("click.testing")
            .CliRunner()
            .invoke(checker.main, [*schema, "--default-filetype", "yaml", str(file)])
        )
        assert done.exit_code == code, done.output


def test_conda_has_the_version_and_the_dependencies_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    recipe = yaml.safe_load(CONDA.read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == VERSION
    wanted = {f"python {project['requires-python']}"}
    for one in project["dependencies"]:
        name, bound = re.fullmatch(r"([\w-]+)(.*)", one).groups()
        wanted.add(f"{CONDA_NAMES.get(name, name)} {bound}")
    assert set(recipe["requirements"]["run"]) == wanted


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_have_each_system_and_each_python(path):
    (job,) = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    matrix = job["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert any(name.endswith("-arm") for name in matrix["os"])
    for step in job["steps"]:
        script = re.search(r"\.ci/\w+\.py", step.get("run", ""))
        assert script is None or (ROOT / script[0]).is_file()


def test_flatpak_starts_the_command_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert yaml.safe_load(FLATPAK.read_text(encoding="utf-8"))["command"] in project["scripts"]
