// Filters of a report's pages. Everything is in the page already; without scripts all of it is shown.
"use strict";

const side = document.getElementById("side");
const folder = document.getElementById("folder");
const uncovered = document.getElementById("uncovered");

// The choice of a side goes along to other pages of the report in the address, not in storage.
function readAddress() {
  const wanted = new URLSearchParams(location.search);
  if ([...side.options].some((option) => option.value === wanted.get("side")))
    side.value = wanted.get("side");
  uncovered.checked = wanted.get("uncovered") === "1";
}

function writeAddress() {
  const wanted = new URLSearchParams();
  if (side.value) wanted.set("side", side.value);
  if (uncovered.checked) wanted.set("uncovered", "1");
  const query = wanted.toString() ? "?" + wanted : "";
  for (const link of document.querySelectorAll("a.within")) {
    const [path, line] = link.getAttribute("href").split("#");
    link.setAttribute("href", path.split("?")[0] + query + (line ? "#" + line : ""));
  }
}

function hasUncovered(row) {
  const sides = (row.dataset.uncovered || "").split(" ").filter(Boolean);
  return side.value ? sides.includes(side.value) : sides.length > 0;
}

function apply() {
  for (const cell of document.querySelectorAll("[data-side]"))
    cell.hidden = side.value !== "" && cell.dataset.side !== side.value;
  for (const row of document.querySelectorAll("tr.filtered")) {
    const onSide = !side.value || row.dataset.sides.split(" ").includes(side.value);
    const inFolder = !folder || row.dataset.path.includes(folder.value);
    row.hidden = !onSide || !inFolder || (uncovered.checked && !hasUncovered(row));
  }
  for (const row of document.querySelectorAll("tr.folder"))
    row.hidden = ![...document.querySelectorAll("tr.filtered")].some(
      (file) => file.dataset.folder === row.dataset.folder && !file.hidden);
  for (const mark of document.querySelectorAll("span[data-missed]"))
    mark.classList.toggle("miss-any", !side.value || mark.dataset.missed.split(" ").includes(side.value));
  writeAddress();
}

readAddress();
for (const control of [side, folder, uncovered])
  if (control) control.addEventListener("input", apply);
apply();
