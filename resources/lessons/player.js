// Plays a lesson: where it is, what is asked, keys. How its parts look is in player_parts.js, which comes after this.
// Both know tables, words, sheets and lanes, and no algorithm.

const make = (name, attributes, parent = null) => {
  const node = Object.assign(document.createElement(name), attributes);
  if (parent) parent.append(node);
  return node;
};
const unpack = (text, Type) => new Type(Uint8Array.from(atob(text), one => one.charCodeAt(0)).buffer);

const used = (part, place) => { // a part of the pool, its arrays unpacked when it is first seen
  const found = part.pool[place];
  if (found.type !== "grid" || typeof found.values !== "number") return found;
  for (const name of ["values", "rank", "marks", "arrows", "onPath"]) {
    const Type = name === "values" || name === "rank" ? Int32Array : Uint8Array;
    if (name in found) found[name] = unpack(part.arrays[found[name]], Type);
  }
  return found;
};

// What is played, a frame a step: {part, scene, unit, k}.
const framesOf = (part, scene, unit, first, last) =>
  Array.from({length: last - first + 1}, (_, n) => ({part, scene, unit, k: first + n}));
const lessonFrames = LESSON.parts.flatMap(part =>
  part.scenes.flatMap(scene => framesOf(part, scene, scene.unit, scene.first, scene.last)));

const BASE_STEPS_A_SECOND = 2, SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
let frames = lessonFrames, at = 0, playing = false, speed = 2, due = 0;
let partsNow = [], views = [], question = null, chosen = new Set(), walk = null, path = null, answered = new Set();

const root = document.getElementById("player");
const stage = make("div", {id: "stage", tabIndex: 0, role: "group"}, root);
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
const unitLabel = make("label", {textContent: WORDS.unit + " "}, bar);
const units = make("select", {onchange: () => choose(units.value)}, unitLabel);
const askLabel = make("label", {}, bar);
const askBox = make("input", {type: "checkbox", checked: true, onchange: () => seek(at)}, askLabel);
askBox.after(" " + WORDS.ask);

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
  ask();
  show();
}

// Ask what the scene asks that begins here, once.
function ask() {
  const {scene, k} = frames[at];
  const name = scene && LESSON.parts.indexOf(frames[at].part) + scene.id;
  if (askBox.checked && scene && scene.ask && k === scene.first && !answered.has(name)) {
    question = {...scene.ask, name};
    chosen = new Set();
    play(false);
  }
}

// Where a scene begins, where one ends that the next does not go on from, and each step of one that stops at each.
function isStop(one, n) {
  const before = frames[n - 1], next = frames[n + 1];
  if (!before || !next || one.scene !== before.scene || (one.scene && one.scene.each)) return true;
  const goesOn = one.part === next.part && one.unit === next.unit && [0, 1].includes(next.k - one.k);
  return one.scene !== next.scene && !goesOn;
}

// To the next stop, and to its question; to be told where it is asked; at the end to the next lesson.
function jumpScene(by) {
  if (by > 0 && question) return tell(false);
  const places = frames.map((one, n) => n).filter(n => isStop(frames[n], n));
  const found = by > 0 ? places.find(place => place > at) : places.filter(place => place < at).pop();
  if (found === undefined) {
    const other = document.getElementById(by > 0 ? "next" : "previous");
    if (other && by < 0) other.href += "#k=" + Number.MAX_SAFE_INTEGER; // which begins at its end
    if (other) other.click();
    return;
  }
  seek(found);
  if (by > 0) ask();
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

// A scene's own sentence, or one for each of its steps.
const saidBy = (scene, k) => scene && scene.say && (Array.isArray(scene.say) ? scene.say[k - scene.first] : scene.say);

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
  const text = question ? question.text : saidBy(frame.scene, frame.k) || unit.say[frame.k];
  Object.assign(say, {className: "", textContent: text});
  slider.ariaValueText = stage.ariaLabel = text;
  showQuestion();
  draw();
}

function showQuestion() {
  const {part, unit, k} = frames[at];
  const press = (text, action) => make("button", {textContent: text, onclick: action}, asking);
  asking.replaceChildren();
  if (!question) {
    if (k === part.units[unit].steps && firstGrid() && firstGrid().arrows) asking.textContent = WORDS.paths;
    return;
  }
  const names = question.choices;
  if (names.length) names.forEach(name => press(WORDS[name], () => answer(new Set([name]))));
  else if (["reads", "writes"].includes(question.kind)) {
    make("span", {textContent: WORDS.click}, asking);
    press(WORDS.check, () => answer(chosen));
  } else {
    const placeholder = WORDS[question.kind === "next" ? "row" : "type"];
    const size = placeholder.length, ariaLabel = question.text;
    const field = make("input", {id: "answer", size, placeholder, ariaLabel}, asking);
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
  const why = !right && saidBy(frames[at].scene, frames[at].k) || question.why;
  answered.add(question.name);
  question = null;
  chosen = new Set();
  show();
  Object.assign(say, {className: right ? "right" : "", textContent: (right ? WORDS.right + " " : "") + why});
  stage.focus();
}

document.onkeydown = event => {
  const typing = /INPUT|SELECT/.test(event.target.tagName) && event.target.type !== "range" && !/^Page/.test(event.key);
  if (typing && event.key === "Escape" && question) tell(false);
  if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
  const keys = {
    " ": () => play(!playing),
    ArrowRight: forward,
    ArrowLeft: () => seek(at - 1),
    Home: () => seek(0),
    End: () => seek(frames.length - 1),
    PageDown: () => jumpScene(1),
    PageUp: () => jumpScene(-1),
    ArrowUp: () => setSpeed(1),
    ArrowDown: () => setSpeed(-1),
    Escape: () => question && tell(false),
    Enter: () => question && chosen.size && answer(chosen),
  };
  const same = {p: " ", q: "End", "+": "ArrowUp", f: "ArrowUp", "-": "ArrowDown", s: "ArrowDown"};
  for (const [other, name] of Object.entries(same)) keys[other] = keys[name];
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
