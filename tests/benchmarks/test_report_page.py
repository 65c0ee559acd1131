"""The report in a real browser: what a reader does, and what a hostile text must not do."""

import shutil
from urllib.parse import quote

import pytest
from playwright.sync_api import expect, sync_playwright

from bedside.benchmarks.report.page import make_report
from bedside.benchmarks.transcript import read_episodes

pytestmark = pytest.mark.browser

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.fail("no Chromium: apt-get install chromium, or run pytest -m 'not browser'", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def report(runs, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(make_report([runs]).html, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def open_page(browser):
    """Open an address; at the end nothing may have been asked of the network, complained about or run."""
    seen = {"requests": [], "complaints": [], "dialogs": 0}
    contexts = []

    def open_it(address, **settings):
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: seen["requests"].append(request.url))
        page.on("console", lambda message: seen["complaints"].append(message.text))
        page.on("pageerror", lambda error: seen["complaints"].append(str(error)))
        page.on("dialog", lambda dialog: (seen.update(dialogs=seen["dialogs"] + 1), dialog.dismiss()))
        page.goto(address)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert {url.split(":")[0] for url in seen["requests"]} <= {"file"}
    assert len({url.split("#")[0] for url in seen["requests"]}) <= 1
    assert seen["complaints"] == []
    assert seen["dialogs"] == 0


def listed(page):
    return page.locator("#list a").count()


def test_the_report_shows_and_the_transcripts_wait(open_page, report):
    page = open_page(report)
    expect(page.locator("#report")).to_be_visible()
    expect(page.locator("#viewer")).to_be_hidden()
    page.get_by_role("link", name="Transcripts").click()
    expect(page.locator("#viewer")).to_be_visible()
    expect(page.locator("#report")).to_be_hidden()
    assert listed(page) == 16
    page.get_by_role("link", name="Failures").click()
    expect(page.locator("#failures")).to_be_visible()


def test_sorting_a_column_keeps_the_untaught_patient_on_top(open_page, report):
    page = open_page(report)
    head = page.locator("#scores thead th", has_text="Turns")
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    column = page.evaluate(
        "[...document.querySelectorAll('#scores .sortable tbody tr')].map(r => [r.className, r.cells[9].dataset.value])"
    )
    assert column[0][0] == "floor"
    values = [float(value) for kind, value in column if kind != "floor"]
    assert len(values) == 4
    assert values == sorted(values)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"


def test_filters_narrow_the_list_and_stay_in_the_address(open_page, report):
    page = open_page(f"{report}#/episodes")
    page.locator("[name=policy]").select_option("checklist")
    expect(page.locator("#list a")).to_have_count(8)
    page.locator("#more summary").click()
    page.locator("[name=chapter]").select_option("CIR")
    expect(page.locator("#list a")).to_have_count(2)
    assert "policy=checklist" in page.url
    assert "chapter=CIR" in page.url
    page.reload()
    assert listed(page) == 2
    page.locator("#clear").click()
    expect(page.locator("#list a")).to_have_count(16)
    page.locator("[name=score]").select_option("tcs")
    page.locator("[name=from]").fill("0.99")
    expect(page.locator("#count")).not_to_have_text("16 of 16 episodes")
    shown = page.locator("#list .value").all_inner_texts()
    assert shown
    assert all(float(value) >= 0.99 for value in shown)


def said_in(episode):
    words = [episode.opening, *(answer.text for answer in episode.recall)]
    for turn in episode.turns:
        words += [turn.heard, turn.patient, *(attempt.text for attempt in turn.rejected)]
    return " ".join(words).lower()


def test_search_finds_words_that_were_said(open_page, report, runs):
    texts = [said_in(episode) for run in ("clean", "noisy") for episode in read_episodes(runs / run)]
    expected = sum("bleeding" in text and "clinic" in text for text in texts)
    assert 0 < expected < 16
    page = open_page(report)
    page.keyboard.press("/")
    expect(page.locator("[name=q]")).to_be_focused()
    page.keyboard.type("CLINIC bleeding")
    expect(page.locator("#count")).to_have_text(f"{expected} of 16 episodes")
    page.locator("[name=q]").fill("no such words anywhere")
    expect(page.locator("#list a")).to_have_count(0)
    expect(page.locator("#count")).to_have_text("0 of 16 episodes")


def test_an_address_opens_its_episode(open_page, report):
    page = open_page(f"{report}#/episode/noisy/6")
    assert page.locator("#reader h1").inner_text().startswith("checklist with ")
    assert page.locator(".turn").count() > 5
    assert page.locator(".tags .noise").count() == 2
    unknown = open_page(f"{report}#/episode/noisy/999")
    assert unknown.locator("#reader h1").inner_text() == "Not in this report"


def test_an_episode_shows_claims_credits_exam_and_scores(open_page, report):
    page = open_page(f"{report}#/episode/clean/5")
    chip = page.locator(".chip.good", has_text="Q2.1").first
    chip.hover()
    assert page.locator("#tip").inner_text() == "TCS Q2.1, dosage: stated rightly"
    page.locator(".jump", has_text="Q1 diagnosis").click()
    assert page.locator(".sentence.lit").count() == 1
    assert page.evaluate("document.activeElement.dataset.tip").startswith("TCS Q1")
    quiet = page.locator(".chip.quiet").first
    expect(quiet).to_be_hidden()
    page.locator("#audited").check()
    expect(quiet).to_be_visible()
    for title in ("Scores", "Exam", "Free recall"):
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()


def test_claims_say_why_to_those_who_use_no_mouse(open_page, report):
    page = open_page(f"{report}#/episodes")
    for address in page.locator("#list a").evaluate_all("links => links.map(link => link.hash)"):
        page.evaluate("hash => { location.hash = hash }", address)
        page.wait_for_selector(".talk")
        if claim := next(iter(page.locator(".talk .claim").all()), None):
            break
    claim.focus()
    expect(page.locator("#tip")).to_be_visible()
    assert claim.get_attribute("aria-describedby") == "tip"
    assert page.locator("#tip").inner_text().split(" ")[0] in ("supported", "fabricated", "unverifiable")
    page.keyboard.press("Escape")
    expect(page.locator("#tip")).to_be_hidden()


def test_keys_step_through_the_episodes_found(open_page, report):
    page = open_page(f"{report}#/episodes?policy=checklist&run=clean")
    for key, episode, place in (("j", 5, "1 of 4"), ("j", 6, "2 of 4"), ("k", 5, "1 of 4")):
        page.keyboard.press(key)
        page.wait_for_url(f"**#/episode/clean/{episode}?*")
        # The address changes before the page does, and a key pressed in between would start from where one was.
        page.get_by_text(place, exact=True).wait_for()
    page.keyboard.press("Escape")
    page.wait_for_url("**#/episodes?*")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_a_number_leads_to_its_transcripts(open_page, report):
    page = open_page(report)
    page.locator("#failures tbody tr", has_text="checklist").first.locator("a").first.click()
    page.wait_for_url("**#/episodes?*")
    expect(page.locator("#list a")).to_have_count(4)  # the address changes before the page does


@pytest.fixture(scope="module")
def hostile_report(hostile_runs, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(make_report([hostile_runs], episodes=4).html, encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("place", ["#/episodes", "#scores"])
def test_what_models_wrote_stays_text(open_page, hostile_runs, hostile_report, place):
    page = open_page(hostile_report + place)
    if place == "#/episodes":
        page.locator("#list a").first.click()
        page.wait_for_url(f"**#/episode/{quote(hostile_runs.name)}/*")
    page.wait_for_timeout(200)
    assert page.evaluate("window.hacked") is None
    assert page.locator("img, iframe, object, #reader b, #reader script, #report script").count() == 0
    if place == "#/episodes":
        said = page.locator(".talk .words-of").first.inner_text()
        assert "<img src=x onerror='window.hacked = 2'> {{ 7 * 7 }}" in said
        # Twenty thousand characters do not push the rest out of reach.
        assert page.locator(".words-of.long").first.bounding_box()["height"] < 500
        page.locator(".withheld summary").first.click()
        page.get_by_role("button", name="Show all").first.click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_dark_and_light_follow_the_system_and_the_button(open_page, report):
    def ground(page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    light = open_page(report, color_scheme="light")
    dark = open_page(report, color_scheme="dark")
    assert ground(light) == "rgb(255, 255, 255)"
    assert ground(dark) != ground(light)
    light.get_by_role("button", name="Switch to dark colours").click()
    assert ground(light) == ground(dark)
    light.reload()
    assert ground(light) == ground(dark)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["", "#/episode/noisy/6"])
def test_text_has_enough_contrast(open_page, report, scheme, place):
    page = open_page(report + place, color_scheme=scheme)
    assert page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("place", ["", "#/episodes", "#/episode/noisy/6"])
def test_a_phone_needs_no_sideways_scrolling(open_page, report, place):
    page = open_page(report + place, viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("#report, #list, #reader").locator("visible=true").count() >= 1


def test_everything_is_reached_by_the_tab_key_and_has_a_name(open_page, report):
    page = open_page(report)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page = open_page(f"{report}#/episode/clean/5")
    nameless = page.evaluate(
        """[...document.querySelectorAll('a[href], button, input, select, summary')].filter(element =>
            !(element.textContent.trim() || element.getAttribute('aria-label') || element.labels?.length)).length"""
    )
    assert nameless == 0
    page.get_by_text("Skip to the content").focus()  # an episode that is opened takes the focus before
    page.keyboard.press("Enter")
    expect(page.locator("h1:focus")).to_have_count(1)
    page.keyboard.press("Shift+Tab")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_it_prints_without_what_only_a_screen_can_use(open_page, report):
    page = open_page(report, color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.locator("#scores table").first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 29, 34)"
    assert len(page.pdf()) > 10_000


# Every visible text against the first opaque ground below it (WCAG 2.2, 1.4.3): 4.5, and 3 for large text.
CONTRAST = """
(() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = (colour) => {
    context.clearRect(0, 0, 1, 1); context.fillStyle = colour; context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const light = (rgb) => rgb.slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const poor = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !element.checkVisibility()) continue;
    if (element.closest("script, .unseen, .skip")) continue;
    const style = getComputedStyle(element), svg = element.closest("svg");
    let below = ground(element);
    if (svg) {
      // The box that a figure stands on is drawn just before it.
      const box = element.previousElementSibling;
      if (box && box.tagName === "rect" && element.classList.contains("on")) below = parse(getComputedStyle(box).fill);
    }
    const [a, b] = [light(parse(svg ? style.fill : style.color)), light(below)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    const kind = element.className.baseVal ?? element.className;
    if (ratio < (large ? 3 : 4.5)) poor.add(`${kind} ${element.tagName} ${ratio.toFixed(2)}`);
  }
  return [...poor];
})()
"""
