// Plays a lesson: tables, words beside their columns, questions. It knows these parts and no algorithm.
"use strict";

const make = (name, attributes = {}, parent = null) => {
  const node = Object.assign(document.createElement(name), attributes);
  if (parent) parent.append(node);
  return node;
};
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const unpack = (text, Type) => new Type(Uint8Array.from(atob(text), one => one.charCodeAt(0)).buffer);

for (const part of LESSON.parts) {
  const grid = part.grid;
  grid.values = unpack(grid.values, Int32Array);
  grid.arrows = unpack(grid.arrows, Uint8Array);
  grid.onPath = unpack(grid.onPath, Uint8Array);
  grid.left = [...grid.left];
  grid.top = [...grid.top];
  for (const unit of Object.values(part.units)) unit.rank = unpack(unit.rank, Int32Array);
}

// What is played, a frame a step: {part, scene, unit, k}.
const lessonFrames = LESSON.parts.flatMap(part => part.scenes.flatMap(scene =>
  Array.from({length: scene.last - scene.first + 1}, (_, n) => ({part, scene, unit: scene.unit, k: scene.first + n}))));
const unitFrames = (part, unit) =>
  Array.from({length: part.units[unit].steps + 1}, (_, k) => ({part, scene: null, unit, k}));

const READABLE_PIXELS = 14; // a smaller cell is a shade
const BASE_STEPS_A_SECOND = 2, SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
const DIAGONAL = 1, UP = 2, LEFT = 4;
let frames = lessonFrames, at = 0, playing = false, speed = 2, due = 0;
let question = null, chosen = new Set(), path = null, answered = new Set();

const root = document.getElementById("player");
const canvas = make("canvas", {tabIndex: 0}, root);
canvas.setAttribute("role", "img");
const pen = canvas.getContext("2d");
const say = make("p", {id: "say"}, root);
say.setAttribute("aria-live", "polite");
const asking = make("div", {id: "ask"}, root);
const bar = make("div", {id: "bar"}, root);
const button = (text, name, action) => {
  const found = make("button", {textContent: text, title: name, onclick: action}, bar);
  found.setAttribute("aria-label", name);
  return found;
};
button("|◀", WORDS.start, () => seek(0));
button("◀", WORDS.back, () => seek(at - 1));
const playButton = button("▶", WORDS.play, () => play(!playing));
button("▷", WORDS.on, () => forward());
button("▶|", WORDS.end, () => seek(frames.length - 1));
const slider = make("input", {type: "range", min: 0, oninput: () => seek(+slider.value)}, bar);
const where = make("span", {}, bar);
const speedText = make("span", {}, bar);
const unitLabel = make("label", {textContent: WORDS.unit + " "}, bar);
const units = make("select", {onchange: () => choose(units.value)}, unitLabel);
const askLabel = make("label", {}, bar);
const askBox = make("input", {type: "checkbox", checked: true, onchange: () => { question = null; show(); }}, askLabel);
askLabel.append(" " + WORDS.ask);

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const key = (row, col) => row + "," + col;

function listUnits() {
  const part = frames[at].part;
  units.replaceChildren(make("option", {value: "", textContent: WORDS.lesson}));
  for (const unit of Object.keys(part.units)) make("option", {value: unit, textContent: WORDS[unit] || unit}, units);
  units.value = frames === lessonFrames ? "" : frames[at].unit;
}

// Another unit begins where no more is known than now.
function choose(unit) {
  const now = frames[at];
  question = null;
  if (!unit) {
    const back = lessonFrames.findIndex(one => one.part === now.part);
    frames = lessonFrames;
    return seek(Math.max(back, 0));
  }
  const old = now.part.units[now.unit].rank, other = now.part.units[unit];
  let least = other.steps + 1;
  old.forEach((rank, place) => { if (rank > now.k) least = Math.min(least, other.rank[place]); });
  frames = unitFrames(now.part, unit);
  seek(least - 1);
}

function seek(place) {
  at = Math.max(0, Math.min(place, frames.length - 1));
  question = path = null;
  show();
}

