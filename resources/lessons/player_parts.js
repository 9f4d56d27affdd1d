// How the parts of a lesson look: tables and the words beside them on a canvas; sheets, words across and lanes as
// tables and boxes of the page.

const READABLE_PIXELS = 12, ARROW_PIXELS = 26, MOST_PIXELS = 54; // a smaller cell is a shade
const NEW = 1, CITED = 2, WINNER = 3, SKIPPED = 4, ON = 7, FAINT = 8; // marks of cells
const SIGNS = ["", "▸", "•", "◉", "╱", "▲", "▼", "✓", ""];
const GROUNDS = ["--known", "--new", "--cited", "--cited", "--skipped", "--cited", "--path", "--on", "--ground"];
const BIT_MARKS = {n: NEW, d: FAINT};
const SWAP = 8; // of the bits below: where it leads to the grid says
const ARROWS = [ // where a cell may come from: a sign and its place in the cell, and the way in rows and columns
  {bit: 1, sign: "↖", dx: 0.16, dy: 0.18, down: -1, across: -1},
  {bit: 2, sign: "↑", dx: 0.5, dy: 0.13, down: -1, across: 0},
  {bit: 4, sign: "←", dx: 0.14, dy: 0.5, down: 0, across: -1},
  {bit: SWAP, sign: "⇖", dx: 0.32, dy: 0.18},
];
let pen = document.createElement("canvas").getContext("2d");
let colours = {};
const colour = name => {
  if (!colours[name]) colours[name] = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return colours[name];
};

// Optimal paths, one after the other, from the last cell: at each one the diagonal first.
function* pathsOf(grid, [row, col]) {
  const bits = grid.arrows[row * grid.cols + col];
  if (!bits) yield [[row, col]];
  for (const {bit, down, across} of ARROWS) {
    if (!(bits & bit)) continue;
    const before = bit === SWAP ? grid.jumps[key(row, col)] : [row + down, col + across];
    for (const rest of pathsOf(grid, before)) yield [[row, col], ...rest];
  }
}

function nextPath() {
  const grid = firstGrid();
  if (!grid || !grid.arrows) return;
  walk = walk || pathsOf(grid, [grid.rows - 1, grid.cols - 1]);
  path = walk.next().value || (walk = null);
  draw();
}

const em = text => { pen.font = "100px system-ui, sans-serif"; return pen.measureText(text).width / 100; };
const widest = texts => Math.max(0, ...texts.map(em));
const namePx = cell => Math.max(14, 0.3 * cell);
// Names stand in two lines, so a word is half as wide as two of them.
const wordPx = (part, cell) => Math.max(1.7 * cell, 0.56 * namePx(cell) * widest(part.rows.map(row => row[0])) + 4);

// A table and the words beside it share a canvas; words across, sheets and lanes are tables and boxes of the page.
const firstGrid = () => partsNow.find(part => part.type === "grid");
function draw() {
  const {part, unit, k} = shown(), data = part.units[unit];
  partsNow = partsOf(shown());
  colours = {};
  const items = itemsOf(partsNow);
  while (views.length > items.length) views.pop().remove();
  const others = showOthers(items), grids = items.filter(([one]) => one.type === "grid").length;
  const below = say.offsetHeight + asking.offsetHeight + bar.offsetHeight + 60;
  const beside = others < 0.55 * stage.clientWidth;
  const high = Math.max(160, window.innerHeight - stage.offsetTop - below) * (beside ? 1 : 0.6);
  const wide = (stage.clientWidth - (beside ? others : 0)) / Math.max(1, grids) - 12;
  items.forEach(([one, words], n) => {
    if (one.type !== "grid") return;
    const first = one === firstGrid();
    drawTable(views[n], one, words, wide, high, first ? data.cited[k] : [], k, first && k === data.steps);
  });
}

// Words down stand beside the table before them.
function itemsOf(found) {
  const items = [];
  for (const one of found) {
    const last = items[items.length - 1];
    if (one.type === "bits" && one.down && last && last[0].type === "grid") last.push(one);
    else items.push([one]);
  }
  return items;
}

