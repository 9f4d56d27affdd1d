// Plays a lesson: where it is, what is asked, keys. It shows frames that the program drew, and knows no algorithm.

const find = id => document.getElementById(id);
const make = (name, attributes) => Object.assign(document.createElement(name), attributes);

// What is played: {part, unit, k, data of the unit, say or nothing, ask or nothing}; of a unit all its steps.
for (const part of LESSON.parts) part.pool = part.pool.split("\n");
const frameOf = (part, unit, k, more = {}) => ({part, unit, k, data: part.units[unit], ...more});
const lessonFrames = LESSON.frames.map(([part, unit, k, more]) => frameOf(LESSON.parts[part], unit, k, more));

const BASE_STEPS_A_SECOND = 2, SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
let frames = lessonFrames, at = 0, playing = false, speed = 2, due = 0;
let question = null, chosen = new Set(), walk = null, path = null, answered = new Set();
let picture = {}, drawn = {}; // what is in the page: unit, groups, ids; which ids a step has: unit, k, ids

const [stage, say, asking, slider, units, askBox] = ["stage", "say", "ask", "slider", "units", "asks"].map(find);
const ACTIONS = {
  start: () => seek(0), back: () => seek(at - 1), on: forward, end: () => seek(frames.length - 1),
  play: () => play(!playing), nextScene: () => jumpScene(1), sceneBefore: () => jumpScene(-1),
  faster: () => setSpeed(1), slower: () => setSpeed(-1), tell: () => question && tell(false),
  check: () => question && chosen.size && answer(chosen),
};
const KEYS = {
  " ": "play", p: "play", ArrowRight: "on", ArrowLeft: "back", Home: "start", End: "end", q: "end",
  PageDown: "nextScene", PageUp: "sceneBefore", ArrowUp: "faster", "+": "faster", f: "faster", ArrowDown: "slower",
  "-": "slower", s: "slower", Escape: "tell", Enter: "check",
};

// Another unit begins where no more is known than now.
function choose(unit) {
  const {part, data, unit: before, k} = frames[at];
  frames = unit ? part.units[unit].say.map((_, k) => frameOf(part, unit, k)) : lessonFrames;
  seek(!unit ? frames.findIndex(one => one.part === part) : unit === before ? k : data.same[unit][k]);
}

function seek(place) {
  at = Math.max(0, Math.min(place, frames.length - 1));
  question = walk = path = null;
  show();
}

function forward() {
  if (question) return;
  if (at + 1 >= frames.length) return play(false);
  seek(at + 1);
  ask();
}

// Ask what is asked here, once.
function ask() {
  const {ask} = frames[at];
  if (!askBox.checked || !ask || answered.has(ask)) return;
  question = ask;
  chosen = new Set();
  play(false);
  show();
}

// To the next stop, and to its question; to be told where it is asked; at the end to the next lesson.
function jumpScene(by) {
  if (by > 0 && question) return tell(false);
  const stops = frames === lessonFrames ? LESSON.stops : [0, frames.length - 1];
  const found = by > 0 ? stops.find(place => place > at) : stops.filter(place => place < at).pop();
  if (found === undefined) {
    const other = find(by > 0 ? "next" : "previous");
    if (other && by < 0) other.href += "#k=" + Number.MAX_SAFE_INTEGER; // which begins at its end
    if (other) other.click();
    return;
  }
  seek(found);
  if (by > 0) ask();
}

