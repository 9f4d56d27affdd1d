// Plays a lesson: tables, words, sheets and lanes, and questions. It knows these parts and no algorithm.
"use strict";

const make = (name, attributes, parent = null) => {
  const node = Object.assign(document.createElement(name), attributes);
  if (parent) parent.append(node);
  return node;
};
const unpack = (text, Type) => new Type(Uint8Array.from(atob(text), one => one.charCodeAt(0)).buffer);

const used = (part, place) => { // a part of the pool, its arrays unpacked when it is first seen
  const found = part.pool[place];
  if (found.type === "grid" && typeof found.values === "number")
    for (const name of ["values", "rank", "marks", "arrows", "onPath"])
      if (name in found) found[name] = unpack(part.arrays[found[name]], /values|rank/.test(name) ? Int32Array : Uint8Array);
  return found;
};

// What is played, a frame a step: {part, scene, unit, k}.
const framesOf = (part, scene, unit, first, last) => Array.from({length: last - first + 1}, (_, n) => ({part, scene, unit, k: first + n}));
const lessonFrames = LESSON.parts.flatMap(part =>
  part.scenes.flatMap(scene => framesOf(part, scene, scene.unit, scene.first, scene.last)));

const READABLE_PIXELS = 12, ARROW_PIXELS = 26, MOST_PIXELS = 54; // a smaller cell is a shade
const BASE_STEPS_A_SECOND = 2, SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
const NEW = 1, CITED = 2, WINNER = 3, SKIPPED = 4, ON = 7, FAINT = 8;
const SIGNS = ["", "▸", "•", "◉", "╱", "▲", "▼", "✓", ""];
const GROUNDS = ["--known", "--new", "--cited", "--cited", "--skipped", "--cited", "--path", "--on", "--ground"];
const ARROWS = [[1, "↖", 0.16, 0.18, -1, -1], [2, "↑", 0.5, 0.13, -1, 0], [4, "←", 0.14, 0.5, 0, -1], [8, "⇖", 0.32, 0.18]];
let frames = lessonFrames, at = 0, playing = false, speed = 2, due = 0;
let partsNow = [], views = [], question = null, chosen = new Set(), walk = null, path = null, answered = new Set();

const root = document.getElementById("player");
const stage = make("div", {id: "stage", tabIndex: 0, role: "group"}, root);
let pen = document.createElement("canvas").getContext("2d");
const say = make("p", {id: "say", ariaLive: "polite"}, root);
const asking = make("div", {id: "ask"}, root);
const bar = make("div", {id: "bar"}, root);
const button = (text, name, action) =>
  make("button", {textContent: text, title: name, ariaLabel: name, onclick: action}, bar);
button("|◀", WORDS.start, () => seek(0));
button("◀", WORDS.back, () => seek(at - 1));
const playButton = button("▶", WORDS.play, () => play(!playing));
button("▷", WORDS.on, () => forward());
button("▶|", WORDS.end, () => seek(frames.length - 1));
const slider = make("input", {type: "range", min: 0, oninput: () => seek(+slider.value)}, bar);
const where = make("span", {}, bar);
const speedText = make("span", {}, bar);
const units = make("select", {onchange: () => choose(units.value)}, make("label", {textContent: WORDS.unit + " "}, bar));
const askBox = make("input", {type: "checkbox", checked: true, onchange: () => { question = null; show(); }}, make("label", {}, bar));
askBox.after(" " + WORDS.ask);

let colours = {};
const colour = name => colours[name] || (colours[name] = getComputedStyle(document.documentElement).getPropertyValue(name).trim());
const key = (row, col) => row + "," + col;

function listUnits() {
  const names = ["", ...Object.keys(frames[at].part.units)];
  units.replaceChildren(...names.map(value => make("option", {value, textContent: WORDS[value || "lesson"] || value})));
  units.value = frames === lessonFrames ? "" : frames[at].unit;
}