// Make a view for each item, and fill those that are no tables; return the pixels that these take.
function showOthers(items) {
  let pixels = 0;
  items.forEach(([one], n) => {
    const name = one.type === "grid" ? "canvas" : "div", old = views[n];
    if (!old || old.localName !== name) views[n] = make(name, {}, old ? null : stage);
    if (old && old !== views[n]) old.replaceWith(views[n]);
    if (name === "canvas") return;
    ({bits: showWords, sheet: showSheet, lanes: showLanes})[one.type](one, views[n]);
    pixels += views[n].offsetWidth + 24;
  });
  return pixels;
}

function drawTable(canvas, grid, words, wide, high, cited, k, last) {
  const ratio = window.devicePixelRatio || 1, left = Math.max(1, 0.5 * widest(grid.left) + 0.4);
  const room = cell => words ? cell + words.rows.length * wordPx(words, cell) : 0;
  let size = Math.max(7, Math.min(MOST_PIXELS, high / (grid.rows + 1)));
  while (size > 7 && (grid.cols + left) * size + room(size) > wide) size -= 1;
  const head = words ? Math.max(0, 44 - 2 * size) : 0;
  const width = (grid.cols + left) * size + room(size) + 2;
  const height = head + (grid.rows + 1) * size + 2;
  Object.assign(canvas, {width: width * ratio, height: height * ratio});
  Object.assign(canvas.style, {width: width + "px", height: height + "px"});
  pen = Object.assign(canvas.getContext("2d"), {textBaseline: "middle"});
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawGrid(grid, left * size, head + size, size, cited, k, last);
  if (words) {
    const above = 1 + grid.rows - words.rows[0][1].length;
    drawWords(words, (grid.cols + left + 1) * size, head + above * size, size);
  }
  canvas.onclick = event => {
    const row = Math.floor((event.offsetY - head) / size - 1), col = Math.floor(event.offsetX / size - left);
    const name = key(row, col);
    if (!question || !["reads", "writes"].includes(question.kind) || grid !== firstGrid()) return;
    if (row >= 0 && col >= 0 && row < grid.rows && col < grid.cols && !chosen.delete(name)) chosen.add(name);
    draw();
  };
}

const put = (text, x, y, px, name, weight = "", align = "center") => {
  const font = `${weight} ${Math.max(6, px | 0)}px system-ui, sans-serif`;
  Object.assign(pen, {textAlign: align, fillStyle: colour(name), font});
  pen.fillText(text, x, y);
};
const rect = (x, y, wide, high, name) => { pen.fillStyle = colour(name); pen.fillRect(x, y, wide, high); };
const line = (points, name, thick, closed = false) => {
  Object.assign(pen, {strokeStyle: colour(name), lineWidth: thick});
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  if (closed) pen.closePath();
  pen.stroke();
};
const frame = (x, y, wide, high, name, thick) => {
  const near = thick / 2, [right, low] = [x + wide - near, y + high - near];
  line([[x + near, y + near], [right, y + near], [right, low], [x + near, low]], name, thick, true);
};

// A cell, its state told by a sign and not by its colour alone.
function drawCell(x, y, size, text, px, mark, ground = GROUNDS[mark]) {
  rect(x, y, size - 1, size - 1, ground);
  if (mark === NEW) frame(x, y, size - 1, size - 1, "--accent", size > 30 ? 3 : 2);
  else if (mark === WINNER) frame(x + 1, y + 1, size - 3, size - 3, "--text", 2);
  else if (mark) put(SIGNS[mark], x + size * 0.82, y + size * (mark === CITED ? 0.8 : 0.18), 0.26 * size, "--text");
  const bold = mark === NEW || mark === ON || ground === "--path" ? "bold" : "";
  put(text, x + size / 2, y + size / 2, px, mark === FAINT ? "--quiet" : "--text", bold);
}