function play(on) {
  playing = on && !question;
  if (playing && at + 1 >= frames.length) at = 0;
  due = performance.now();
  const name = playing ? "Pause" : "Play";
  Object.assign(find("play"), {textContent: playing ? "‖" : "▶", title: name, ariaLabel: name});
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
const shownStep = () => frames[at].k - (question ? 1 : 0);
const isLast = () => shownStep() === frames[at].data.steps;

function show() {
  const {part, unit, k, data} = frames[at], names = [["", {name: "Lesson"}], ...Object.entries(part.units)];
  units.replaceChildren(...names.map(([value, {name}]) => make("option", {value, textContent: name})));
  units.value = frames === lessonFrames ? "" : unit;
  Object.assign(slider, {max: frames.length - 1, value: at});
  find("where").textContent = `${at} of ${frames.length - 1}`;
  find("speed").textContent = SPEEDS[speed] + "×";
  Object.assign(say, {className: "", textContent: question ? question.text : frames[at].say || data.say[k]});
  slider.ariaValueText = stage.ariaLabel = say.textContent;
  showQuestion();
  draw();
}

function showQuestion() {
  const {choices = [], kind, text} = question || {}, shown = [];
  const press = (textContent, onclick) => shown.push(make("button", {textContent, onclick}));
  choices.forEach(([name, text]) => press(text, () => answer(new Set([name]))));
  if (["reads", "writes"].includes(kind)) {
    shown.push("Click the cells, then Check.");
    press("Check", () => answer(chosen));
  } else if (question && !choices.length) {
    const placeholder = `Type the answer${kind === "next" ? " or click a row, then Check." : ", then Enter."}`;
    const give = () => answer(new Set([find("answer").value.replace(/\s/g, "")]));
    const onkeydown = event => { if (event.key === "Enter") give(); };
    shown.push(make("input", {id: "answer", size: placeholder.length, placeholder, ariaLabel: text, onkeydown}));
    press("Check", give);
  }
  if (question) press("Tell me", ACTIONS.tell);
  else if (isLast() && frames[at].data.arrows) shown.push("Tab shows one optimal path after the other.");
  asking.replaceChildren(...shown);
  if (find("answer")) find("answer").focus();
}

function answer(given) {
  const right = [...given].filter(one => question.accepts.includes(one)).length;
  if (right && right === given.size && (right === question.accepts.length || !question.all)) return tell(true);
  const slip = question.slips.find(([wrong]) => wrong.length === given.size && wrong.every(one => given.has(one)));
  Object.assign(say, {className: "wrong", textContent: `${slip ? slip[1] : "That is not it."} ${question.text}`});
}

function tell(right) {
  const why = !right && frames[at].say || question.why;
  answered.add(question);
  question = null;
  show();
  Object.assign(say, {className: right ? "right" : "", textContent: (right ? "Right. " : "") + why});
  stage.focus();
}

function setSpeed(by) {
  speed = Math.max(0, Math.min(SPEEDS.length - 1, speed + by));
  due = performance.now();
  show();
}

document.onkeydown = event => {
  const {key, target} = event;
  const typing = /INPUT|SELECT/.test(target.tagName) && target.type !== "range" && !/^Page/.test(key);
  if (typing && key === "Escape" && question) tell(false);
  if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (key === "Tab" && target === stage && isLast() && nextPath()) event.preventDefault();
  if (target.tagName === "BUTTON" && (key === " " || key === "Enter")) return;
  if (!KEYS[key]) return;
  event.preventDefault();
  ACTIONS[KEYS[key]]();
};

// Elements of SVG: a form and what is written in its gaps.
const elements = (part, entries) => entries.map(entry => {
  const [form, ...values] = entry.split("~");
  return part.forms[form].replace(/~/g, () => values.shift());
}).join("");

// Pairs of a slot and an element, each less the one before; slots go through the parts of a scene in turn.
function change(ids, pairs) {
  for (let n = 0, slot = 0, id = 0; n < pairs.length; n += 2) {
    slot += pairs[n];
    ids[slot % ids.length][Math.floor(slot / ids.length)] = id += pairs[n + 1];
  }
  return ids;
}

function idsAt(unit, k) {
  if (drawn.unit !== unit || drawn.k > k) drawn = {unit, k: -1, ids: Array.from({length: unit.parts}, () => [])};
  while (drawn.k < k) change(drawn.ids, unit.frames[drawn.k += 1]);
  return question ? change(drawn.ids.map(ids => [...ids]), question.frame) : drawn.ids;
}

function begin(part, unit) {
  const [wide, high] = unit.size, svg = `<svg viewBox="-4 -4 ${wide + 8} ${high + 8}">`;
  const defs = `<defs>${elements(part, part.pool.slice(0, part.symbols))}</defs>`;
  stage.innerHTML = svg + defs + "<g></g>".repeat(unit.parts + 2) + "</svg>";
  const [, ...groups] = stage.children[0].children;
  Object.assign(stage.children[0].style, {maxWidth: 1.5 * wide + "px", minWidth: 0.6 * wide + "px"});
  picture = {unit, groups, cradle: groups.pop(), ids: []};
}

function draw() {
  const {part, data: unit} = frames[at];
  if (picture.unit !== unit) begin(part, unit);
  idsAt(unit, shownStep()).forEach((ids, n) => {
    const now = picture.ids[n] || [], group = picture.groups[n];
    const others = [...ids.keys()].filter(place => ids[place] !== now[place]);
    const content = some => elements(part, some.map(id => part.pool[part.symbols + id]));
    if (ids.length !== now.length || 2 * others.length > ids.length) group.innerHTML = content(ids);
    else for (const place of others) {
      picture.cradle.innerHTML = content([ids[place]]);
      group.children[place].replaceWith(picture.cradle.children[0]);
    }
    picture.ids[n] = [...ids];
  });
  drawOver(unit, picture.groups[unit.parts]);
}

// What was clicked as an answer, and the optimal path.
function drawOver({grid: [left, top, cell] = []}, group) {
  const x = col => left + col * cell, y = row => top + row * cell;
  const boxes = [...question ? chosen : []].map(name => name.split(",").map(Number)).map(([row, col]) =>
    `<path class="picked" d="M${x(col)} ${y(row)}h${cell}v${cell}h-${cell}z"/>`);
  const points = (path || []).map(([row, col]) => `${x(col + 0.5)} ${y(row + 0.5)}`);
  group.innerHTML = `${boxes.join("")}<polyline class="path" points="${points.join(" ")}"/>`;
}

stage.onclick = event => {
  const {grid: [left, top, cell, n, m] = [], rows: [x0, y0, wide, high, last] = []} = frames[at].data;
  const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(stage.children[0].getScreenCTM().inverse());
  const row = Math.floor((y - top) / cell), col = Math.floor((x - left) / cell), line = Math.floor((y - y0) / high);
  const {kind} = question || {}, name = row + "," + col;
  if (["reads", "writes"].includes(kind) && row >= 0 && col >= 0 && row < n && col < m) {
    if (!chosen.delete(name)) chosen.add(name);
    draw();
  }
  if (kind === "next" && line >= 0 && line < last && x >= x0 && x <= x0 + wide) find("answer").value = line;
};

// Optimal paths, one after the other, from the last cell: at each one the diagonal first.
function* pathsOf(arrows, cols, [row, col]) {
  const bits = arrows.bits.charCodeAt(row * cols + col), jump = arrows.jumps[row + "," + col] || [];
  if (!bits) yield [[row, col]];
  for (const [bit, ...before] of [[1, row - 1, col - 1], [2, row - 1, col], [4, row, col - 1], [8, ...jump]]) {
    if (bits & bit) for (const rest of pathsOf(arrows, cols, before)) yield [[row, col], ...rest];
  }
}

function nextPath() {
  const {grid, arrows} = frames[at].data;
  if (!arrows) return false;
  walk = walk || pathsOf({...arrows, bits: atob(arrows.bits)}, grid[4], [grid[3] - 1, grid[4] - 1]);
  path = walk.next().value || (walk = null);
  draw();
  return path !== null;
}

seek(+(new URLSearchParams(location.hash.slice(1)).get("k") || 0));
stage.focus();
requestAnimationFrame(tick);
