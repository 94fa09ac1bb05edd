// A drawing of a board as SVG.
const CELL = 24;
const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const nameOf = (size, point) =>
  point < 0 ? "pass" : LETTERS[point % size] + (size - Math.floor(point / size));

function element(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function starPoints(size) {
  if (size < 7) return [];
  const edge = size < 13 ? 2 : 3;
  const middle = (size - 1) / 2;
  const lines = [edge, size - 1 - edge];
  if (size % 2 && size >= 13) lines.push(middle);
  const points = lines.flatMap((row) => lines.map((column) => row * size + column));
  return size === 9 ? [...points, 40] : points;
}

// Draws a view: colors; and as far as they are there: last point, numbers and texts by point,
// choices [{ point, loss }], rings [{ point, kind }], owners (a digit for each point), coordinates.
function drawBoard(svg, size, view) {
  const x = (point) => ((point % size) + 1) * CELL;
  const y = (point) => (Math.floor(point / size) + 1) * CELL;
  const margin = view.coordinates ? 1 : 0.62;
  const start = (1 - margin) * CELL;
  const side = (size - 1 + 2 * margin) * CELL;
  const parts = [];
  const add = (name, attributes, text) => parts.push(element(name, attributes, text));
  const circle = (point, radius, attributes) =>
    add("circle", { cx: x(point), cy: y(point), r: radius * CELL, ...attributes });
  const label = (point, text, fill, scale = 0.5) => {
    const height = scale * CELL * Math.min(1, 2.3 / text.length);
    add("text", { x: x(point), y: y(point) + 0.36 * height, "font-size": height, fill }, text);
  };

  const far = size * CELL;
  let path = "";
  for (let k = CELL; k <= far; k += CELL) path += `M${CELL} ${k}H${far}M${k} ${CELL}V${far}`;
  add("path", { d: path, class: "grid-line" });
  for (const point of starPoints(size)) circle(point, 0.11, { class: "star" });
  if (view.coordinates) {
    for (let k = 0; k < size; k++) {
      for (const edge of [0.3 * CELL, (size + 0.7) * CELL]) {
        const place = { "font-size": 0.4 * CELL * Math.min(1, 0.5 + size / 38), class: "coordinate" };
        const along = (k + 1) * CELL;
        add("text", { x: along, y: edge + 0.14 * CELL, ...place }, LETTERS[k]);
        add("text", { x: edge, y: along + 0.14 * CELL, ...place }, String(size - k));
      }
    }
  }
  const { colors } = view;
  for (let point = 0; point < colors.length; point++) {
    if (!colors[point]) continue;
    add("circle", { cx: x(point) + 1, cy: y(point) + 1.6, r: 0.47 * CELL, class: "shadow" });
    circle(point, 0.475, { class: "stone", fill: `url(#stone-${colors[point]})` });
  }
  for (let point = 0; point < (view.owners || "").length; point++) {
    const owner = (Number(view.owners[point]) - 4) / 4;
    // Stones are marked only if the opponent owns them, that is, if they are dead.
    if (!owner || colors[point] === (owner > 0 ? 1 : 2) || view.numbers?.has(point)) continue;
    const half = 0.2 * CELL * Math.abs(owner);
    const place = { x: x(point) - half, y: y(point) - half, width: 2 * half, height: 2 * half };
    add("rect", { ...place, fill: owner > 0 ? "#111" : "#fff", stroke: "#777", "stroke-width": 0.5 });
  }
  for (const { point, loss } of view.choices || []) {
    if (point < 0 || colors[point]) continue;
    circle(point, 0.46, { class: `choice ${lossClass(loss)}` });
    label(point, loss, "#0b1d16", 0.46);
  }
  for (const [point, text] of view.numbers || []) {
    if (point < 0) continue;
    if (!colors[point]) circle(point, 0.4, { class: "wood" });
    label(point, text, colors[point] === 1 ? "#fff" : "#000");
  }
  for (const { point, kind } of view.rings || []) {
    if (point >= 0) circle(point, 0.47, { class: `ring ${kind}` });
  }
  if (view.last >= 0 && !view.numbers?.has(view.last)) {
    circle(view.last, 0.25, { class: `last on-${colors[view.last]}` });
  }
  svg.setAttribute("viewBox", `${start} ${start} ${side} ${side}`);
  svg.replaceChildren(...parts);
}

// How bad a loss is, as a class of the style.
function lossClass(loss) {
  const points = Number(loss);
  if (points < 0.5) return "best";
  if (points < 2) return "good";
  return points < 5 ? "poor" : "bad";
}
