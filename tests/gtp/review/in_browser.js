// Uses the page as a person does, and writes its observations into the title of the page around it.
(() => {
  const found = { faults: window.faults };
  const byId = (id) => document.getElementById(id);
  const board = byId("board");
  const head = () => byId("headline").textContent;
  const said = () => byId("said").textContent;
  const stones = () => board.querySelectorAll(".stone").length;
  const shown = (id) => !byId(id).hidden;
  const press = (key, more) =>
    document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  const mouse = (target, kind, x, y) =>
    target.dispatchEvent(new MouseEvent(kind, { clientX: x, clientY: y, bubbles: true, cancelable: true }));
  const place = (name) => {
    const size = 9;
    const column = "ABCDEFGHJ".indexOf(name[0]);
    const point = new DOMPoint((column + 1) * 24, (size - Number(name[1]) + 1) * 24);
    return point.matrixTransform(board.getScreenCTM());
  };
  const click = (name) => mouse(board, "click", place(name).x, place(name).y);
  const wheel = (by) =>
    board.dispatchEvent(new WheelEvent("wheel", { deltaY: by, bubbles: true, cancelable: true }));
  const choose = (id, value) => {
    byId(id).value = value;
    byId(id).dispatchEvent(new Event("change"));
  };
  const listed = () =>
    [...document.querySelectorAll(".card:not([hidden])")].map((card) => Number(card.id.split("-")[1]));
  const overlap = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

  // The lesson: a question, answers, and both lines.
  const { cards, steps } = JSON.parse(byId("game").textContent);
  const card = cards.find((one) => head() && byId("said").textContent.includes(`Move ${one.number} `));
  const choices = steps[card.step].moves;
  const empty = [..."ABCDEFGHJ"].flatMap((letter) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((row) => letter + row));
  const other = choices.find((one) => ![card.better, card.move].includes(one.name));
  found.asked = [head(), said(), shown("answer"), shown("moves"), shown("pair"), card.number];
  click(empty.find((name) => !choices.some((one) => one.name === name) &&
    !boardHas(name)));
  found.unknown = said();
  click(other.name);
  found.worse = [said(), other.name, other.loss];
  found.tries = board.querySelectorAll(".choice").length;
  click(card.better);
  found.right = [head(), said(), shown("answer"), shown("moves"), shown("pair"), card.better];
  found.diagrams = [...byId("pair").querySelectorAll("svg")].map((svg) => Math.round(svg.getBoundingClientRect().width));
  found.candidates = board.querySelectorAll(".choice").length;
  function boardHas(name) {
    const { x, y } = place(name);
    return [...board.querySelectorAll(".stone")].some((stone) => {
      const box = stone.getBoundingClientRect();
      return x > box.left && x < box.right && y > box.top && y < box.bottom;
    });
  }

  // Lines: of a row, under the mouse, of a candidate on the board, of a diagram.
  const before = stones();
  const row = byId("moves").querySelector("tbody tr");
  row.dispatchEvent(new MouseEvent("mouseenter"));
  found.hovered = stones() - before;
  row.dispatchEvent(new MouseEvent("mouseleave"));
  found.left = stones() - before;
  row.click();
  found.row = [stones() - before, said()];
  press("ArrowLeft");
  found.rowBack = stones() - before;
  byId("back").click();
  click(card.better);
  found.candidate = [stones() - before, said()];
  press("Escape");
  found.escaped = [stones() - before, head()];
  byId("show-played").click();
  found.played = said();

  // The game: keys, wheel, graph, list of moves.
  press("Home");
  press("Home");
  found.home = [head(), stones()];
  found.walked = [];
  for (let i = 0; i < 4; i++) {
    press("ArrowRight");
    found.walked.push([head(), stones()]);
  }
  wheel(-100);
  found.wheel = [head()];
  wheel(100);
  found.wheel.push(head());
  press("End");
  found.end = [head(), stones()];
  press("ArrowRight");
  found.beyond = head();
  press("ArrowLeft", { shiftKey: true });
  found.lastMistake = head();

  // A variation of one's own with a capture: the stone at C8 dies.
  press("Home");
  for (let i = 0; i < 3; i++) press("ArrowRight");
  found.variation = [];
  for (const name of ["H1", "B8", "H2", "D8", "H3", "C7"]) {
    click(name);
    found.variation.push(stones());
  }
  found.captured = byId("captures").textContent;
  found.variationWords = said();
  wheel(-100);
  found.uncaptured = stones();
  for (const key of ["a", "1", "Enter"]) press(key); // a point by keys
  found.typed = said();
  press("Escape");
  found.back = head();
  click("E6");
  found.next = head(); // the next move of the game

  press("Home");
  byId("show-owners").click();
  byId("show-owners").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  found.ticked = [head(), board.querySelectorAll("rect").length > 0];
  byId("show-owners").click();
  press("End");
  byId("show-moves").click();
  byId("show-numbers").click();
  found.numbers = board.querySelectorAll("text:not(.coordinate)").length;
  byId("show-numbers").click();
  byId("show-moves").click();
  byId("show-coordinates").click();
  found.coordinates = board.querySelectorAll(".coordinate").length;
  byId("show-coordinates").click();
  found.coordinatesAgain = board.querySelectorAll(".coordinate").length;

  const graph = byId("graph");
  const box = graph.getBoundingClientRect();
  mouse(graph, "click", box.right - 1, box.top + box.height / 2);
  found.clicked = head();
  mouse(document.querySelector("#all tr[data-step='5'] a"), "click", 0, 0);
  found.listed = head();

  // Cards: order and filters, also of the graph's marks.
  found.largest = listed();
  found.losses = found.largest.map((number) => Number(cards.find((one) => one.number === number).loss));
  choose("order", "number");
  found.byMove = listed();
  choose("color", "white");
  found.white = listed();
  const marks = [...graph.querySelectorAll("a:not(.filtered)")].map((mark) => mark.dataset.mistake);
  found.marks = [...new Set(marks)].map(Number).sort((a, b) => a - b);
  choose("color", "");
  choose("size", "2");
  found.large = listed();
  choose("size", "0");
  mouse(graph.querySelector(`a:not([data-mistake="${card.number}"])`), "click", 0, 0);
  found.mark = [head(), shown("answer")];
  byId("answer").click();
  found.answered = head();
  byId("next-lesson").click();
  found.nextLesson = head();
  byId("answer-all").click();
  found.solved = document.querySelectorAll(".card.solved").length;
  window.dispatchEvent(new Event("beforeprint"));
  found.printed = document.querySelectorAll(".print-pair svg").length;

  found.thumbs = [...document.querySelectorAll(".card .thumb svg")].map((svg) => Math.round(svg.getBoundingClientRect().width));
  const texts = [...graph.querySelectorAll("text")].map((text) => text.getBoundingClientRect());
  found.overlaps = texts.filter((a, i) => texts.some((b, k) => k < i && overlap(a, b))).length;
  window.scrollTo(0, 1500);
  found.boardTop = Math.round(board.getBoundingClientRect().top);
  found.boardBottom = Math.round(board.getBoundingClientRect().bottom);
  found.dark = getComputedStyle(document.body).backgroundColor;
  found.width = window.innerWidth;
  found.sideways = document.documentElement.scrollWidth - window.innerWidth;
  parent.document.title = JSON.stringify(found);
})();
