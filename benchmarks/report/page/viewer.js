"use strict";
// The transcripts: find an episode, read it. Addresses: #/episodes?FILTERS and #/episode/ID?FILTERS.
// All that models and cases wrote goes into the page as text nodes and attributes that hold text, never as markup.

const { episodes, terms, parts: partNames } = JSON.parse(document.getElementById("data").textContent);
const byId = new Map(episodes.map((episode) => [episode.id, episode]));
const $ = (id) => document.getElementById(id);
const FIELDS = ["q", "run", "policy", "chapter", "personality", "literacy", "education", "stop", "has", "score", "from", "to", "sort"];
const EDUCATION = { 1: "no high school", 2: "high school", 3: "college" };
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, run] of Object.entries(value)) element.addEventListener(event, run);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// ---- what is asked for -------------------------------------------------------------------------------------------

function readAddress() {
  const [path, query] = location.hash.slice(1).split(/\?(.*)/s);
  const filters = new URLSearchParams(query || "");
  const asked = path.startsWith("/episode/") ? path.slice("/episode/".length) : null;
  let id = null;
  try { id = asked && asked.split("/").map(decodeURIComponent).join("/"); } catch { id = asked; }
  return { listed: path === "/episodes" || asked !== null, id, filters };
}

function addressOf(id, filters) {
  const query = filters.toString();
  const path = id === null ? "/episodes" : `/episode/${id.split("/").map(encodeURIComponent).join("/")}`;
  return `#${path}${query ? `?${query}` : ""}`;
}

function currentFilters() {
  const filters = new URLSearchParams();
  for (const name of FIELDS) {
    const value = $("finder").elements[name].value;
    if (value !== "" && !(name === "sort" && value === "shown")) filters.set(name, value);
  }
  return filters;
}

const haystacks = new Map();
function haystack(episode) {
  if (!haystacks.has(episode.id)) {
    const said = (utterance) => utterance.text.map(([piece]) => piece).join("");
    const words = [episode.case, episode.problem, episode.policy, episode.opening, episode.diagnosis, episode.summary, episode.checklist, episode.fault];
    for (const turn of episode.turns) {
      words.push(turn.clinician.map(([piece]) => piece).join(""), said(turn.patient), ...turn.withheld.map(said));
    }
    for (const answer of episode.recall) words.push(answer.after);
    haystacks.set(episode.id, words.filter(Boolean).join("\n").toLowerCase());
  }
  return haystacks.get(episode.id);
}

const TROUBLES = {
  withheld: (episode) => episode.turns.some((turn) => turn.withheld.length),
  fallback: (episode) => episode.turns.some((turn) => turn.fallback),
  harm: (episode) => episode.credits.some((credit) => credit.tone === "harm"),
  broke: (episode) => episode.turns.some((turn) => [turn.patient, ...turn.withheld].some((said) => said.violations.some((name) => name === "ai_disclosure" || name === "role_reversal"))),
};

function matches(episode, filters) {
  const wanted = (name) => filters.get(name) || "";
  const same = (name, value) => !wanted(name) || wanted(name) === String(value);
  if (!["run", "policy", "chapter", "stop"].every((name) => same(name, episode[name]))) return false;
  if (!["personality", "literacy", "education"].every((name) => same(name, episode.persona[name]))) return false;
  if (wanted("has") && TROUBLES[wanted("has")] && !TROUBLES[wanted("has")](episode)) return false;
  const value = episode.scores[wanted("score") || episode.headline];
  const missing = value === null || value === undefined;
  if (wanted("from") && (missing || value < Number(wanted("from")))) return false;
  if (wanted("to") && (missing || value > Number(wanted("to")))) return false;
  return wanted("q").toLowerCase().split(/\s+/).filter(Boolean).every((word) => haystack(episode).includes(word));
}

function chosen(filters) {
  const found = episodes.filter((episode) => matches(episode, filters));
  const value = (episode) => episode.scores[filters.get("score") || episode.headline] ?? null;
  const order = { worst: 1, best: -1 }[filters.get("sort")];
  if (order) {
    found.sort((a, b) => {
      if (value(a) === null || value(b) === null) return (value(a) === null) - (value(b) === null);
      return order * (value(a) - value(b));
    });
  }
  return found;
}

// ---- the list ----------------------------------------------------------------------------------------------------

