"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const { size, steps, graph } = JSON.parse(byId("game").textContent);
  const svg = byId("board").querySelector("svg");
  const cell = svg.viewBox.baseVal.width / (size + 1);
  const letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const BLACK = 1;

  // The colors of all points at each step.
  const boards = [];
  let colors = new Uint8Array(size * size);
  for (const step of steps) {
    colors = colors.slice();
    for (let i = 0; i < step.changes.length; i += 2) colors[step.changes[i]] = step.changes[i + 1];
    boards.push(colors);
  }
  const mistakes = steps.flatMap((step, at) => (step.named ? [at] : []));
  const stepOfNumber = (number) => steps.findIndex((step) => step.number === number);

  let at = 0;
  let line = null; // a variation that is shown instead of the candidates

  function element(name, attributes, text) {
    const made = document.createElementNS(svg.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }
  const layer = svg.appendChild(element("g", {}));
  const x = (point) => ((point % size) + 1) * cell;
  const y = (point) => (Math.floor(point / size) + 1) * cell;
  const name = (point) =>
    point < 0 ? "pass" : letters[point % size] + (size - Math.floor(point / size));

  function circle(point, radius, attributes) {
    layer.append(element("circle", { cx: x(point), cy: y(point), r: radius * cell, ...attributes }));
  }
  function label(point, text, fill, scale = 0.46) {
    const height = scale * cell * Math.min(1, 2.2 / text.length);
    const place = { x: x(point), y: y(point) + 0.35 * height, "font-size": height };
    layer.append(element("text", { ...place, fill, "font-weight": 600 }, text));
  }
  function stone(point, color) {
    circle(point, 0.47, { fill: color === BLACK ? "#000" : "#fff", stroke: "#000" });
  }

  function drawOwners(owners, colorsNow) {
    for (let point = 0; point < owners.length; point++) {
      const owner = (Number(owners[point]) - 4) / 4;
      // Stones are marked only if the opponent owns them, that is, if they are dead.
      if (owner === 0 || colorsNow[point] === (owner > 0 ? BLACK : 3 - BLACK)) continue;
      const half = 0.2 * cell * Math.abs(owner);
      const fill = owner > 0 ? "#000" : "#fff";
      const place = { x: x(point) - half, y: y(point) - half, width: 2 * half, height: 2 * half };
      layer.append(element("rect", { ...place, fill, stroke: "#888", "stroke-width": 0.5 }));
    }
  }
  function drawCandidates(step, colorsNow) {
    for (const [place, move] of step.moves.entries()) {
      if (move.point < 0 || colorsNow[move.point]) continue;
      circle(move.point, 0.45, { fill: place ? "#c9dfe8" : "#7ec8e3", stroke: "#245" });
      label(move.point, move.best.replace(" %", "").replace(" ", ""), "#012");
    }
  }
  function drawLine(color, points) {
    for (const [number, point] of points.entries()) {
      if (point < 0) continue;
      const mover = number % 2 ? 3 - color : color;
      stone(point, mover);
      label(point, String(number + 1), mover === BLACK ? "#fff" : "#000");
    }
  }
  function drawBoard() {
    layer.replaceChildren();
    const step = steps[at];
    boards[at].forEach((color, point) => color && stone(point, color));
    if (byId("show-owners").checked) drawOwners(step.owners, boards[at]);
    if (line) {
      drawLine(step.toPlay, line);
      return;
    }
    if (byId("show-moves").checked) drawCandidates(step, boards[at]);
    const next = at + 1 < steps.length ? steps[at + 1].last : -1;
    if (next >= 0 && !boards[at][next]) {
      circle(next, 0.47, { fill: "none", stroke: "#b3261e", "stroke-width": 2, "stroke-dasharray": "4 3" });
    }
    // The better point just before and just after a mistake.
    for (const better of [step.better, steps[at + 1]?.better]) {
      if (better >= 0 && !boards[at][better]) {
        circle(better, 0.47, { fill: "none", stroke: "#1d7a3e", "stroke-width": 3 });
      }
    }
    if (step.last >= 0) {
      const ring = boards[at][step.last] === BLACK ? "#fff" : "#000";
      circle(step.last, 0.28, { fill: "none", stroke: ring, "stroke-width": 1.6 });
    }
  }

  function showMoves(step) {
    const body = byId("moves").tBodies[0];
    byId("mover").textContent = step.toPlay === BLACK ? "Black" : "White";
    body.replaceChildren();
    for (const move of step.moves) {
      const row = body.insertRow();
      row.tabIndex = 0;
      for (const text of [move.name, move.best, move.loss, move.experts]) {
        row.insertCell().textContent = text;
      }
      const show = () => { line = move.line; drawBoard(); };
      const hide = () => { line = null; drawBoard(); };
      row.title = move.line.map(name).join(" ");
      for (const kind of ["mouseenter", "focus", "click"]) row.addEventListener(kind, show);
      for (const kind of ["mouseleave", "blur"]) row.addEventListener(kind, hide);
    }
    byId("moves").hidden = step.moves.length === 0;
  }

  function go(target) {
    at = Math.min(Math.max(target, 0), steps.length - 1);
    line = null;
    const step = steps[at];
    drawBoard();
    showMoves(step);
    byId("slider").value = at;
    byId("step-name").textContent = step.number ? `Move ${step.number}: ${step.name}` : step.name;
    byId("slider").setAttribute("aria-valuetext", byId("step-name").textContent);
    byId("board").setAttribute("aria-label", `Go board, ${byId("step-name").textContent}`);
    byId("step-rate").textContent = `${step.rate}.`;
    byId("step-said").textContent = step.said || "";
    byId("step-said").className = step.named ? "named" : "";
    byId("step-card").hidden = !byId(`mistake-${step.number}`) || !step.named;
    byId("step-card").href = `#mistake-${step.number}`;
    byId("captures").textContent = `captures: Black ${step.captures[0]}, White ${step.captures[1]}`;
    const across = graph.left + at * graph.pace;
    byId("cursor").setAttribute("transform", `translate(${across - graph.left} 0)`);
    for (const row of document.querySelectorAll("#all tr.current")) row.classList.remove("current");
    const row = document.querySelector(`#all tr[data-step="${at}"]`);
    if (row) {
      row.classList.add("current");
      // Only the list scrolls, not the page.
      const box = row.closest(".scroll");
      box.scrollTop = row.offsetTop - box.clientHeight / 2;
    }
  }

  const jumps = {
    "first": () => 0,
    "previous": () => at - 1,
    "next": () => at + 1,
    "last": () => steps.length - 1,
    "previous-mistake": () => mistakes.findLast((step) => step < at) ?? at,
    "next-mistake": () => mistakes.find((step) => step > at) ?? at,
  };
  const keys = {
    "ArrowLeft": "previous", "ArrowRight": "next", "Home": "first", "End": "last",
    "Shift+ArrowLeft": "previous-mistake", "Shift+ArrowRight": "next-mistake",
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // The slider and the list have their own keys; a box that was just ticked has none of these.
    if (event.target.closest?.("input[type=range], .scroll")) return;
    const jump = keys[(event.shiftKey ? "Shift+" : "") + event.key];
    if (!jump) return;
    event.preventDefault();
    go(jumps[jump]());
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) go(jumps[button.dataset.go]());
    const link = event.target.closest("a[data-step], #all tr[data-step]");
    if (link) go(Number(link.dataset.step));
    // A mark of the graph links to its card for use without scripts.
    if (link && link.closest("#graph")) event.preventDefault();
  });
  byId("graph").addEventListener("click", (event) => {
    if (event.target.closest("a")) return;
    const box = byId("graph").getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * graph.width;
    go(Math.round((across - graph.left) / graph.pace));
  });
  byId("slider").addEventListener("input", () => go(Number(byId("slider").value)));
  for (const id of ["show-moves", "show-owners"]) byId(id).addEventListener("change", drawBoard);

  const asked = /^#(?:move|mistake)-(\d+)$/.exec(location.hash);
  go(asked ? stepOfNumber(Number(asked[1])) : mistakes.length ? mistakes[0] : steps.length - 1);
})();