// Another unit begins where no more is known than now.
function choose(unit) {
  const now = frames[at];
  question = null;
  frames = unit ? framesOf(now.part, null, unit, 0, now.part.units[unit].steps) : lessonFrames;
  if (!unit) return seek(lessonFrames.findIndex(one => one.part === now.part));
  seek(unit === now.unit ? now.k : now.part.units[now.unit].same[unit][now.k]);
}

function seek(place) {
  at = Math.max(0, Math.min(place, frames.length - 1));
  question = walk = path = null;
  show();
}

function forward() {
  if (question) return;
  if (at + 1 >= frames.length) return play(false);
  at += 1;
  walk = path = null;
  const {scene, k} = frames[at];
  const name = scene && LESSON.parts.indexOf(frames[at].part) + scene.id;
  if (askBox.checked && scene && scene.ask && k === scene.first && !answered.has(name)) {
    question = {...scene.ask, name};
    chosen = new Set();
    play(false);
  }
  show();
}

function play(on) {
  playing = on && !question;
  if (playing && at + 1 >= frames.length) at = 0;
  due = performance.now();
  const name = playing ? WORDS.pause : WORDS.play;
  Object.assign(playButton, {textContent: playing ? "‖" : "▶", title: name, ariaLabel: name});
  if (playing) show();
}

function tick(now) {
  const pause = 1000 / (BASE_STEPS_A_SECOND * SPEEDS[speed]);
  let most = 64; // steps that a late clock may catch up
  for (; playing && now - due >= pause && most; most--, due += pause) forward();
  if (!most) due = now;
  requestAnimationFrame(tick);
}

// Before a question is answered, what it asks for is not shown.
const shown = () => question ? {...frames[at], k: frames[at].k - 1} : frames[at];
const partsOf = ({part, unit, k}) => part.units[unit].parts[k].map(place => used(part, place));

function show() {
  const frame = frames[at], unit = frame.part.units[frame.unit];
  partsNow = partsOf(shown());
  listUnits();
  Object.assign(slider, {max: frames.length - 1, value: at});
  where.textContent = WORDS.where.replace("{k}", at).replace("{n}", frames.length - 1);
  speedText.textContent = SPEEDS[speed] + "×";
  const text = question ? question.text : frame.scene && frame.scene.say || unit.say[frame.k];
  Object.assign(say, {className: "", textContent: text});
  slider.ariaValueText = stage.ariaLabel = text;
  showQuestion();
  draw();
}

function showQuestion() {
  const {part, unit, k} = frames[at], press = (text, action) => make("button", {textContent: text, onclick: action}, asking);
  asking.replaceChildren();
  if (!question) {
    if (k === part.units[unit].steps && firstGrid() && firstGrid().arrows) asking.textContent = WORDS.paths;
    return;
  }
  const names = {arrow: ["diagonal", "up", "left", "swap"], needed: ["y", "n"]}[question.kind];
  if (names) names.forEach(name => press(WORDS[name], () => answer(new Set([name]))));
  else if (["reads", "writes"].includes(question.kind)) {
    make("span", {textContent: WORDS.click}, asking);
    press(WORDS.check, () => answer(chosen));
  } else {
    const placeholder = WORDS[question.kind === "next" ? "row" : "type"];
    const field = make("input", {id: "answer", size: 12, placeholder, ariaLabel: question.text}, asking);
    const give = () => answer(new Set([field.value.replace(/\s/g, "")]));
    field.onkeydown = event => { if (event.key === "Enter") give(); };
    press(WORDS.check, give);
    field.focus();
  }
  press(WORDS.tell, () => tell(false));
}

function answer(given) {
  const right = [...given].filter(one => question.accepts.includes(one)).length;
  if (right && right === given.size && (right === question.accepts.length || !question.all)) return tell(true);
  Object.assign(say, {className: "wrong", textContent: WORDS.wrong + " " + question.text});
}

function tell(right) {
  const why = question.why;
  answered.add(question.name);
  question = null;
  chosen = new Set();
  show();
  Object.assign(say, {className: right ? "right" : "", textContent: (right ? WORDS.right + " " : "") + why});
  stage.focus();
}