function forward() {
  if (question) return;
  if (at + 1 >= frames.length) return play(false);
  at += 1;
  path = null;
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
  playButton.textContent = playing ? "‖" : "▶";
  playButton.title = playing ? WORDS.pause : WORDS.play;
  playButton.setAttribute("aria-label", playButton.title);
  if (playing) show();
}

function tick(now) {
  if (playing) {
    const pause = 1000 / (BASE_STEPS_A_SECOND * SPEEDS[speed]);
    let most = 64;
    while (playing && now - due >= pause && most--) {
      due += pause;
      forward();
    }
    if (most < 0) due = now;
  }
  requestAnimationFrame(tick);
}

// Before a question is answered, what it asks for is not shown.
const shown = () => {
  const frame = frames[at];
  return question ? {...frame, k: frame.k - 1} : frame;
};

function show() {
  const frame = frames[at], unit = frame.part.units[frame.unit];
  listUnits();
  slider.max = frames.length - 1;
  slider.value = at;
  where.textContent = fill(WORDS.where, {k: at, n: frames.length - 1});
  speedText.textContent = SPEEDS[speed] + "×";
  const text = question ? question.text : frame.scene && frame.scene.say || unit.say[frame.k];
  say.className = "";
  say.textContent = text;
  slider.setAttribute("aria-valuetext", text);
  canvas.setAttribute("aria-label", text);
  showQuestion();
  draw();
}

function showQuestion() {
  asking.replaceChildren();
  if (!question) {
    const {part, unit, k} = frames[at];
    if (k === part.units[unit].steps) asking.textContent = WORDS.paths;
    return;
  }
  if (question.kind === "arrow") {
    for (const name of ["diagonal", "up", "left"])
      make("button", {textContent: WORDS[name], onclick: () => answer(new Set([name]))}, asking);
  } else if (question.kind === "value" || question.kind === "bits") {
    const field = make("input", {size: 12, placeholder: WORDS.type}, asking);
    field.setAttribute("aria-label", question.text);
    field.onkeydown = event => { if (event.key === "Enter") answer(new Set([field.value.replace(/\s/g, "")])); };
    make("button", {textContent: WORDS.check, onclick: () => answer(new Set([field.value.trim()]))}, asking);
    field.focus();
  } else {
    make("span", {textContent: WORDS.click}, asking);
    make("button", {textContent: WORDS.check, onclick: () => answer(chosen)}, asking);
  }
  make("button", {textContent: WORDS.tell, onclick: () => tell(null)}, asking);
}

function answer(given) {
  const wrong = [...given].filter(one => !question.accepts.includes(one));
  const right = [...given].filter(one => question.accepts.includes(one));
  const missing = question.all ? question.accepts.length - right.length : +(right.length === 0);
  if (wrong.length || missing) {
    say.className = "wrong";
    say.textContent = WORDS.wrong + " " + question.text;
  } else tell(true);
}

function tell(right) {
  const why = question.why;
  answered.add(question.name);
  question = null;
  chosen = new Set();
  show();
  say.className = right ? "right" : "";
  say.textContent = (right ? WORDS.right + " " : "") + why;
  canvas.focus();
}

// Optimal paths, one after the other: at each cell the arrows in the order diagonal, up, left.
function nextPath() {
  const {part} = frames[at], {rows, cols, arrows} = part.grid;
  const choices = spot => [DIAGONAL, UP, LEFT].filter(one => arrows[spot[0] * cols + spot[1]] & one);
  const on = (spot, arrow) => [spot[0] - (arrow !== LEFT), spot[1] - (arrow !== UP)];
  let stack = path ? path.slice() : [];
  while (stack.length) {
    const last = stack.pop(), rest = choices(last.spot);
    if (last.choice + 1 < rest.length) {
      stack.push({spot: last.spot, choice: last.choice + 1});
      break;
    }
  }
  if (!stack.length) stack = choices([rows - 1, cols - 1]).length ? [{spot: [rows - 1, cols - 1], choice: 0}] : [];
  while (stack.length) {
    const last = stack[stack.length - 1], spot = on(last.spot, choices(last.spot)[last.choice]);
    if (!choices(spot).length) break;
    stack.push({spot, choice: 0});
  }
  path = stack.length ? stack : null;
  draw();
}

