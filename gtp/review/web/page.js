const byId = (id) => document.getElementById(id);
const { size, suicide, steps, cards, graph } = JSON.parse(byId("game").textContent);
const names = ["", "Black", "White"];
const SHOWN = 10; // moves of a line in words

// The colors of all points at each step, and the number of the move on each point.
const boards = [];
const moveNumbers = [];
let colors = new Uint8Array(size * size);
let numbers = new Map();
for (const step of steps) {
  colors = colors.slice();
  numbers = new Map(numbers);
  for (let i = 0; i < step.changes.length; i += 2) {
    colors[step.changes[i]] = step.changes[i + 1];
    numbers.delete(step.changes[i]);
  }
  if (step.last >= 0 && colors[step.last]) numbers.set(step.last, String(step.number));
  boards.push(colors);
  moveNumbers.push(numbers);
}

// What is shown: a position of the game; in it a lesson, or a variation.
let at = 0;
let lesson = null; // a card
let line = null; // { points, positions, shown, owners }; positions[k] is after k moves
let preview = null; // points of a line under the mouse
let order = []; // the cards that are listed, in their order
let tries = new Map(); // answers to the lesson's question: point to text on the board
let feedback = "";
const solved = new Set();

const asking = () => Boolean(lesson) && !line && !solved.has(lesson);
const wordsOf = (points) =>
  points.slice(0, SHOWN).map((point, k) => `${k + 1} ${nameOf(size, point)}`).join(" ");

function position() {
  if (line) return line.positions[line.shown];
  const { last, toPlay, captures } = steps[at];
  return { colors: boards[at], before: at ? boards[at - 1] : null, last, toPlay, captures };
}

// The positions of a line, as far as the rules allow it.
function lineFrom(start, points) {
  const positions = [start];
  for (const point of points) {
    const next = positionAfter(positions.at(-1), point, size, suicide);
    if (!next) break;
    positions.push(next);
  }
  return { points: points.slice(0, positions.length - 1), positions, shown: positions.length - 1 };
}

function numbered(points, shown) {
  return new Map(points.slice(0, shown).map((point, k) => [point, String(k + 1)]));
}

// The view of a line's end, for a small board or the large one.
function viewOf(some) {
  const { colors, last } = some.positions[some.shown];
  return { colors, last, numbers: numbered(some.points, some.shown) };
}

function showLine(points, shown = points.length, owners = "") {
  line = { ...lineFrom(line ? line.positions[0] : position(), points), owners };
  line.shown = Math.min(shown, line.points.length);
  render();
}

// Plays a point: the next move of the game, or one of a variation.
function play(point) {
  const now = position();
  if (now.colors[point]) return undefined;
  if (asking()) return answer(point);
  if (!positionAfter(now, point, size, suicide)) return undefined;
  if (line && line.points[line.shown] === point) return move(1);
  if (!line && lesson === null && steps[at + 1]?.last === point) return go(at + 1);
  const choice = line ? null : steps[at].moves.find((one) => one.point === point);
  const points = line ? [...line.points.slice(0, line.shown), point] : choice ? choice.line : [point];
  return showLine(points, line ? points.length : 1);
}

function answer(point) {
  const name = nameOf(size, point);
  const choice = steps[at].moves.find((one) => one.point === point);
  if (!positionAfter(position(), point, size, suicide)) {
    feedback = `The rules forbid ${name}.`;
  } else if (!choice) {
    tries.set(point, "?");
    feedback = `The review did not look at ${name}.`;
  } else if (lesson.betterPoints.includes(point) || choice.loss === "0.0") {
    feedback = `${name} is the best move that the review found.`;
    solve(lesson);
  } else if (lossClass(choice.loss) === "best") {
    feedback = `${name} is good, about ${choice.loss} points behind the best move.`;
    solve(lesson);
  } else {
    tries.set(point, choice.loss);
    const played = point === lesson.point ? ", and was played in the game" : "";
    feedback = `${name} loses about ${choice.loss} points${played}. Try again.`;
  }
  render();
}

