"""The HTML report in a real browser: `nox -s browser`. Not collected by itself, because it needs Chromium.

Chromium is the one on PATH, or that which TOKPARITY_CHROMIUM names; screenshots go to TOKPARITY_SCREENSHOTS.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from site_reports import three_runs
from synthetic import large_report

from reports import NASTY, mismatch, nasty_report
from tokparity.finding import Finding
from tokparity.report.file import read
from tokparity.report.keys import cause_key, finding_keys, mismatch_key
from tokparity.report.model import FileFault, Report
from tokparity.report.render.html import render
from tokparity.report.site.build import build, reports_in

QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync")  # fmt: skip
SECONDS = 2.0
LEGIBLE = 100  # CSS pixels of a column whose words are not broken letter by letter
NAME = "a-model-with-a-long-name-of-" * 3
PAPER = 718  # CSS pixels between the margins of A4
WORSE = (
    b"</script><script>document.title='owned'</script>",
    b"<img src=x onerror=\"document.title='owned'\">",
    b"<svg onload=document.title='owned'>",
    b"javascript:document.title='owned'",
    "\u2028document.title='owned'\u2029".encode(),
    b"<!--<script>",
    b"]]>{{7*7}}${7*7}",
    b"x" * 1_000_000,
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all."""
    path = os.environ.get("TOKPARITY_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots are kept."""
    folder = Path(os.environ.get("TOKPARITY_SCREENSHOTS") or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def hostile() -> Report:
    """Every text that attacks has a finding of its own; half of them are new."""
    report = nasty_report()
    mismatches = (*(mismatch(text) for text in (*NASTY, *WORSE)), *report.mismatches[len(NASTY) :])
    findings = tuple(
        Finding(f"finding-{i}", m.model, m.engine, m.oracle, "unexplained", m, 1, quirks=(f"<i>quirk{i}",),
                accepted=i % 2 == 0, reason="<b>known", nearest="<script>alert(1)</script>")
        for i, m in enumerate(mismatches)
    )  # fmt: skip
    members = {(f.model, f.name): (i,) for i, f in enumerate(findings)}
    fault = FileFault("nai-t5", f"a/{NAME}/model.gguf", "t.json", "tokenizer.ggml.pre", "<b>llama-bpe", "gpt-2")
    return replace(report, mismatches=mismatches, findings=findings, members=members, faults=(fault,))


@pytest.fixture(scope="session")
def large() -> Report:
    """100,000 mismatches of 40 causes."""
    return large_report(100_000, 40)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory, large: Report) -> dict[str, Path]:
    """The reports that are looked at; TOKPARITY_REPORT names a real one to look at as well."""
    folder = tmp_path_factory.mktemp("pages")
    reports = {"large": large, "hostile": hostile()}
    if named := os.environ.get("TOKPARITY_REPORT"):
        reports["real"] = read(Path(named))
    for name, report in reports.items():
        render(report, folder / f"{name}.html")
    return {name: folder / f"{name}.html" for name in reports}


class Visit:
    """A page that remembers what it said and what it asked the network for."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.page: Page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def go(self, file: Path, anchor: str = "") -> None:
        """Open a file."""
        self.page.goto("about:blank")
        self.asked.clear()
        self.page.goto(f"{file.as_uri()}{anchor}")

    def unfold(self) -> None:
        """Open everything that can be opened."""
        self.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        self.page.wait_for_selector("#mismatches tbody tr")

    def close(self, file: Path) -> None:
        """It must have been silent."""
        assert ([], [file.as_uri()]) == (self.said, [url.partition("#")[0] for url in self.asked])
        assert "owned" != self.page.title()
        self.context.close()


@pytest.mark.parametrize("name", ["large", "hostile"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier(browser: Browser, files: dict[str, Path], shots: Path, name: str, scheme: str) -> None:
    """Axe finds nothing serious or moderate, neither folded nor unfolded; screenshots are kept of both."""
    visit = Visit(browser, color_scheme=scheme)
    visit.go(files[name])
    visit.page.screenshot(path=shots / f"{name}-{scheme}.png", full_page=True)
    _no_barrier(visit.page)
    # With every strip of 40 causes open axe takes minutes; a few causes show all there is.
    visit.page.evaluate("document.querySelectorAll('details.group').forEach(one => { one.open = true; })")
    visit.page.evaluate("[...document.querySelectorAll('details.cause')].slice(0, 4).forEach(one => one.open = true)")
    visit.page.evaluate("[...document.querySelectorAll('#all, #coverage, .files')].forEach(one => one.open = true)")
    visit.page.wait_for_selector("#mismatches tbody tr")
    visit.page.locator("#mismatches td.t button").first.click()
    _no_barrier(visit.page)
    visit.page.screenshot(path=shots / f"{name}-{scheme}-open.png", full_page=True)
    visit.page.keyboard.press("Escape")
    visit.page.locator("#help-button").click()
    _no_barrier(visit.page)
    visit.close(files[name])


def _no_barrier(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    grave = [(one["id"], one["impact"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
    assert [] == [one for one in grave if one[1] in ("moderate", "serious", "critical")]


def test_large_is_quick(browser: Browser, files: dict[str, Path]) -> None:
    """Load, search and sort each work for under two seconds; the file is under 20 MB, the page under 4,000 pixels.

    What counts is the time of the page's own thread, which is the same on a busy machine.
    """
    assert files["large"].stat().st_size < 20_000_000
    visit = Visit(browser)
    page = visit.page
    meter = visit.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    visit.go(files["large"])
    seconds = {"load": (done := _worked(meter))}
    assert page.evaluate("document.documentElement.scrollHeight") < 4000
    page.keyboard.press("/")
    page.keyboard.type("hello")
    page.wait_for_selector("#mismatches tbody tr")
    seconds["search"] = -done + (done := _worked(meter))
    assert re.search(r"^1–50 of [\d,]+ found, 100,000 in all$", page.inner_text("#count"))
    page.get_by_role("button", name="Text", exact=True).click()
    page.wait_for_selector('th[aria-sort="ascending"]')
    seconds["sort"] = _worked(meter) - done
    print(seconds)
    assert [] == [name for name, taken in seconds.items() if not 0 < taken < SECONDS]
    visit.close(files["large"])


def _worked(meter: CDPSession) -> float:
    """The processor seconds that the page's thread has taken so far."""
    metrics = meter.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def test_table_is_searched_filtered_sorted_and_paged(browser: Browser, files: dict[str, Path]) -> None:
    """Each does what it says, and together they do."""
    visit = Visit(browser)
    visit.go(files["large"])
    page = visit.page
    page.locator("#all > summary").click()
    everything = page.inner_text("#count")
    for field in ("by-model", "by-engine", "by-cause", "by-script", "by-corpus", "by-flag"):
        label = page.locator(f"#{field} option").nth(1).inner_text()
        page.select_option(f"#{field}", index=1)
        count = re.search(r"of ([\d,]+) found", page.inner_text("#count"))
        assert count is not None
        assert label.endswith(f"({count[1]})")
        page.locator("#reset").click()
        page.wait_for_function("text => document.getElementById('count').innerText === text", arg=everything)
    page.get_by_role("button", name="Got", exact=True).click()
    page.get_by_role("button", name="Got", exact=True).click()
    assert "descending" == page.locator("th[aria-sort]").get_attribute("aria-sort")
    page.locator("#next").click()
    assert page.inner_text("#count").startswith("51–100 of ")
    page.locator("#previous").click()
    page.fill("#search", "no such text at all")
    assert page.inner_text("#count").startswith("0 found")
    visit.close(files["large"])


def test_keys(browser: Browser, files: dict[str, Path]) -> None:
    """/ searches, j and k go through the causes or the rows, ? tells them, m goes back."""
    visit = Visit(browser)
    visit.go(files["large"])
    page = visit.page
    for key, place in (("j", 0), ("j", 1), ("k", 0)):
        page.keyboard.press(key)
        stops = "[...document.querySelectorAll('details.cause > summary')].indexOf(document.activeElement)"
        assert place == page.evaluate(stops)
    page.keyboard.press("Enter")
    assert page.locator("details.cause").first.get_attribute("open") is not None
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()
    page.keyboard.press("/")
    page.keyboard.type("привет j k ?")
    assert ("search", "привет j k ?") == (page.evaluate("document.activeElement.id"), page.input_value("#search"))
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    assert page.url.endswith("#matrix")
    visit.close(files["large"])


def test_links_lead_to_what_they_name(browser: Browser, files: dict[str, Path], large: Report) -> None:
    """A cause, a finding and a mismatch, also where they are folded or only in the table; and all links."""
    visit = Visit(browser)
    folded = next(f for f in large.findings if f.accepted)
    key = dict(zip(large.findings, finding_keys(large.findings), strict=True))[folded]
    deep = large.mismatches[54_321]
    for anchor in (f"#c-{cause_key(folded)}", f"#f-{key}"):
        visit.go(files["large"], anchor)
        visit.page.wait_for_function("name => document.getElementById(name).checkVisibility()", arg=anchor[1:])
    visit.go(files["large"], f"#m-{mismatch_key(deep)}")
    focused = visit.page.wait_for_selector(f'tr[data-key="{mismatch_key(deep)}"] button:focus')
    assert focused is not None
    assert visit.page.locator(".more-of").is_visible()
    visit.page.locator("a[data-cause]").first.evaluate("link => link.click()")
    assert visit.page.input_value("#by-cause") == "0"
    dead = """[...document.querySelectorAll("a[href^='#']")].map(link => link.hash.slice(1))
        .filter(name => !document.getElementById(name) && !name.startsWith('m-'))"""
    assert [] == visit.page.evaluate(dead)
    visit.context.close()


@pytest.mark.parametrize("name", ["large", "hostile"])
def test_a_narrow_screen_and_paper(browser: Browser, files: dict[str, Path], shots: Path, name: str) -> None:
    """400 pixels need no sideways scrolling, everything open; on paper nothing is wider than the paper."""
    visit = Visit(browser, viewport={"width": 400, "height": 800})
    visit.go(files[name])
    visit.page.screenshot(path=shots / f"{name}-narrow.png", full_page=True)
    visit.unfold()
    assert 400 == visit.page.evaluate("document.documentElement.scrollWidth")
    widths = "[...document.querySelectorAll('.faults :is(th, td)')].map(one => one.getBoundingClientRect().width)"
    assert [] == [width for width in visit.page.evaluate(widths) if width < LEGIBLE]
    visit.close(files[name])
    visit = Visit(browser, viewport={"width": PAPER, "height": 1000})
    visit.go(files[name])
    visit.page.emulate_media(media="print")
    visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    wide = f"[...document.querySelectorAll('main *')].filter(one => one.checkVisibility() && !one.closest('.vh') \
        && one.getBoundingClientRect().right > {PAPER} + 1).map(one => one.outerHTML.slice(0, 200))"
    assert [] == visit.page.evaluate(wide)
    visit.page.screenshot(path=shots / f"{name}-print.png", full_page=True)
    visit.close(files[name])


def test_it_is_short(browser: Browser, files: dict[str, Path], shots: Path) -> None:
    """The page of a whole run is under 4,000 pixels high, and under 15 pages of paper."""
    for name in files.keys() - {"hostile"}:
        visit = Visit(browser)
        visit.go(files[name])
        assert visit.page.evaluate("document.documentElement.scrollHeight") < 4000
        visit.page.screenshot(path=shots / f"{name}.png", full_page=True)
        margin = dict.fromkeys(("top", "bottom", "left", "right"), "1cm")
        pdf = visit.page.pdf(path=shots / f"{name}.pdf", format="A4", margin=margin)
        pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
        print(f"{name}: {pages} pages")
        assert 0 < pages < 15
        visit.close(files[name])


@pytest.mark.parametrize("script", [True, False])
def test_hostile_texts_are_inert(browser: Browser, files: dict[str, Path], tmp_path: Path, script: bool) -> None:
    """With and without the policy, with and without scripts: nothing of a text is run, asked for or an element."""
    source = files["hostile"].read_text(encoding="utf-8")
    bare = tmp_path / "bare.html"
    bare.write_text(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", source), encoding="utf-8")
    for file in (files["hostile"], bare):
        visit = Visit(browser, java_script_enabled=script)
        visit.go(file)
        if script:
            visit.unfold()
            for row in range(0, 30, 3):
                visit.page.locator("#mismatches td.t button").nth(row).click()
        assert 0 == visit.page.locator("img, iframe, object, embed, svg[onload], i, main b b").count()
        assert 2 == visit.page.locator("script").count()
        visit.close(file)


def test_without_scripts_it_is_all_there(browser: Browser, files: dict[str, Path], shots: Path) -> None:
    """Causes open by themselves, links unfold what they lead to, and the table says where its rows are."""
    visit = Visit(browser, java_script_enabled=False)
    visit.go(files["large"])
    visit.page.locator("details.cause > summary").first.click()
    assert visit.page.locator("details.cause .columns").first.is_visible()
    visit.page.locator("#all > summary").click()
    assert visit.page.locator("#no-script").is_visible()
    assert 0 == visit.page.locator(".copy:visible, #help-button:visible").count()
    visit.page.screenshot(path=shots / "without-scripts.png")
    visit.close(files["large"])


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of three runs, two versions of one engine among them."""
    folder = tmp_path_factory.mktemp("site")
    build(reports_in(str(three_runs(folder / "runs"))), folder / "site", ["a report that was <b>no</b> report"])
    return folder / "site"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_site_has_no_barrier(browser: Browser, site: Path, shots: Path, scheme: str) -> None:
    """Its index and the page of a cause: axe finds nothing, 400 pixels are enough, nothing is said or asked for."""
    for page in (site / "index.html", sorted((site / "causes").iterdir())[0]):
        visit = Visit(browser, color_scheme=scheme)
        visit.go(page)
        visit.page.screenshot(path=shots / f"site-{page.stem}-{scheme}.png", full_page=True)
        visit.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        _no_barrier(visit.page)
        visit.page.set_viewport_size({"width": 400, "height": 800})
        assert 400 == visit.page.evaluate("document.documentElement.scrollWidth")
        visit.page.screenshot(path=shots / f"site-{page.stem}-{scheme}-narrow.png", full_page=True)
        visit.close(page)


def test_a_site_tells_what_changed(browser: Browser, site: Path) -> None:
    """What is new, changed and gone; from there to the page of the cause, and on to the cause in the run's report."""
    visit = Visit(browser)
    visit.go(site / "index.html")
    runs = [text.split("\n") for text in visit.page.locator("main > section > article").all_inner_texts()]
    latest, middle, first = [[line for line in run if "case" in line or "became" in line] for run in runs]
    assert [] == first
    assert ["version tokenizers: tokenizers 0.19.1 became tokenizers 0.21.0"] == middle[:1]
    assert ["changed"] == [line.split()[0] for line in middle[1:]]
    assert {"new", "gone"} == {line.split()[0] for line in latest}
    visit.page.get_by_role("link", name="Folds the case of the whole text").first.click()
    assert "Folds the case of the whole text" == visit.page.inner_text("h1")
    visit.page.locator("#over-time ~ div tbody a").first.click()
    assert visit.page.locator("details.cause:target").get_attribute("open") is not None
    assert [] == visit.said
    visit.context.close()