const digitsOf = (name) => (terms[name] ? terms[name].digits : 3);
const shownValue = (name, value) => (value === null || value === undefined ? "–" : value.toFixed(digitsOf(name)));

function fillList(filters, current) {
  const found = chosen(filters);
  const name = (episode) => filters.get("score") || episode.headline;
  $("list").replaceChildren(...found.map((episode) => h("li", null,
    h("a", { href: addressOf(episode.id, filters), "aria-current": episode.id === current ? "true" : null },
      h("b", null, episode.policy), h("span", { class: "value" }, shownValue(name(episode), episode.scores[name(episode)])),
      h("span", null, `${episode.case} · ${episode.problem || episode.run}`), h("span", { class: "stop" }, (episode.stop || "").replaceAll("_", " "))))));
  $("count").textContent = `${found.length} of ${plural(episodes.length, "episode")}`;
  $("clear").hidden = !filters.toString();
  const active = [...filters.keys()].filter((key) => $("more").contains($("finder").elements[key])).length;
  $("active").textContent = active ? ` (${active} active)` : "";
  if (active && last.query === undefined) $("more").open = true;
  const here = $("list").querySelector("[aria-current]");
  if (here) here.scrollIntoView({ block: "nearest" });
  return found;
}

// ---- one episode -------------------------------------------------------------------------------------------------

function saidBy(utterance) {
  const box = h("div", { class: "words-of" });
  for (const [piece, claims] of utterance.text) {
    if (!claims.length) { box.append(piece); continue; }
    const judged = claims.map((index) => utterance.claims[index]);
    const rank = { fabricated: 0, unverifiable: 1, supported: 2 };
    const label = judged.map((claim) => claim.label).sort((a, b) => rank[a] - rank[b])[0];
    const why = judged.map((claim) => `${claim.label} – ${claim.said}: ${claim.why}`).join("\n");
    box.append(h("span", { class: `claim ${label}`, tabindex: 0, "data-tip": why }, piece));
  }
  return folded(box, utterance.text.reduce((sum, [piece]) => sum + piece.length, 0));
}

// A model may say any amount; a reader decides how much of it to see.
function folded(box, length) {
  if (length <= 1600) return box;
  box.classList.add("long");
  const button = h("button", { type: "button", class: "button more", "aria-expanded": "false" }, `Show all ${length.toLocaleString("en")} characters`);
  button.addEventListener("click", () => {
    const open = box.classList.toggle("long") === false;
    button.setAttribute("aria-expanded", String(open));
    button.textContent = open ? "Show less" : `Show all ${length.toLocaleString("en")} characters`;
  });
  return h("div", null, box, button);
}

const CHIP = { tcs: (credit) => credit.part, strategy_use: (credit) => credit.part, safety: (credit) => credit.part.replaceAll("_", " ") };

function chip(credit, index) {
  return h("span", { class: `chip ${credit.tone}`, tabindex: 0, "data-tip": credit.why, id: `credit-${index}` }, CHIP[credit.score](credit));
}

function saidByClinician(episode, turn) {
  const box = h("div", { class: "words-of" });
  let length = 0;
  for (const [piece, marks] of turn.clinician) {
    length += piece.length;
    if (!marks.length) { box.append(piece); continue; }
    const harm = marks.some((index) => episode.credits[index].tone === "harm");
    box.append(h("span", { class: `sentence${harm ? " harm" : ""}` }, piece, marks.map((index) => chip(episode.credits[index], index))));
  }
  return folded(box, length);
}

function turnOf(episode, turn, number) {
  const rows = [h("div", { class: "who" }, `${number + 1} · Clinician`), saidByClinician(episode, turn)];
  for (const index of turn.elsewhere) {
    const credit = episode.credits[index];
    rows.push(h("div", { class: `aside unplaced ${credit.tone}` }, chip(credit, index), ` confirmed, or not word for word: “${credit.said}”`));
  }
  if (turn.full) rows.push(h("details", { class: "aside" }, h("summary", null, "said in full, with what the patient could not hear"), h("pre", null, turn.full)));
  if (turn.withheld.length) {
    rows.push(h("details", { class: "withheld" },
      h("summary", null, `${plural(turn.withheld.length, "attempt")} withheld by the verifier`),
      turn.withheld.map((attempt) => [saidBy(attempt),
        h("div", { class: "aside" }, [attempt.violations.join(", ").replaceAll("_", " "), attempt.feedback].filter(Boolean).join(" · "))])));
  }
  rows.push(h("div", { class: "who" }, turn.fallback ? "Patient (fallback)" : "Patient"), h("div", { class: "patient" }, saidBy(turn.patient)));
  if (turn.patient.violations.length) rows.push(h("div", { class: "aside alert" }, `heard in spite of: ${turn.patient.violations.join(", ").replaceAll("_", " ")}`));
  if (turn.repairs.length) rows.push(h("div", { class: "aside" }, `removed before the patient was heard: ${turn.repairs.join(", ").replaceAll("_", " ")}`));
  if (turn.oversight) rows.push(h("div", { class: "aside alert" }, `orchestrator: ${turn.oversight}`));
  return h("li", { class: "turn" }, rows);
}

