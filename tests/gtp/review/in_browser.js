// Uses the page as a person does, and writes what it saw into the title of the page around it.
(() => {
  const seen = { faults: window.faults };
  const step = () => document.getElementById("step-name").textContent;
  const stones = () => document.querySelectorAll("#board g circle[stroke='#000'][r='11.28']").length;
  const press = (key, more) =>
    document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  const overlap = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

  seen.first = step();
  press("Home");
  seen.home = [step(), stones()];
  seen.walked = [];
  for (let i = 0; i < 4; i++) {
    press("ArrowRight");
    seen.walked.push([step(), stones()]);
  }
  press("ArrowLeft");
  seen.back = step();
  press("End");
  seen.end = [step(), stones()];
  press("ArrowRight");
  seen.beyond = step();
  press("Home");
  press("ArrowRight", { shiftKey: true });
  seen.mistake = step();
  press("ArrowRight", { shiftKey: true });
  seen.nextMistake = step();

  press("Home");
  const owners = document.getElementById("show-owners");
  owners.click();
  owners.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  owners.click();
  seen.ticked = step();

  const graph = document.getElementById("graph");
  const box = graph.getBoundingClientRect();
  const click = (target, x, y) =>
    target.dispatchEvent(new MouseEvent("click", { clientX: x, clientY: y, bubbles: true, cancelable: true }));
  click(graph, box.right - 1, box.top + box.height / 2);
  seen.clicked = step();
  click(document.querySelector(".card a.button"), 0, 0);
  seen.card = step();
  click(document.querySelector("#all tr[data-step='5'] a"), 0, 0);
  seen.row = step();
  seen.mover = document.getElementById("mover").textContent;
  const before = stones();
  document.querySelector("#moves tbody tr").dispatchEvent(new MouseEvent("mouseenter"));
  seen.line = stones() - before;

  seen.cards = [...document.querySelectorAll(".card")].map((card) =>
    [...card.querySelectorAll("svg")].map((svg) => Math.round(svg.getBoundingClientRect().width)));
  const texts = [...graph.querySelectorAll("text")].map((text) => text.getBoundingClientRect());
  seen.overlaps = texts.filter((a, i) => texts.some((b, k) => k < i && overlap(a, b))).length;
  seen.cut = [...document.querySelectorAll(".tables > .scroll")].filter(
    (box) => box.scrollWidth > box.clientWidth).length;
  seen.width = window.innerWidth;
  seen.sideways = document.documentElement.scrollWidth - window.innerWidth;
  parent.document.title = JSON.stringify(seen);
})();