function move(by) {
  if (!line) return go(at + by);
  if (line.shown + by < 0) line = null;
  else line.shown = Math.min(line.shown + by, line.points.length);
  return render();
}

function go(target, card = null) {
  at = Math.min(Math.max(target, 0), steps.length - 1);
  if (card !== lesson) {
    tries = new Map();
    feedback = "";
  }
  lesson = card;
  line = preview = null;
  render();
}

const open = (card) => go(card.step, card);

function neighborLesson(by) {
  if (!order.length) return undefined;
  if (lesson && order.includes(lesson)) {
    return open(order[(order.indexOf(lesson) + by + order.length) % order.length]);
  }
  const along = [...order].sort((a, b) => a.step - b.step);
  const next = by > 0 ? along.find((card) => card.step > at) : along.findLast((card) => card.step < at);
  return next && open(next);
}

// The board

function drawMain() {
  const step = steps[at];
  const shown = preview ? { ...lineFrom(position(), preview) } : line;
  let view = { ...position(), rings: [] };
  if (shown) view = { ...viewOf(shown), owners: shown.owners, rings: [] };
  else if (asking()) view.choices = [...tries].map(([point, loss]) => ({ point, loss }));
  else {
    if (byId("show-moves").checked) view.choices = step.moves;
    view.owners = step.owners;
    const next = steps[at + 1]?.last ?? -1;
    if (!boards[at][next]) view.rings.push({ point: next, kind: "next" });
    const better = cards.find((card) => card.step === at)?.betterPoints ?? [];
    view.rings.push(...better.map((point) => ({ point, kind: "better" })));
  }
  if (!byId("show-owners").checked || asking()) view.owners = "";
  if (byId("show-numbers").checked && !shown) view.numbers = moveNumbers[at];
  view.coordinates = byId("show-coordinates").checked;
  drawBoard(byId("board"), size, view);
  byId("board").classList.toggle("asking", asking());
  const [black, white] = position().captures;
  byId("captures").textContent = `captures: Black ${black}, White ${white}`;
}

function drawLine(figure, caption, points, owners) {
  const shown = lineFrom({ ...position() }, points);
  figure.querySelector(".caption").textContent = caption;
  figure.querySelector(".line").textContent = wordsOf(shown.points);
  const view = { ...viewOf(shown), owners: byId("show-owners").checked ? owners : "" };
  drawBoard(figure.querySelector("svg"), size, view);
}

// The words

function paragraphs(...items) {
  byId("said").replaceChildren(...items.filter(Boolean).map(([text, kind]) => {
    const made = document.createElement("p");
    made.textContent = text.replaceAll(" %", "\u00a0%"); // a number stays with its sign
    made.className = kind || "";
    return made;
  }));
}