// Optimal paths, one after the other, from the last cell: at each one the diagonal first.
function* pathsOf(grid, [row, col]) {
  const bits = grid.arrows[row * grid.cols + col];
  if (!bits) yield [[row, col]];
  for (const [bit, , , , down, across] of ARROWS) if (bits & bit)
    for (const rest of pathsOf(grid, bit === 8 ? grid.jumps[key(row, col)] : [row + down, col + across])) yield [[row, col], ...rest];
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
const wordPx = (part, cell) => Math.max(1.7 * cell, 0.56 * Math.max(14, 0.3 * cell) * widest(part.rows.map(row => row[0])) + 4);

// A table and the words beside it share a canvas; words across, sheets and lanes are tables and boxes of the page.
const firstGrid = () => partsNow.find(part => part.type === "grid");
function draw() {
  const {part, unit, k} = shown(), data = part.units[unit], items = [];
  partsNow = partsOf(shown());
  colours = {};
  for (const one of partsNow)
    if (one.type === "bits" && one.down && items.length && items[items.length - 1][0].type === "grid") items[items.length - 1].push(one);
    else items.push([one]);
  while (views.length > items.length) views.pop().remove();
  let others = 0, grids = 0;
  items.forEach(([one], n) => {
    const name = one.type === "grid" ? "canvas" : "div", old = views[n];
    if (!old || old.localName !== name) views[n] = make(name, {}, old ? null : stage);
    if (old && old !== views[n]) old.replaceWith(views[n]);
    if (name === "canvas") return void (grids += 1);
    ({bits: showWords, sheet: showSheet, lanes: showLanes})[one.type](one, views[n]);
    others += views[n].offsetWidth + 24;
  });
  const below = say.offsetHeight + asking.offsetHeight + bar.offsetHeight + 60;
  const beside = others < 0.55 * stage.clientWidth, high = Math.max(160, window.innerHeight - stage.offsetTop - below);
  const wide = (stage.clientWidth - (beside ? others : 0)) / Math.max(1, grids) - 12;
  items.forEach(([one, words], n) => {
    const first = one === firstGrid();
    if (one.type === "grid")
      drawTable(views[n], one, words, wide, beside ? high : 0.6 * high, first ? data.cited[k] : [], k, first && k === data.steps);
  });
}

function drawTable(canvas, grid, words, wide, high, cited, k, last) {
  const ratio = window.devicePixelRatio || 1, left = Math.max(1, 0.5 * widest(grid.left) + 0.4);
  const room = cell => words ? cell + words.rows.length * wordPx(words, cell) : 0;
  let size = Math.max(7, Math.min(MOST_PIXELS, high / (grid.rows + 1)));
  while (size > 7 && (grid.cols + left) * size + room(size) > wide) size -= 1;
  const head = words ? Math.max(0, 44 - 2 * size) : 0, width = (grid.cols + left) * size + room(size) + 2;
  const height = head + (grid.rows + 1) * size + 2;
  Object.assign(canvas, {width: width * ratio, height: height * ratio});
  Object.assign(canvas.style, {width: width + "px", height: height + "px"});
  pen = Object.assign(canvas.getContext("2d"), {textBaseline: "middle"});
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawGrid(grid, left * size, head + size, size, cited, k, last);
  if (words) drawWords(words, (grid.cols + left + 1) * size, head + (1 + grid.rows - words.rows[0][1].length) * size, size);
  canvas.onclick = event => {
    const row = Math.floor((event.offsetY - head) / size - 1), col = Math.floor(event.offsetX / size - left), name = key(row, col);
    if (!question || !["reads", "writes"].includes(question.kind) || grid !== firstGrid()) return;
    if (row >= 0 && col >= 0 && row < grid.rows && col < grid.cols && !chosen.delete(name)) chosen.add(name);
    draw();
  };
}

const put = (text, x, y, px, name, weight = "", align = "center") => {
  Object.assign(pen, {textAlign: align, fillStyle: colour(name), font: `${weight} ${Math.max(6, px | 0)}px system-ui, sans-serif`});
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
    grid.top.forEach((one, col) => put(one, left + (col + across + 0.5) * size, top - size / 2, Math.min(0.5 * size, 0.9 * size / em(one)), "--text", "bold"));
    grid.left.forEach((one, row) => put(one, left - 0.2 * size, top + (row + down + 0.5) * size, 0.5 * size, "--text", "bold", "right"));
  }
  for (let row = 0; row < grid.rows; row++) for (let col = 0; col < grid.cols; col++) {
    const place = row * grid.cols + col, name = key(row, col), x = left + col * size, y = top + row * size;
    const known = grid.rank[place] <= k, told = grid.marks ? grid.marks[place] : 0;
    let mark = names.get(name) || (known || told === SKIPPED ? told : 0) || (known && k > 0 && grid.rank[place] === k ? NEW : 0);
    if (chosen.has(name) && question) mark = NEW;
    const onPath = last && !question && !mark && grid.onPath && grid.onPath[place];
    if (size < READABLE_PIXELS) {
      rect(x, y, size - 1, size - 1, onPath ? "--path" : mark || known ? GROUNDS[mark] : "--ground");
      pen.globalAlpha = mark === NEW ? 1 : 0.1 + 0.7 * Math.abs(grid.values[place]) / largest;
      if (known) rect(x, y, size - 1, size - 1, mark === NEW ? "--accent" : "--text");
      pen.globalAlpha = 1;
    } else if (known || mark) {
      drawCell(x, y, size, known ? grid.values[place] : "", px, mark, onPath ? "--path" : GROUNDS[mark]);
      if (known && grid.arrows && size >= ARROW_PIXELS) for (const [bit, sign, dx, dy] of ARROWS)
        if (grid.arrows[place] & bit) put(sign, x + dx * size, y + dy * size, 0.26 * size, "--quiet");
    } else frame(x, y, size - 1, size - 1, "--hairline", 1);
  }
  drawOver(grid, left, top, size, down, across);
  if (path && last && grid.arrows) {
    pen.globalAlpha = 0.55;
    line(path.map(([row, col]) => [left + (col + 0.5) * size, top + (row + 0.5) * size]), "--accent", Math.max(2, size * 0.09));
    pen.globalAlpha = 1;
  }
}