let size = 0, head = 0; // pixels of a cell, and above the letters of B for the names of words
function draw() {
  const {part, unit, k} = shown(), grid = part.grid, data = part.units[unit], words = data.words[k];
  const space = words ? 2 + words.length * 1.7 : 1;
  const ratio = window.devicePixelRatio || 1, width = root.clientWidth;
  const height = window.innerHeight - canvas.offsetTop - say.offsetHeight - asking.offsetHeight - bar.offsetHeight - 60;
  size = Math.max(7, Math.min(54, width / (grid.cols + 1 + space), height / (grid.rows + 1)));
  head = words ? Math.max(0, 44 - 2 * size) : 0;
  canvas.width = width * ratio;
  canvas.height = (head + (grid.rows + 1) * size) * ratio;
  canvas.style.height = canvas.height / ratio + "px";
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, canvas.height);
  pen.translate(0, head);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  drawGrid(grid, data, k);
  if (words) drawWords(grid, words);
}

const put = (text, x, y, scale, name, weight = "") => {
  pen.fillStyle = colour(name);
  pen.font = `${weight} ${size * scale | 0}px ui-monospace, monospace`;
  pen.fillText(text, x, y);
};

function drawGrid(grid, data, k) {
  const cited = new Map((question ? [] : data.cited[k]).map(one => [key(one[0], one[1]), one[2]]));
  const ended = k === data.steps && !question;
  grid.top.forEach((letter, col) => put(letter, (col + 1.5) * size, size / 2, 0.5, "--text", "bold"));
  for (let row = 0; row < grid.rows; row++) {
    const y = (row + 1) * size;
    put(grid.left[row], size / 2, y + size / 2, 0.5, "--text", "bold");
    for (let col = 0; col < grid.cols; col++) {
      const place = row * grid.cols + col, x = (col + 1) * size, name = key(row, col);
      const known = data.rank[place] <= k, isNew = known && k > 0 && data.rank[place] === k;
      const picked = chosen.has(name) && question;
      const ground = picked ? "--new" : isNew ? "--new" : cited.has(name) ? "--cited"
        : ended && grid.onPath[place] ? "--path" : known ? "--known" : "--ground";
      pen.fillStyle = colour(ground);
      pen.fillRect(x, y, size - 1, size - 1);
      if (size < READABLE_PIXELS) {
        if (known) shade(x, y, grid.values[place] / Math.max(1, grid.rows, grid.cols), isNew);
        continue;
      }
      if (!known) frame(x, y, "--hairline", 1);
      if (isNew || picked) frame(x, y, "--accent", 3);
      if (cited.get(name)) frame(x, y, "--text", 2); // it attains the optimum: a ring, and not a colour alone
      else if (cited.has(name)) dot(x + size * 0.15, y + size * 0.15);
      if (known) put(grid.values[place], x + size / 2, y + size / 2, 0.45, "--text");
    }
  }
  if (path && ended) drawPath(grid);
}

function frame(x, y, name, thick) {
  pen.strokeStyle = colour(name);
  pen.lineWidth = thick;
  pen.strokeRect(x + thick / 2, y + thick / 2, size - 1 - thick, size - 1 - thick);
}

function shade(x, y, share, isNew) {
  pen.fillStyle = colour(isNew ? "--accent" : "--text");
  pen.globalAlpha = isNew ? 1 : 0.1 + 0.7 * share;
  pen.fillRect(x, y, size - 1, size - 1);
  pen.globalAlpha = 1;
}

function dot(x, y) {
  pen.fillStyle = colour("--text");
  pen.beginPath();
  pen.arc(x, y, Math.max(1.5, size * 0.06), 0, 7);
  pen.fill();
}