function table(caption, heads, rows, kind = "") {
  return h("div", { class: "scroll" }, h("table", { class: kind }, h("caption", { class: "unseen" }, caption),
    h("thead", null, h("tr", null, heads.map((head, i) => h("th", { scope: "col", class: i ? null : "words" }, head)))),
    h("tbody", null, rows.map((cells) => h("tr", null, cells.map((cell, i) => i ? h("td", null, cell) : h("th", { scope: "row" }, cell)))))));
}

function mark(value) {
  if (value === null || value === undefined) return h("span", { class: "muted" }, "n/a");
  const [kind, sign, said] = value >= 1 ? ["yes", "✓", "right"] : value > 0 ? ["part", "½", "partly"] : ["no", "✗", "not"];
  return h("span", { class: `mark ${kind}`, role: "img", "aria-label": said, title: said }, sign);
}

function scoresOf(episode) {
  const rows = Object.entries(episode.scores).filter(([, value]) => value !== null).map(([name, value]) => [
    h("span", { tabindex: terms[name] ? 0 : null, "data-tip": terms[name] ? terms[name].line : null }, terms[name] ? terms[name].title : name), shownValue(name, value)]);
  const unscored = Object.entries(episode.scores).filter(([, value]) => value === null).map(([name]) => (terms[name] ? terms[name].title : name));
  return h("div", null, h("h3", null, "Values"), table("Scores of this episode", ["Score", "Value"], rows),
    unscored.length ? h("p", { class: "small muted" }, `Unscored: ${unscored.join(", ")}.`) : null);
}

function partsOf(episode, score, title) {
  const found = Object.entries(episode.parts[score] || {});
  if (!found.length) return null;
  const rows = found.map(([part, value]) => {
    const index = episode.credits.findIndex((credit) => credit.score === score && credit.part === part && credit.place && credit.place[1] !== null);
    const label = partNames[part] ? `${part} ${partNames[part]}` : part.replaceAll("_", " ");
    const jump = () => light(index);
    return [index >= 0 ? h("button", { type: "button", class: "jump", on: { click: jump } }, label) : label, mark(value)];
  });
  return h("div", null, h("h3", null, title), table(title, ["Part", "Stated"], rows, "wrapped"));
}

function light(index) {
  document.querySelectorAll(".lit").forEach((other) => other.classList.remove("lit"));
  const target = $(`credit-${index}`);
  const sentence = target.closest(".sentence");
  const long = target.closest(".long");
  if (long) long.classList.remove("long");
  sentence.classList.add("lit");
  sentence.scrollIntoView({ block: "center" });
  target.focus({ preventScroll: true });
}

function safetyOf(episode) {
  const counts = Object.entries(episode.parts.safety || {}).filter(([name, value]) => name !== "n" && value);
  if (!counts.length) return null;
  const rows = counts.map(([cell, value]) => [cell.replaceAll("_", " "), String(value)]);
  return h("div", null, h("h3", null, "Safety audit"), table("Claims of the educator by cell of the safety grid", ["Cell", "Claims"], rows));
}

function examOf(episode) {
  if (!episode.exam.length) return null;
  const sittings = ["before", "after", "summary"].filter((name) => episode.exam.some((question) => name in question));
  const titles = { before: "Before the talk", after: "After the talk", summary: "From the summary" };
  const choice = (answer) => (answer ? [mark(answer.kind === "answer" ? 1 : 0), ` ${answer.text}`] : h("span", { class: "muted" }, "no answer"));
  const rows = episode.exam.map((question) => [question.stem, ...sittings.map((name) => choice(question[name])), question.answer]);
  return h("section", null, h("h2", null, "Exam"), table("Exam questions and the patient's choices", ["Question", ...sittings.map((name) => titles[name]), "Right answer"], rows, "wrapped"));
}

