"use strict";
// Tables that sort, figures that switch, light and dark: what the report itself needs.

const each = (selector, run) => document.querySelectorAll(selector).forEach(run);

// Storage may be refused to a file that was opened from disk.
const remembered = (() => {
  try { return localStorage.getItem("bedside-theme"); } catch { return null; }
})();
if (remembered) document.documentElement.dataset.theme = remembered;

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

function tellTheme() {
  const button = document.getElementById("theme");
  button.textContent = isDark() ? "Light" : "Dark";
  button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
}

document.getElementById("theme").addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("bedside-theme", theme); } catch { /* then it holds for this visit */ }
  tellTheme();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tellTheme);
tellTheme();

// The rows above the line (the untaught patient) stay where they are.
each("table.sortable thead button", (button) => button.addEventListener("click", () => {
  const head = button.closest("th");
  const table = head.closest("table");
  const column = [...head.parentElement.children].indexOf(head);
  const down = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : "best" in head.dataset;
  table.querySelectorAll("[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  const value = (row) => row.children[column].dataset.value;
  const rows = [...body.rows].filter((row) => !row.classList.contains("floor"));
  const number = (row) => (value(row) === "" ? NaN : Number(value(row)));
  const words = rows.some((row) => value(row) !== "" && Number.isNaN(number(row)));
  rows.sort((a, b) => {
    if (words) return (down ? -1 : 1) * value(a).localeCompare(value(b));
    const [x, y] = [number(a), number(b)];
    // What was not scored comes last, whichever way.
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
    return down ? y - x : x - y;
  });
  body.append(...rows);
}));

each(".switched", (box) => {
  const choices = [...box.querySelectorAll(".choices select")];
  const show = () => {
    const wanted = choices.map((choice) => choice.value).join("\u0000");
    box.querySelectorAll("[data-variant]").forEach((variant) => {
      variant.hidden = JSON.parse(variant.dataset.variant).join("\u0000") !== wanted;
    });
  };
  box.querySelector(".choices").hidden = false;
  choices.forEach((choice) => choice.addEventListener("change", show));
  show();
});