function drawPath(grid) {
  const centre = spot => [(spot[1] + 1.5) * size, (spot[0] + 1.5) * size];
  pen.strokeStyle = colour("--accent");
  pen.lineWidth = Math.max(2, size * 0.09);
  pen.globalAlpha = 0.55;
  pen.beginPath();
  pen.moveTo(...centre([grid.rows - 1, grid.cols - 1]));
  for (const {spot, choice} of path) {
    const arrow = [DIAGONAL, UP, LEFT].filter(one => grid.arrows[spot[0] * grid.cols + spot[1]] & one)[choice];
    pen.lineTo(...centre([spot[0] - (arrow !== LEFT), spot[1] - (arrow !== UP)]));
  }
  pen.stroke();
  pen.globalAlpha = 1;
}

// Bit i stands beside row i of the table, so that a word is seen to be its column.
function drawWords(grid, words) {
  const left = (grid.cols + 2) * size, step = Math.max(size * 1.7, 62);
  words.forEach(([name, bits], number) => {
    const x = left + number * step, last = number === words.length - 1;
    pen.fillStyle = colour("--quiet");
    pen.font = `${Math.max(13, size * 0.28) | 0}px ui-monospace, monospace`;
    // Names are wider than a word: every other one stands higher.
    pen.fillText(name, x + step / 2, 2 * size - Math.max(10, size * 0.3) - (number % 2 ? 0 : 18));
    [...bits].forEach((bit, row) => {
      const y = (row + 2) * size;
      const small = size < READABLE_PIXELS;
      pen.fillStyle = colour(small ? (bit === "1" ? "--text" : "--known") : last ? "--new" : "--known");
      pen.fillRect(x + step / 2 - size / 2, y, size - 1, size - 1);
      if (!small) put(bit, x + step / 2, y + size / 2, 0.45, "--text", last && bit === "0" ? "bold" : "");
    });
  });
}

canvas.onclick = event => {
  const {part} = frames[at], row = Math.floor((event.offsetY - head) / size) - 1, col = Math.floor(event.offsetX / size) - 1;
  if (!question || row < 0 || col < 0 || row >= part.grid.rows || col >= part.grid.cols) return;
  const name = key(row, col);
  if (!chosen.delete(name)) chosen.add(name);
  draw();
};

function jumpScene(by) {
  const starts = frames.map((one, place) => place).filter(place => !place || frames[place].scene !== frames[place - 1].scene);
  const found = by > 0 ? starts.find(place => place > at) : starts.filter(place => place < at).pop();
  if (found !== undefined) seek(found);
}

document.onkeydown = event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (/INPUT|SELECT/.test(event.target.tagName) && event.target.type !== "range") {
    if (event.key === "Escape" && question) tell(null);
    return;
  }
  const keys = {
    " ": () => play(!playing), p: () => play(!playing), ArrowRight: () => forward(), ArrowLeft: () => seek(at - 1),
    Home: () => seek(0), End: () => seek(frames.length - 1), q: () => seek(frames.length - 1),
    PageDown: () => jumpScene(1), PageUp: () => jumpScene(-1),
    ArrowUp: () => setSpeed(1), "+": () => setSpeed(1), f: () => setSpeed(1),
    ArrowDown: () => setSpeed(-1), "-": () => setSpeed(-1), s: () => setSpeed(-1),
    Escape: () => question && tell(null), Enter: () => question && chosen.size && answer(chosen),
  };
  const {part, unit, k} = frames[at];
  if (event.key === "Tab" && event.target === canvas && k === part.units[unit].steps) keys.Tab = nextPath;
  if (event.target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter")) return;
  const action = keys[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
};

function setSpeed(by) {
  speed = Math.max(0, Math.min(SPEEDS.length - 1, speed + by));
  due = performance.now();
  speedText.textContent = SPEEDS[speed] + "×";
}

window.onresize = draw;
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
const place = new URLSearchParams(location.hash.slice(1)).get("k");
seek(+(place || 0));
canvas.focus();
requestAnimationFrame(tick);