function drawGrid(grid, left, top, size, cited, k, last) {
  const names = new Map((question ? [] : cited).map(one => [key(one[0], one[1]), one[2] ? WINNER : CITED]));
  const largest = grid.values.reduce((most, one) => Math.max(most, Math.abs(one)), 1), digits = String(largest).length;
  const px = Math.min(0.45 * size, 0.92 * size / (0.62 * digits));
  const across = grid.cols - grid.top.length, down = grid.rows - grid.left.length;
  if (size >= READABLE_PIXELS) {
    grid.top.forEach((one, col) => {
      const letter = Math.min(0.5 * size, 0.9 * size / em(one));
      put(one, left + (col + across + 0.5) * size, top - size / 2, letter, "--text", "bold");
    });
    grid.left.forEach((one, row) => {
      put(one, left - 0.2 * size, top + (row + down + 0.5) * size, 0.5 * size, "--text", "bold", "right");
    });
  }
  for (let place = 0; place < grid.rows * grid.cols; place++) {
    const row = Math.floor(place / grid.cols), col = place % grid.cols, name = key(row, col);
    const x = left + col * size, y = top + row * size;
    const known = grid.rank[place] <= k, told = grid.marks ? grid.marks[place] : 0;
    const isNew = known && k > 0 && grid.rank[place] === k;
    let mark = names.get(name) || (known || told === SKIPPED ? told : 0) || (isNew ? NEW : 0);
    if (chosen.has(name) && question) mark = NEW;
    const onPath = last && !question && !mark && grid.onPath && grid.onPath[place];
    if (size < READABLE_PIXELS) {
      rect(x, y, size - 1, size - 1, onPath ? "--path" : mark || known ? GROUNDS[mark] : "--ground");
      pen.globalAlpha = mark === NEW ? 1 : 0.1 + 0.7 * Math.abs(grid.values[place]) / largest;
      if (known) rect(x, y, size - 1, size - 1, mark === NEW ? "--accent" : "--text");
      pen.globalAlpha = 1;
    } else if (known || mark) {
      drawCell(x, y, size, known ? grid.values[place] : "", px, mark, onPath ? "--path" : GROUNDS[mark]);
      if (known && grid.arrows && size >= ARROW_PIXELS) drawArrows(x, y, size, grid.arrows[place]);
    } else {
      frame(x, y, size - 1, size - 1, "--hairline", 1);
    }
  }
  drawOver(grid, left, top, size, down, across);
  if (path && last && grid.arrows) {
    pen.globalAlpha = 0.55;
    const middles = path.map(([row, col]) => [left + (col + 0.5) * size, top + (row + 0.5) * size]);
    line(middles, "--accent", Math.max(2, size * 0.09));
    pen.globalAlpha = 1;
  }
}

function drawArrows(x, y, size, bits) {
  for (const {bit, sign, dx, dy} of ARROWS) {
    if (bits & bit) put(sign, x + dx * size, y + dy * size, 0.26 * size, "--quiet");
  }
}

// Lines of blocks, boxes, and lines through the cells.
function drawOver(grid, left, top, size, down, across) {
  const at = ([row, col]) => [left + col * size, top + row * size], [high, wide] = grid.block || [0, 0];
  for (let row = down; high && row <= grid.rows; row += high) {
    line([at([row, across]), at([row, grid.cols])], "--line", 2);
  }
  for (let col = across; wide && col <= grid.cols; col += wide) {
    line([at([down, col]), at([grid.rows, col])], "--line", 2);
  }
  for (const [row, col, rows, cols, label, mark] of grid.boxes) {
    pen.setLineDash(mark === FAINT || mark === SKIPPED ? [5, 4] : []);
    const [x, y] = at([row, col]), ink = {[NEW]: "--accent", [FAINT]: "--quiet"}[mark] || "--text";
    frame(x, y, cols * size, rows * size, ink, mark ? 3 : 2);
    if (label) put(label, x + 4, y + 9, Math.max(12, 0.25 * size), "--text", "bold", "left");
  }
  for (const {points, kind} of grid.lines) {
    pen.setLineDash(kind === "edge" ? [6, 4] : []);
    line(points.map(at), "--accent", Math.max(2, size / 14));
  }
  pen.setLineDash([]);
}