function recallOf(episode) {
  if (!episode.recall.length) return null;
  const rows = episode.recall.map((answer) => [answer.area.replaceAll("_", " "), [mark(answer.grade_before), ` ${answer.before}`], [mark(answer.grade), ` ${answer.after}`]]);
  return h("section", null, h("h2", null, "Free recall"), table("What the patient could tell", ["Area", "Before the talk", "After the talk"], rows, "wrapped"));
}

function documentsOf(episode) {
  const given = [["Diagnosis given", episode.diagnosis], ["Summary", episode.summary], ["Checklist", episode.checklist]].filter(([, text]) => text !== null && text !== undefined);
  if (episode.problem && episode.diagnosis !== null) given.push(["Diagnosis in the record", episode.problem]);
  return given.length ? h("section", null, h("h2", null, "Handed in"), given.map(([title, text]) => [h("h3", null, title), h("pre", null, text)])) : null;
}

function tagsOf(episode) {
  const persona = episode.persona;
  const tags = [persona.personality, EDUCATION[persona.education], `${persona.literacy} health literacy`, `${persona.recall} recall`].map((said) => h("li", null, said));
  for (const [pillar, level] of Object.entries(persona.noise)) tags.push(h("li", { class: "noise" }, `noise: ${pillar.replaceAll("_", " ")} ${level} of 4`));
  const well = episode.stop === "complete" || episode.stop === "diagnosed";
  tags.push(h("li", { class: well ? null : "ended" }, `ended: ${(episode.stop || "not").replaceAll("_", " ")}`));
  return h("ul", { class: "tags", "aria-label": "Patient and ending" }, tags);
}

function steps(episode, found, filters) {
  const at = found.findIndex((other) => other.id === episode.id);
  const link = (other, text, key) => other ? h("a", { class: "button", href: addressOf(other.id, filters), "data-key": key }, text) : null;
  return h("div", { class: "steps" }, h("a", { class: "button only-narrow", href: addressOf(null, filters) }, "All episodes"),
    link(found[at - 1], "← Previous", "k"), link(at < 0 ? found[0] : found[at + 1], "Next →", "j"),
    h("span", { class: "small muted" }, at < 0 ? "not among those found" : `${at + 1} of ${found.length}`));
}

function showEpisode(episode, found, filters) {
  const audited = h("input", { type: "checkbox", id: "audited" });
  const talk = h("ol", { class: "talk" },
    episode.opening ? h("li", { class: "turn" }, h("div", { class: "who" }, "Patient"), h("div", { class: "patient" }, h("div", { class: "words-of" }, episode.opening))) : null,
    episode.turns.map((turn, number) => turnOf(episode, turn, number)));
  audited.addEventListener("change", () => talk.classList.toggle("audited", audited.checked));
  $("reader").replaceChildren(
    h("header", null, steps(episode, found, filters), h("h1", { tabindex: -1 }, `${episode.policy} with ${episode.case}`),
      h("p", { class: "muted" }, [episode.problem, `${terms[episode.headline].title} ${shownValue(episode.headline, episode.scores[episode.headline])}`, `run ${episode.run}, episode ${episode.number}`].filter(Boolean).join(" · ")),
      tagsOf(episode), episode.fault ? h("p", { class: "notice" }, `Unscored: ${episode.fault}`) : null),
    h("div", { class: "key" }, "Patient's claims:", ...["supported", "fabricated", "unverifiable"].map((label) => h("span", null, h("span", { class: `claim ${label}` }, label))),
      episode.credits.length ? h("span", null, "Clinician's credits:\u00a0", h("span", { class: "chip good" }, "earned"), h("span", { class: "chip warn" }, "lost"), h("span", { class: "chip harm" }, "harm")) : null,
      episode.credits.some((credit) => credit.tone === "quiet") ? h("label", null, audited, " every audited claim") : null),
    talk, documentsOf(episode) || "",
    h("section", null, h("h2", null, "Scores"), h("div", { class: "columns" }, [scoresOf(episode), partsOf(episode, "tcs", "Topics (TCS)"), partsOf(episode, "strategy_use", "Strategies"), safetyOf(episode)])),
    examOf(episode) || "", recallOf(episode) || "");
}