function showWords() {
  const step = steps[at];
  const mover = names[step.toPlay];
  byId("rate").textContent = asking() ? "" : `${step.rate}.`;
  byId("place").textContent = lesson && order.includes(lesson)
    ? `Costly move ${order.indexOf(lesson) + 1} of ${order.length}` : "";
  if (line) {
    byId("headline").textContent = `A variation from move ${step.number}`;
    byId("rate").textContent = "";
    paragraphs([wordsOf(line.points.slice(0, line.shown)) || "Its beginning."],
      line.shown < line.points.length && ["→ plays the expected reply."]);
  } else if (asking()) {
    byId("headline").textContent = `${mover} to play: where would you play?`;
    paragraphs(
      feedback ? [feedback, "feedback"] : [`Move ${lesson.number} of the game ${lesson.lost}.`],
    );
  } else if (lesson) {
    byId("headline").textContent =
      `Move ${lesson.number}: ${mover} ${lesson.move} ${lesson.lost}`;
    paragraphs(
      feedback && [feedback, "feedback"],
      [`A ${lesson.size} loss; chance of a mistake ${lesson.chance}.`, "figures"],
      ...lesson.reasons.map((reason) => [reason]),
      lesson.again.length && [`${lesson.also} move ` +
        `${lesson.again.map(([, number]) => number).join(", ")}.`],
    );
  } else {
    byId("headline").textContent = step.number ? `Move ${step.number}: ${step.name}` : step.name;
    paragraphs(step.said && [step.said]);
  }
  const answered = lesson && !line && !asking();
  byId("pair").hidden = !answered;
  if (answered) {
    drawLine(byId("show-better"), `Instead: ${lesson.better}`, lesson.line, lesson.owners);
    drawLine(byId("show-played"), `After ${lesson.move}`, lesson.played, steps[at + 1].owners);
  }
  byId("answer").hidden = !asking();
  byId("back").hidden = !line;
  const here = cards.find((card) => card.step === at || card.step === at - 1);
  byId("ask").hidden = Boolean(lesson || line || !here);
  byId("ask").onclick = () => here && open(here);
  for (const id of ["previous-lesson", "next-lesson"]) byId(id).hidden = !order.length;
}

function showMoves() {
  const { moves } = steps[at];
  const played = steps[at + 1]?.last;
  byId("moves").hidden = Boolean(asking() || line || !moves.length);
  byId("moves").tBodies[0].replaceChildren(...moves.map((choice) => {
    const row = document.createElement("tr");
    row.tabIndex = 0;
    row.classList.toggle("played", choice.point === played);
    row.dataset.point = choice.point;
    const name = choice.point === played ? `${choice.name} (played)` : choice.name;
    const words = choice.line.slice(1, 6).map((point) => nameOf(size, point)).join(" ");
    for (const text of [name, choice.loss, choice.expected, words]) {
      row.insertCell().textContent = text;
    }
    row.cells[1].className = lossClass(choice.loss);
    const show = (points) => { preview = points; drawMain(); };
    row.addEventListener("mouseenter", () => show(choice.line));
    row.addEventListener("mouseleave", () => show(null));
    row.addEventListener("click", () => { preview = null; showLine(choice.line); });
    row.addEventListener("keydown", (event) => event.key === "Enter" && showLine(choice.line));
    return row;
  }));
}

function render() {
  drawMain();
  showWords();
  showMoves();
  const name = byId("headline").textContent;
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", name);
  byId("board").setAttribute("aria-label", `Go board. ${name}`);
  byId("cursor").setAttribute("transform", `translate(${at * graph.pace} 0)`);
  for (const [k, item] of items.entries()) {
    item.classList.toggle("solved", solved.has(cards[k]));
    item.classList.toggle("current", cards[k] === lesson);
  }
  for (const row of document.querySelectorAll("#all tr.current")) row.classList.remove("current");
  const row = document.querySelector(`#all tr[data-step="${at}"]`);
  if (!row || asking()) return;
  row.classList.add("current");
  // Only the list scrolls, not the page.
  byId("list").scrollTop = row.offsetTop - byId("list").clientHeight / 2;
}

// The hands

function pointAt(event) {
  const svg = byId("board");
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const [column, row] = [place.x, place.y].map((one) => Math.round(one / CELL) - 1);
  return Math.min(column, row) < 0 || Math.max(column, row) >= size ? -1 : row * size + column;
}

byId("board").addEventListener("click", (event) => {
  const point = pointAt(event);
  preview = null;
  if (point >= 0) play(point);
});
byId("board").addEventListener("mousemove", (event) => {
  const point = pointAt(event);
  const choice = line || asking() || !byId("show-moves").checked
    ? null : steps[at].moves.find((one) => one.point === point && point >= 0);
  const points = choice ? choice.line : null;
  if (points === preview) return;
  preview = points;
  drawMain();
});
byId("board").addEventListener("mouseleave", () => { preview = null; drawMain(); });
let turned = 0; // of the wheel, in pixels
byId("board").addEventListener("wheel", (event) => {
  event.preventDefault();
  preview = null;
  turned += event.deltaY * (event.deltaMode ? 30 : 1);
  if (Math.abs(turned) < 30) return;
  move(Math.sign(turned));
  turned = 0;
}, { passive: false });

