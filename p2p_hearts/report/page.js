"use strict";
// Steps through a hand: hides what has not been played yet. All it says is read from the table, and put back as text.
for (const hand of document.querySelectorAll(".hand")) {
  const table = hand.querySelector("table.play");
  const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  const rows = [...table.tBodies[0].rows];
  const cells = [...table.querySelectorAll("td[data-n]")].sort((a, b) => a.dataset.n - b.dataset.n);
  const costs = [...table.tFoot.rows[0].querySelectorAll(".cost")];
  const finals = costs.map((cell) => cell.textContent);
  const bar = document.createElement("div");
  const said = document.createElement("output");
  let shown = cells.length;

  const plain = (cell) => {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll(".said").forEach((part) => part.remove());
    return copy.textContent;
  };

  // what is said of a card when it falls: not yet whether it takes the trick, nor that a twin to come will cancel it
  const face = (cell) => cell.querySelector(".card").textContent;
  const seen = (row) => [...row.querySelectorAll("td[data-n]:not(.later)")];
  const falls = (cell) => {
    const [card, ...rest] = cell.querySelector(".said").textContent.split(", ");
    const twin = seen(cell.parentNode).some((other) => other !== cell && face(other) === face(cell));
    return [card, ...rest.filter((word) => word === "leads"), ...(twin ? ["which cancels the other"] : [])].join(", ");
  };

  function draw() {
    cells.forEach((cell, place) => {
      cell.classList.toggle("later", place >= shown);
      cell.classList.toggle("now", place === shown - 1 && shown < cells.length);
    });
    const sums = costs.map(() => 0);
    let end = null;
    rows.forEach((row) => {
      const own = row.querySelectorAll("td[data-n]").length;
      const fallen = seen(row);
      const done = fallen.length === own;
      row.classList.toggle("open", !done);
      row.querySelector(".end").classList.toggle("later", !done);
      row.querySelector("th").classList.toggle("later", !fallen.length);
      for (const cell of fallen) {
        const twin = fallen.some((other) => other !== cell && face(other) === face(cell));
        cell.classList.toggle("alone", cell.classList.contains("gone") && !twin);
      }
      if (done && row.dataset.taker !== undefined) sums[row.dataset.taker] += Number(row.dataset.cost);
      if (done) end = row;
    });
    costs.forEach((cell, seat) => {
      cell.textContent = shown === cells.length ? finals[seat] : String(sums[seat]).replace("-", "−");
    });
    const last = cells[shown - 1];
    const words = last ? `Trick ${last.parentNode.cells[0].textContent}. ${names[last.cellIndex]}: ${falls(last)}.` : "Nothing is played yet.";
    const whole = last && last.parentNode === end ? ` ${plain(end.querySelector(".end"))}` : "";
    said.textContent = shown === cells.length ? "All cards are shown." : words + whole;
  }

  function go(place) {
    shown = Math.max(0, Math.min(cells.length, place));
    draw();
  }

  const size = names.length - 2;
  const moves = [
    ["From the first card", () => go(0)],
    ["← Card back", () => go(shown - 1)],
    ["Next card →", () => go(shown + 1)],
    ["Next trick", () => go((Math.floor(shown / size) + 1) * size)],
    ["Show all", () => go(cells.length)],
  ];
  bar.className = "replay";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", `Replay of ${hand.querySelector("h3").textContent}`);
  for (const [words, act] of moves) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", act);
    bar.append(button);
  }
  bar.addEventListener("keydown", (event) => {
    const place = { ArrowRight: shown + 1, ArrowLeft: shown - 1, Home: 0, End: cells.length }[event.key];
    if (place === undefined) return;
    event.preventDefault();
    go(place);
  });
  bar.append(said);
  table.parentNode.before(bar);
  draw();
}
