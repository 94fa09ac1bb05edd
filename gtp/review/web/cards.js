// The cards: their list, its order and filters, their boards on the screen and on paper.

const items = [...document.querySelectorAll(".card")];
const classOf = { small: 0, medium: 1, large: 2, decisive: 2 };

function list() {
  const byNumber = byId("order")?.value === "number";
  const color = byId("color")?.value;
  const least = Number(byId("size")?.value);
  order = cards
    .filter((card) => (!color || card.color === color) && classOf[card.size] >= least)
    .sort((a, b) => (byNumber ? 0 : b.loss - a.loss) || a.number - b.number);
  for (const [k, item] of items.entries()) item.hidden = !order.includes(cards[k]);
  byId("cards").append(...order.map((card) => items[cards.indexOf(card)]));
  byId("none").hidden = !cards.length || order.length > 0;
  for (const mark of byId("graph").querySelectorAll("a")) {
    const shown = order.some((card) => String(card.number) === mark.dataset.mistake);
    mark.classList.toggle("filtered", !shown);
  }
}

function drawThumb(card) {
  const { step, point, betterPoints } = card;
  const rings = [{ point, kind: "wrong" }];
  if (solved.has(card)) rings.push(...betterPoints.map((better) => ({ point: better, kind: "better" })));
  const svg = items[cards.indexOf(card)].querySelector("svg");
  drawBoard(svg, size, { colors: boards[step], last: steps[step].last, rings });
}

function solve(card) {
  solved.add(card);
  drawThumb(card);
}

// On paper a card has both of its lines.
function drawForPrint() {
  for (const [k, item] of items.entries()) {
    const card = cards[k];
    const start = { ...steps[card.step], colors: boards[card.step], before: null };
    item.querySelector(".print-pair").replaceChildren(...[card.line, card.played].map((points) => {
      const svg = element("svg", { class: "small" });
      drawBoard(svg, size, viewOf(lineFrom(start, points)));
      return svg;
    }));
  }
}
