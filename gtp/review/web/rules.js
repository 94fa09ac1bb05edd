// The rules of Go on size x size points, row by row: 0 empty, 1 Black, 2 White.
function neighbors(size, point) {
  const column = point % size;
  const points = [];
  if (column > 0) points.push(point - 1);
  if (column < size - 1) points.push(point + 1);
  if (point >= size) points.push(point - size);
  if (point < size * (size - 1)) points.push(point + size);
  return points;
}

// The stones of a chain, and whether it has a liberty.
function chainAt(colors, size, start) {
  const stones = [start];
  const reached = new Set(stones);
  let free = false;
  for (const stone of stones) {
    for (const point of neighbors(size, stone)) {
      if (colors[point] === 0) free = true;
      if (colors[point] !== colors[start] || reached.has(point)) continue;
      reached.add(point);
      stones.push(point);
    }
  }
  return { stones, free };
}

// The position after a move, or null if the rules forbid it. A position has the colors, those
// before its last move, the last point (-1: a pass), the color to play, and captures by color.
function positionAfter(position, point, size, suicide) {
  const color = position.toPlay;
  const captures = [...position.captures];
  const colors = position.colors.slice();
  const next = { colors, before: position.colors, last: point, toPlay: 3 - color, captures };
  if (point < 0) return next;
  if (colors[point]) return null;
  colors[point] = color;
  for (const other of neighbors(size, point)) {
    if (colors[other] !== 3 - color) continue;
    const chain = chainAt(colors, size, other);
    if (chain.free) continue;
    for (const stone of chain.stones) colors[stone] = 0;
    captures[color - 1] += chain.stones.length;
  }
  const own = chainAt(colors, size, point);
  if (!own.free) {
    if (!suicide || own.stones.length === 1) return null;
    for (const stone of own.stones) colors[stone] = 0;
    captures[2 - color] += own.stones.length;
  }
  const repeats = position.before && colors.every((one, at) => one === position.before[at]);
  return repeats ? null : next;
}