// Bit i stands beside row i of the table, so that a word is seen to be its column.
function drawWords(part, left, top, size) {
  const wide = wordPx(part, size), px = namePx(size);
  part.rows.forEach(([name, word], n) => {
    const x = left + n * wide + (wide - size) / 2;
    if (!word.trim()) return;
    put(name, x + size / 2, top - (n % 2 ? 0.75 : 2.1) * px, px, "--quiet"); // names are wider than a word
    [...word].forEach((bit, row) => {
      if (bit === " ") return;
      const mark = BIT_MARKS[part.marks[n][row]] || 0, y = top + row * size;
      const ground = mark === FAINT ? "--known" : GROUNDS[mark];
      if (size >= READABLE_PIXELS) drawCell(x, y, size, bit, 0.5 * size, mark, ground);
      else rect(x, y, size - 1, size - 1, bit === "1" ? "--text" : "--known");
    });
  });
}

// A table of the page; ``marks``: a class and a sign a cell.
function fillTable(view, {title, heads, rows, marks, rules}, name) {
  const table = make("table", {className: name}), sheet = name.startsWith("sheet");
  if (title) make("caption", {textContent: title}, table);
  const head = make("tr", {}, heads.some(one => one !== "") ? table : null);
  for (const one of heads) make("th", {textContent: one}, head);
  rows.forEach((texts, n) => {
    const row = make("tr", {className: rules.includes(n) ? "rule" : ""}, table);
    const isAnswer = sheet && question && question.kind === "next";
    if (isAnswer) row.onclick = () => { document.getElementById("answer").value = n; };
    texts.forEach((text, place) => {
      const mark = marks[n] ? marks[n][place] : 0;
      const cell = make("td", {className: "mark" + mark, textContent: text}, row);
      if (sheet && SIGNS[mark]) cell.dataset.sign = SIGNS[mark];
    });
  });
  view.replaceChildren(table);
}

const showSheet = (part, view) => fillTable(view, part, "sheet" + (part.mono ? " mono" : ""));

function showWords(part, view) {
  const gapBefore = n => part.groups && n && n % part.groups === 0;
  const split = (all, gap) => [...all].flatMap((one, n) => gapBefore(n) ? [gap, one] : [one]);
  fillTable(view, {
    title: "",
    rules: [],
    heads: ["", ...split(part.heads, "")],
    rows: part.rows.map(([name, word]) => [name, ...split(word, "")]),
    marks: part.marks.map(row => [0, ...split(row, ".").map(one => BIT_MARKS[one] || 0)]),
  }, "words");
}

function showLanes(part, view) {
  const table = make("div", {className: "lanes"}), share = value => 100 * value / part.total + "%";
  const rows = part.names.map(name => {
    make("span", {textContent: name}, table);
    return make("div", {}, table);
  });
  part.began.forEach((began, n) => {
    if (began >= part.now) return;
    const mark = part.kind[n] || 0, text = part.label[n] || SIGNS[mark];
    const long = Math.min(part.ended[n], part.now) - began;
    const textContent = long / part.total * 450 > 9 * text.length ? text : ""; // pixels: none is cut
    const bar = make("b", {className: "mark" + mark, textContent}, rows[part.lane[n]]);
    Object.assign(bar.style, {left: share(began), width: share(long)});
  });
  make("span", {textContent: "0"}, table);
  make("div", {className: "axis", textContent: +part.total.toPrecision(3) + " " + part.unit}, table);
  view.replaceChildren(table);
}

window.onresize = draw;
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
seek(+(new URLSearchParams(location.hash.slice(1)).get("k") || 0));
stage.focus();
requestAnimationFrame(tick);