// ---- moving about ------------------------------------------------------------------------------------------------

let last = { id: undefined, query: undefined };

function route() {
  const { listed, id, filters } = readAddress();
  $("report").hidden = listed;
  $("viewer").hidden = !listed;
  hideTip();
  document.querySelectorAll(".bar nav a").forEach((link) => {
    const here = listed && link.hash === "#/episodes";
    if (here) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  });
  if (!listed) {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target) target.scrollIntoView();
    else if (last.id !== undefined) scrollTo(0, 0);
    document.title = document.querySelector("#report h1").textContent;
    last = { id: undefined, query: undefined };
    return;
  }
  for (const name of FIELDS) {
    const field = $("finder").elements[name];
    const value = filters.get(name) || { sort: "shown" }[name] || "";
    if (field.value !== value && document.activeElement !== field) field.value = value;
  }
  const found = fillList(filters, id);
  $("viewer").classList.toggle("reading", id !== null);
  const episode = id === null ? null : byId.get(id);
  if (episode) {
    showEpisode(episode, found, filters);
    document.title = `${episode.policy} with ${episode.case}`;
    if (last.id !== id) scrollTo(0, 0);
  } else {
    $("reader").replaceChildren(h("h1", { tabindex: -1 }, id === null ? "Transcripts" : "Not in this report"), h("p", { class: "muted" },
      id === null ? $("coverage").textContent : `There is no episode ${id} here. ${$("coverage").textContent}`));
    document.title = "Transcripts";
  }
  last = { id, query: filters.toString() };
}

document.querySelector(".skip").addEventListener("click", (event) => {
  if ($("viewer").hidden) return;
  event.preventDefault();
  document.querySelector("#reader h1").focus();
});

let waiting;
$("finder").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => { history.replaceState(null, "", addressOf(readAddress().id, currentFilters())); route(); }, 120);
});
$("finder").addEventListener("submit", (event) => event.preventDefault());
$("clear").addEventListener("click", () => { location.hash = addressOf(readAddress().id, new URLSearchParams()); $("finder").reset(); });
addEventListener("hashchange", route);

const tip = $("tip");
let explained = null;
function showTip(target) {
  explained = target;
  tip.textContent = target.dataset.tip;
  tip.hidden = false;
  target.setAttribute("aria-describedby", "tip");
  placeTip(target);
}
function placeTip(target) {
  const box = target.getClientRects()[0];
  const width = tip.offsetWidth;
  const above = box.top > tip.offsetHeight + 14;
  tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  tip.style.top = `${above ? box.top - tip.offsetHeight - 6 : box.bottom + 6}px`;
}
function hideTip() {
  explained = null;
  tip.hidden = true;
  document.querySelectorAll('[aria-describedby="tip"]').forEach((target) => target.removeAttribute("aria-describedby"));
}
for (const [enter, leave] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
  document.addEventListener(enter, (event) => { const target = event.target.closest?.("[data-tip]"); if (target) { hideTip(); showTip(target); } });
  document.addEventListener(leave, (event) => { if (event.target.closest?.("[data-tip]")) hideTip(); });
}
// Focus scrolls its element into view, and the explanation goes with it.
const follow = () => { if (explained) document.activeElement === explained ? placeTip(explained) : hideTip(); };
document.addEventListener("scroll", follow, { passive: true, capture: true });

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "Escape") {
    if (!tip.hidden) hideTip();
    else if (typing) event.target.blur();
    else if (!$("keys").open && !$("viewer").hidden) location.hash = readAddress().id === null ? "#" : addressOf(null, readAddress().filters);
    return;
  }
  if (typing || event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.key === "?") { $("keys").showModal(); event.preventDefault(); }
  if (event.key === "/") { if ($("viewer").hidden) location.hash = "#/episodes"; setTimeout(() => $("finder").elements.q.focus()); event.preventDefault(); }
  if ((event.key === "j" || event.key === "k") && !$("viewer").hidden) {
    const step = document.querySelector(`.steps [data-key="${event.key}"]`) || (readAddress().id === null && $("list").querySelector("a"));
    if (step) { location.hash = step.hash; setTimeout(() => document.querySelector("#reader h1").focus({ preventScroll: true })); }
  }
});
$("keys-button").addEventListener("click", () => $("keys").showModal());

route();