function drawOver(grid, left, top, size, down, across) {
  const at = ([row, col]) => [left + col * size, top + row * size], [high, wide] = grid.block || [0, 0];
  if (high) for (let row = down; row <= grid.rows; row += high) line([at([row, across]), at([row, grid.cols])], "--line", 2);
  if (wide) for (let col = across; col <= grid.cols; col += wide) line([at([down, col]), at([grid.rows, col])], "--line", 2);
  for (const [row, col, rows, cols, label, mark] of grid.boxes) {
    pen.setLineDash(mark === FAINT || mark === SKIPPED ? [5, 4] : []);
    frame(...at([row, col]), cols * size, rows * size, mark === NEW ? "--accent" : mark === FAINT ? "--quiet" : "--text", mark ? 3 : 2);
    if (label) put(label, left + col * size + 4, top + row * size + 9, Math.max(12, 0.25 * size), "--text", "bold", "left");
  }
  for (const {points, kind} of grid.lines) {
    pen.setLineDash(kind === "edge" ? [6, 4] : []);
    line(points.map(at), "--accent", Math.max(2, size / 14));
  }
  pen.setLineDash([]);
}

// Bit i stands beside row i of the table, so that a word is seen to be its column.
function drawWords(part, left, top, size) {
  const wide = wordPx(part, size), px = Math.max(14, 0.3 * size);
  part.rows.forEach(([name, word], n) => {
    const x = left + n * wide + (wide - size) / 2;
    if (!word.trim()) return;
    put(name, x + size / 2, top - (n % 2 ? 0.75 : 2.1) * px, px, "--quiet"); // names are wider than a word
    [...word].forEach((bit, row) => {
      const mark = {n: NEW, d: FAINT}[part.marks[n][row]] || 0, y = top + row * size;
      if (bit !== " " && size >= READABLE_PIXELS) drawCell(x, y, size, bit, 0.5 * size, mark, mark === FAINT ? "--known" : GROUNDS[mark]);
      else if (bit !== " ") rect(x, y, size - 1, size - 1, bit === "1" ? "--text" : "--known");
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
    if (sheet && question && question.kind === "next") row.onclick = () => { document.getElementById("answer").value = n; };
    texts.forEach((text, place) => {
      const mark = marks[n] ? marks[n][place] : 0, cell = make("td", {className: "mark" + mark, textContent: text}, row);
      if (sheet && SIGNS[mark]) cell.dataset.sign = SIGNS[mark];
    });
  });
  view.replaceChildren(table);
}
const showSheet = (part, view) => fillTable(view, part, "sheet" + (part.mono ? " mono" : ""));
function showWords(part, view) {
  const split = (all, gap) => [...all].flatMap((one, n) => part.groups && n && n % part.groups === 0 ? [gap, one] : [one]);
  fillTable(view, {
    title: "", rules: [], heads: ["", ...split(part.heads, "")], rows: part.rows.map(([name, word]) => [name, ...split(word, "")]),
    marks: part.marks.map(row => [0, ...split(row, ".").map(one => ({n: NEW, d: FAINT})[one] || 0)]),
  }, "words");
}
function showLanes(part, view) {
  const table = make("div", {className: "lanes"}), share = value => 100 * value / part.total + "%";
  const rows = part.names.map(name => { make("span", {textContent: name}, table); return make("div", {}, table); });
  part.began.forEach((began, n) => {
    if (began >= part.now) return;
    const mark = part.kind[n] || 0, text = part.label[n] || SIGNS[mark], long = Math.min(part.ended[n], part.now) - began;
    const textContent = long / part.total * 450 > 9 * text.length ? text : ""; // pixels: none is cut
    Object.assign(make("b", {className: "mark" + mark, textContent}, rows[part.lane[n]]).style, {left: share(began), width: share(long)});
  });
  make("span", {textContent: "0"}, table);
  make("div", {className: "axis", textContent: +part.total.toPrecision(3) + " " + part.unit}, table);
  view.replaceChildren(table);
}

function jumpScene(by) {
  const starts = frames.map((one, place) => place).filter(place => !place || frames[place].scene !== frames[place - 1].scene);
  const found = by > 0 ? starts.find(place => place > at) : starts.filter(place => place < at).pop();
  if (found !== undefined) seek(found);
}

document.onkeydown = event => {
  const typing = /INPUT|SELECT/.test(event.target.tagName) && event.target.type !== "range";
  if (typing && event.key === "Escape" && question) tell(false);
  if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
  const keys = {
    " ": () => play(!playing), ArrowRight: forward, ArrowLeft: () => seek(at - 1), Home: () => seek(0), End: () => seek(frames.length - 1),
    PageDown: () => jumpScene(1), PageUp: () => jumpScene(-1), ArrowUp: () => setSpeed(1), ArrowDown: () => setSpeed(-1),
    Escape: () => question && tell(false), Enter: () => question && chosen.size && answer(chosen),
  };
  for (const [other, name] of [["p", " "], ["q", "End"], ["+", "ArrowUp"], ["f", "ArrowUp"], ["-", "ArrowDown"], ["s", "ArrowDown"]])
    keys[other] = keys[name];
  const {part, unit, k} = frames[at];
  if (event.key === "Tab" && event.target === stage && k === part.units[unit].steps) keys.Tab = nextPath;
  if (event.target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter")) return;
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
};

function setSpeed(by) {
  speed = Math.max(0, Math.min(SPEEDS.length - 1, speed + by));
  due = performance.now();
  show();
}

window.onresize = draw;
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
seek(+(new URLSearchParams(location.hash.slice(1)).get("k") || 0));
stage.focus();
requestAnimationFrame(tick);
