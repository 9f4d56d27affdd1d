"""Packages of lessons beside the rules of SCORM 1.2: their manifest, and what a page in a frame tells a platform."""

import json
import re
import shutil
import subprocess
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from tests.teach.browser import PATH, browser
from wavediff.app.commands.cli import main
from wavediff.app.draw.page import SCRIPT

CP, ADL = "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}", "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"
NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)  # an identifier in XML
REQUIRED = {  # of content aggregation: elements with their attributes, and how often each stands in the one above it
    "manifest": ({"identifier"}, {"metadata": 1, "organizations": 1, "resources": 1}),
    "metadata": (set(), {"schema": 1, "schemaversion": 1}),
    "organizations": ({"default"}, {"organization": 1}),
    "organization": ({"identifier"}, {"title": 1, "item": 1}),
    "item": ({"identifier", "identifierref"}, {"title": 1}),
    "resources": (set(), {"resource": 1}),
    "resource": ({"identifier", "type", "href", f"{ADL}scormtype"}, {"file": 1}),
    "file": ({"href"}, {}),
}
PLATFORM = Path(__file__).with_name(
    "scorm_platform.html"
)  # which has the API, and shows the lesson in a frame of a frame


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    path = folder / "one.zip"
    assert main(["lesson", "edit-table", "--a", "GAT", "--b", "GT", "--scorm", str(path), "--quiet"]) == 0
    with zipfile.ZipFile(path) as zipped:
        zipped.extractall(folder / "one")
    return folder / "one"


def plain(tag):
    return tag.removeprefix(CP)


def check_manifest(root):
    for element in root.iter():
        attributes, children = REQUIRED.get(plain(element.tag), (set(), {}))
        assert attributes <= set(element.attrib), element.tag
        assert {plain(child.tag) for child in element} == set(children)
        for name, times in children.items():
            assert len(element.findall(f"{CP}{name}")) == times
    for element in root.iter():
        for key in {"identifier", "identifierref", "default"} & set(element.attrib):
            assert NAME.fullmatch(element.get(key)), element.get(key)
    (organizations,), (item,) = root.iter(f"{CP}organizations"), root.iter(f"{CP}item")
    (organization,), (resource,) = root.iter(f"{CP}organization"), root.iter(f"{CP}resource")
    assert organizations.get("default") == organization.get("identifier")
    assert item.get("identifierref") == resource.get("identifier")
    assert (resource.get("type"), resource.get(f"{ADL}scormtype")) == ("webcontent", "sco")
    assert resource.get("href") == resource.find(f"{CP}file").get("href")
    assert all(element.text for element in root.iter(f"{CP}title"))
    assert (root.findtext(f".//{CP}schema"), root.findtext(f".//{CP}schemaversion")) == ("ADL SCORM", "1.2")


def test_the_manifest_has_what_the_standard_requires(package):
    root = ElementTree.parse(package / "imsmanifest.xml").getroot()
    check_manifest(root)
    assert (package / next(root.iter(f"{CP}resource")).get("href")).is_file()


def test_a_lesson_of_any_name_has_identifiers_of_xml(tmp_path):
    own = tmp_path / "own.toml"
    assert main(["lesson", "new", str(own), "--quiet"]) == 0
    text = own.read_text("utf-8").replace('"my-lesson"', '"Übung 1: a & b <"').replace("My lesson", "a & b <")
    own.write_text(text, "utf-8")
    assert main(["lesson", str(own), "--scorm", str(tmp_path / "own.zip"), "--quiet"]) == 0
    with zipfile.ZipFile(tmp_path / "own.zip") as zipped:
        root = ElementTree.fromstring(zipped.read("imsmanifest.xml"))
    check_manifest(root)
    assert root.findtext(f".//{CP}title") == "a & b <"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("profile")) as one:
        yield one


SCO = "document.getElementById('outer').contentDocument.getElementById('sco').contentWindow"


@pytest.fixture(scope="module")
def site(package):
    """Return the address of a platform that has the package."""
    shutil.copy(PLATFORM, package)
    handler = partial(Quiet, directory=package)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{PLATFORM.name}"
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_args):
        pass