const jumps = {
  first: () => go(0), last: () => go(steps.length - 1), previous: () => move(-1), next: () => move(1),
};
const keys = {
  "ArrowLeft": jumps.previous, "ArrowRight": jumps.next, "Home": jumps.first, "End": jumps.last,
  "Shift+ArrowLeft": () => neighborLesson(-1), "Shift+ArrowRight": () => neighborLesson(1),
  "Escape": () => { line = null; render(); },
};
let typed = ""; // a point, such as D4
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  // The slider, the list and the choices have their own keys; a box that was just ticked has none.
  if (event.target.closest?.("input[type=range], select, #list")) return;
  const jump = keys[(event.shiftKey ? "Shift+" : "") + event.key];
  if (jump) {
    event.preventDefault();
    jump();
  } else if (event.key === "Enter" && typed) {
    const [column, row] = [LETTERS.indexOf(typed[0]), size - Number(typed.slice(1))];
    if (column >= 0 && column < size && row >= 0 && row < size) play(row * size + column);
    typed = "";
  } else if (/^[a-z]$/i.test(event.key)) typed = event.key.toUpperCase();
  else if (/^\d$/.test(event.key) && typed) typed += event.key;
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-go]");
  if (button) jumps[button.dataset.go]();
  const link = event.target.closest("a[data-step], #all tr[data-step]");
  if (link) go(Number(link.dataset.step));
  const card = event.target.closest(".thumb, a[data-mistake]");
  if (!card) return;
  event.preventDefault();
  const number = card.dataset.mistake;
  open(number ? cards.find((one) => String(one.number) === number)
    : cards[Number(card.closest(".card").dataset.card)]);
  if (!number) byId("viewer").scrollIntoView({ block: "start" });
});
byId("graph").addEventListener("click", (event) => {
  if (event.target.closest("a")) return;
  const box = byId("graph").getBoundingClientRect();
  const across = ((event.clientX - box.left) / box.width) * graph.width;
  go(Math.round((across - graph.left) / graph.pace));
});
byId("slider").addEventListener("input", () => go(Number(byId("slider").value)));
for (const id of ["show-moves", "show-owners", "show-numbers", "show-coordinates"]) {
  byId(id).addEventListener("change", render);
}
for (const id of ["order", "color", "size"]) {
  byId(id)?.addEventListener("change", () => { list(); render(); });
}
byId("answer").addEventListener("click", () => { solve(lesson); render(); });
byId("answer-all")?.addEventListener("click", () => {
  order.forEach(solve);
  render();
});
byId("back").addEventListener("click", () => { line = null; render(); });
byId("next-lesson").addEventListener("click", () => neighborLesson(1));
byId("previous-lesson").addEventListener("click", () => neighborLesson(-1));
byId("show-better").addEventListener("click", () => showLine(lesson.line, SHOWN, lesson.owners));
byId("show-played").addEventListener("click", () => showLine(lesson.played, SHOWN, steps[at + 1].owners));
window.addEventListener("beforeprint", drawForPrint);

list();
cards.forEach(drawThumb);
const wanted = /^#(move|mistake)-(\d+)$/.exec(location.hash);
const card = wanted?.[1] === "mistake" && cards.find((one) => one.number === Number(wanted[2]));
// The most instructive mistake is the largest one that is hardly doubtful.
const first = order.find((one) => one.certainty !== "perhaps") ?? order[0];
if (card) open(card);
else if (wanted) go(steps.findIndex((step) => step.number === Number(wanted[2])));
else if (first) open(first);
else go(steps.length - 1);