def begin(chromium, site, kept):
    chromium.call("Page.navigate", url="about:blank")
    chromium.until("location.protocol === 'about:'")
    chromium.call("Page.navigate", url=f"{site}#{quote(json.dumps(kept))}")
    chromium.until("location.protocol === 'http:' && document.readyState === 'complete'")
    chromium.until("typeof calls !== 'undefined' && calls.length > 0 && calls.at(-1)[0] === 'LMSCommit'")


def answer_all(chromium, *, right):
    """Go through the lesson in the frame, and answer each question, or be told."""
    chromium.value(
        f"""(sco => {{
          for (let n = 0; n < 1000; n++) {{
            const asked = sco.eval("question");
            if (asked && {"true" if right else "false"})
              sco.eval("answer(question.kind === 'path' ? [...paths(frames[at].data)][0].map(String) : " +
                "question.all ? question.accepts : [question.accepts[0]])");
            else if (asked) sco.eval("tell(false)");
            if (sco.eval("at + 1 >= frames.length && !question")) return;
            sco.eval("jumpScene(1)");
          }}
        }})({SCO}), 0"""
    )


needs_browser = pytest.mark.skipif(PATH is None, reason="Chromium is not there")


@needs_browser
def test_a_platform_is_told_the_score_the_state_and_the_time(chromium, site):
    begin(chromium, site, {})
    assert chromium.value("calls[0]") == ["LMSInitialize", ""]
    assert chromium.value("kept['cmi.core.lesson_status']") == "incomplete"
    answer_all(chromium, right=True)
    assert chromium.value("[kept['cmi.core.score.raw'], kept['cmi.core.lesson_status']]") == ["100", "completed"]
    assert chromium.value("[kept['cmi.core.score.min'], kept['cmi.core.score.max']]") == ["0", "100"]
    chromium.value("document.getElementById('outer').remove(), 0")  # the platform goes on to something else
    chromium.until("state === 'after'")
    assert chromium.value("calls.at(-1)") == ["LMSFinish", ""]
    assert chromium.value("calls.at(-2).slice(0, 2)") == ["LMSSetValue", "cmi.core.session_time"]
    assert chromium.value("calls.filter(([name]) => name === 'LMSInitialize').length") == 1
    assert chromium.value("faults") == []


@needs_browser
def test_a_lesson_that_is_opened_again_takes_nothing_back(chromium, site):
    begin(chromium, site, {"cmi.core.lesson_status": "passed", "cmi.core.score.raw": "80"})
    answer_all(chromium, right=False)
    assert chromium.value("[kept['cmi.core.score.raw'], kept['cmi.core.lesson_status']]") == ["80", "passed"]
    assert chromium.value("faults") == []


@needs_browser
def test_a_package_plays_where_there_is_no_platform(chromium, package):
    chromium.open(package / "index.html")
    answer = chromium.value("[typeof report, find('result').value.split(':')[0]]")
    assert answer == ["undefined", "The fewest edits"]
    chromium.press("PageDown")
    chromium.until("at > 0 || !!question")


@pytest.mark.skipif(shutil.which("node") is None, reason="node runs the script")
@pytest.mark.parametrize("above", ["parent", "parent.parent", "opener", "parent.opener"])
def test_the_platform_is_found_above_and_beside_frames_of_other_sites(above):
    script = f"""
      const told = [], API = new Proxy({{}}, {{get: (_, name) => (...given) => (told.push([name, ...given]), "")}});
      const top = {{}}, other = new Proxy({{}}, {{get() {{ throw new Error("another site"); }}}});
      top.parent = top;
      const path = {json.dumps(above)}.split("."), window = globalThis.window = {{parent: other}};
      path.reduce((one, name) => one[name] = {{parent: top}}, window).API = API;
      {SCRIPT.with_name("scorm.js").read_text("utf-8").replace("onpagehide =", "window.onpagehide =")}
      window.report(66.6, true);
      console.log(JSON.stringify(told));
    """
    said = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True, timeout=60).stdout
    told = json.loads(said)
    assert told[0] == ["LMSInitialize", ""]
    assert ["LMSSetValue", "cmi.core.score.raw", "67"] in told
    assert ["LMSSetValue", "cmi.core.lesson_status", "completed"] in told
