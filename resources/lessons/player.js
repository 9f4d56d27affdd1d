// Plays a lesson: where it is, what is asked, keys. It shows frames that the program drew, and knows no algorithm.

const find = id => document.getElementById(id);
const make = (name, attributes) => Object.assign(document.createElement(name), attributes);

// What is played: {part, unit, k, data of the unit, say or nothing, ask or nothing}; of a unit all its steps.
for (const part of LESSON.parts) part.pool = part.pool.split("\n");
const frameOf = (part, unit, k, more = {}) => ({part, unit, k, data: part.units[unit], ...more});
const lessonFrames = LESSON.frames.map(([part, unit, k, more]) => frameOf(LESSON.parts[part], unit, k, more));
const questions = lessonFrames.flatMap(frame => frame.ask || []);
const TRIES = 2; // after which a question is answered
const LEAST_SCALE = 0.6; // of a picture, beneath which its parts are below each other
let frames = lessonFrames, at = 0, playing = false, timer = 0;
let question = null, walk = null, path = null, answered = new Map(); // questions, with how many answers were wrong
let picture = {}, told = {}; // in the page: unit, width, elements; at a step: unit, k, ids of elements

const [stage, scene, tables, say, slider, units] = ["stage", "scene", "tables", "say", "slider", "units"].map(find);
const forward = () => question || at + 1 >= frames.length ? play(false) : seek(at + 1, true);
const KEYS = {
  " ": () => play(!playing), Home: () => seek(0), End: () => seek(frames.length),
  ArrowRight: () => question ? tell(false) : forward(), ArrowLeft: () => seek(at - 1),
  PageDown: () => jumpScene(1), PageUp: () => jumpScene(-1), Escape: () => question && tell(false),
};

// Another unit begins where no more is known than now.
function choose(unit) {
  const {part, data, unit: before, k} = frames[at];
  frames = unit ? part.units[unit].say.map((_, k) => frameOf(part, unit, k)) : lessonFrames;
  seek(!unit ? frames.findIndex(one => one.part === part) : unit === before ? k : data.same[unit][k]);
}

// Goes to a frame; what is asked there is asked once.
function seek(place, asks = false) {
  at = Math.max(0, Math.min(place, frames.length - 1));
  const {ask} = frames[at], isAsked = asks && ask && find("asks").checked && !answered.has(ask);
  [question, walk, path] = [isAsked ? {...ask, of: ask, wrong: 0, taken: []} : null, null, null];
  show(question && play(false));
}

// To the next stop, and to its question; to be told where it is asked; at the end to the next lesson.
function jumpScene(by) {
  if (by > 0 && question) return tell(false);
  const stops = frames === lessonFrames ? LESSON.stops : [0, frames.length - 1];
  const found = by > 0 ? stops.find(place => place > at) : stops.filter(place => place < at).pop();
  const other = found === undefined && find(by > 0 ? "next" : "previous");
  if (other && by < 0) other.href += "#k=" + Number.MAX_SAFE_INTEGER; // which begins at its end
  return found === undefined ? other && other.click() : seek(found, by > 0);
}

function play(on) {
  playing = on && !question;
  if (playing && at + 1 >= frames.length) seek(0);
  const name = playing ? "Pause" : "Play";
  Object.assign(find("play"), {textContent: playing ? "‖" : "▶", title: name, ariaLabel: name});
  wait();
}

// The frame of now is seen as long as its sentence takes to read.
function wait() {
  clearTimeout(timer);
  const seen = frames === lessonFrames ? LESSON.milliseconds[at] : LESSON.stepMilliseconds;
  if (playing) timer = setTimeout(() => { forward(); wait(); }, seen / find("speed").value);
}

// Before a question is answered, what it asks for is not shown.
const shownStep = () => question ? question.shown : frames[at].k;

function show() {
  const {part, unit, k, data} = frames[at], names = [["", {name: "Lesson"}], ...Object.entries(part.units)];
  units.replaceChildren(...names.map(([value, {name}]) => make("option", {value, textContent: name})));
  units.value = frames === lessonFrames ? "" : unit;
  find("where").textContent = `${at} of ${frames.length - 1}`;
  Object.assign(say, {className: "", textContent: question ? question.text : frames[at].say || data.say[k]});
  Object.assign(slider, {max: frames.length - 1, value: at, ariaValueText: say.textContent});
  showQuestion();
  draw();
}

function showQuestion() {
  const {choices = [], kind} = question || {}, {data} = frames[at], isTyped = question && !choices.length;
  const press = ([id, textContent]) => make("button", {type: "button", textContent, onclick: () => answer([id])});
  find("choices").replaceChildren(...choices.map(press));
  find("typing").hidden = find("check").hidden = !isTyped;
  find("how").textContent = asksCells() ? "Click the cells, or type row,column of each" :
    kind === "next" ? "Type the answer or click a row" : "Type the answer";
  find("answer").value = "";
  find("tell").hidden = !question; find("path").hidden = question || shownStep() < data.steps || !data.arrows;
  if (question) (isTyped ? find("answer") : find("choices").children[0]).focus();
}

// What was typed: cells, of which the first has number 0 or 1, else a text without blanks.
const asksCells = () => question && ["reads", "writes", "path"].includes(question.kind);
function typed() {
  const text = find("answer").value, first = asksCells() && frames[at].data.grid[7];
  const cells = [...text.matchAll(/(\d+)\s*,\s*(\d+)/g)].map(([, row, col]) => `${row - first},${col - first}`);
  return asksCells() ? cells : [text.replace(/[\s,]/g, "")];
}

function answer(given) {
  const {accepts, all, kind, slips} = question, right = given.filter(one => accepts.includes(one)).length;
  const isGiven = cells => cells.length === given.length && cells.every(one => given.includes(String(one)));
  const isWhole = right && right === given.length && (right === accepts.length || !all);
  if (kind === "path" ? [...paths(frames[at].data)].some(isGiven) : isWhole) return tell(true);
  const [, hint, taken] = slips.find(([wrong]) => isGiven(wrong)) || [null, LESSON.marks.wrong, []];
  Object.assign(question, {wrong: question.wrong + (/^\d/.test(given) === /^\d/.test(accepts)), taken});
  if (question.wrong >= TRIES) return tell(false, hint);
  Object.assign(say, {className: "wrong", textContent: `${hint} ${question.text}`});
  draw(find("answer").select());
}

function tell(right, hint = "") {
  const why = hint ? `${hint} ${question.answer}` : !right && frames[at].say || question.why;
  answered.set(question.of, right ? question.wrong : NaN);
  show(question = null);
  Object.assign(say, {className: right ? "right" : "", textContent: (right ? `${LESSON.marks.right} ` : "") + why});
  score(stage.focus());
}

// The result as a text to copy, and for the learning platform that shows the page.
function score() {
  const {length} = questions, right = questions.filter(one => answered.get(one) === 0).length;
  const result = wrong => wrong === undefined ? "open" : wrong >= 0 ? `right after ${wrong} wrong` : "told";
  const lines = questions.map(one => `${one.text} – ${result(answered.get(one))}`);
  find("result").value = [`${LESSON.title}: ${right} of ${length} right at once`, ...lines].join("\n");
  if (window.report) report(100 * right / (length || 1), answered.size >= length);
}

document.onkeydown = event => {
  const {key, target: {tagName, type, value}} = event, isField = /INPUT|SELECT|TEXTAREA/.test(tagName);
  const isTyped = isField && type !== "range", moves = type === "text" && !value ? /^Page|Esc|Arrow/ : /^Page|Esc/;
  if (!KEYS[key] || event.ctrlKey || event.altKey || event.metaKey || isTyped && !moves.test(key)) return;
  if (key === " " && /BUTTON|SUMMARY|A$/.test(tagName)) return;
  KEYS[key](event.preventDefault());
};

// Elements of SVG and of tables: a form and what is written in its gaps.
const filled = (part, [form, ...values]) => part.forms[form].replace(/~/g, () => values.shift());
const contents = (part, ids) => ids.map(id => filled(part, part.pool[part.symbols + id].split("~"))).join("");

// Pairs of a slot and an element, each less the one before; slots go through the parts of a scene in turn.
function change(ids, pairs) {
  for (let n = 0, slot = 0, id = 0; n < pairs.length; n += 2)
    ids[(slot += pairs[n]) % ids.length][Math.floor(slot / ids.length)] = id += pairs[n + 1];
  return ids;
}

// Elements of each part, then cells of each part's table.
function idsAt(unit, k) {
  if (told.unit !== unit || told.k > k) told = {unit, k: -1, ids: Array.from({length: 2 * unit.parts}, () => [])};
  while (told.k < k) change(told.ids, unit.frames[told.k += 1]);
  return told.ids;
}

// An image of a unit: its parts side by side, or below each other where they would be too small.
function svgOf({part, data}, room, groups, prefix = "") {
  const below = room < LEAST_SCALE * data.size[0], [wide, high, ...moves] = below ? data.stacked : data.size;
  const defs = contents(part, [...Array(part.symbols).keys()].map(n => n - part.symbols));
  const moved = groups.map((one, n) => `<g transform="translate(${moves[n] || "0"})">${one}</g>`).join("");
  const size = `max-width:${1.5 * wide}px;min-width:${LEAST_SCALE * wide}px;` +
    (below ? "" : `min-height:${LEAST_SCALE * high}px;max-height:100%`);
  const inside = `<defs>${defs}</defs>${moved}`.replace(/(id="|#)c/g, `$1${prefix}c`);
  return `<svg viewBox="-4 -4 ${wide + 8} ${high + 8}" aria-hidden="true" style="${size}">${inside}</svg>`;
}

function begin(frame) {
  const {names, parts, shapes} = frame.data, room = stage.clientWidth;
  scene.innerHTML = svgOf(frame, room, Array(parts + 1).fill(""));
  tables.innerHTML = shapes.map(([rows, cols], n) =>
    `<table><caption>${names[n]}</caption>${`<tr>${"<td></td>".repeat(cols)}</tr>`.repeat(rows)}</table>`).join("");
  const [, ...groups] = scene.children[0].children;
  picture = {data: frame.data, room, over: groups.pop(), groups, shown: [...groups, ...tables.children]};
}

// Replaces what is in a picture or table, or the children that changed.
function update(element, part, ids, cols) {
  const before = element.ids || [], other = [...ids.keys()].filter(place => ids[place] !== before[place]);
  const child = place => cols ? element.rows[Math.floor(place / cols)].cells[place % cols] : element.children[place];
  if (!cols && (ids.length !== before.length || 2 * other.length > ids.length)) element.innerHTML = contents(part, ids);
  else for (const place of other) child(place).outerHTML = contents(part, [ids[place]]);
  element.ids = [...ids];
}

function draw() {
  const {part, data} = frames[at], now = idsAt(data, shownStep()), cols = n => n < 0 ? 0 : data.shapes[n][1];
  if (picture.data !== data) begin(frames[at]);
  const seen = question ? change(now.map(ids => [...ids]), question.frame) : now;
  seen.forEach((ids, n) => update(picture.shown[n], part, ids, cols(n - data.parts)));
  const [x, y, wide, high, , n] = data[data.marked] || [], points = (path || []).map(([row, col]) =>
    `${x + (col + 0.5) * wide} ${y + (row + 0.5) * high}`);
  const picked = [...asksCells() ? typed() : [], ...question ? question.taken : []].map(one => String(one).split(","));
  const boxes = picked.map(([row, col]) =>
    `<path class="picked" d="M${x + Math.min(col, n - 1) * wide} ${y + row * high}h${wide}v${high}h-${wide}z"/>`);
  picture.over.innerHTML = `${boxes.join("")}<polyline class="path" points="${points.join(" ")}"/>`;
  const news = data.grid ? [] : scene.querySelectorAll('[fill="var(--tint)"]'), frame = stage.getBoundingClientRect();
  const {top = frame.top, bottom = frame.bottom} = news.length ? news[news.length - 1].getBoundingClientRect() : {};
  stage.scrollTop += Math.max(0, bottom - frame.bottom) + Math.min(0, top - frame.top); // to the row of now
}

scene.onclick = ({clientX, clientY}) => {
  const area = frames[at].data[asksCells() ? "grid" : "rows"];
  if (!area || !question || !asksCells() && question.kind !== "next") return;
  const [left, top, wide, high, n, m, part, first] = area, toPart = picture.groups[part].getScreenCTM().inverse();
  const {x, y} = new DOMPoint(clientX, clientY).matrixTransform(toPart), others = typed();
  const row = Math.floor((y - top) / high), col = Math.floor((x - left) / wide), name = `${row},${col}`;
  if (row < 0 || col < 0 || row >= n || col >= m) return;
  const cells = others.includes(name) ? others.filter(one => one !== name) : [...others, name];
  find("answer").value = !asksCells() ? tables.children[part].rows[row + 1].cells[0].textContent.replace(/[^\d]/g, "") :
    cells.map(one => one.split(",").map(place => +place + first)).join(" ");
  draw();
};

// Optimal paths, one after the other, from each last cell: at each one the diagonal first.
function* paths(data, from = data.arrows.ends) {
  const {bits, jumps} = data.arrows;
  for (const [row, col] of from) {
    const here = parseInt(bits[row * data.grid[5] + col], 16);
    if (!here) yield [[row, col]];
    const near = [[1, [row - 1, col - 1]], [2, [row - 1, col]], [4, [row, col - 1]]].filter(([bit]) => here & bit);
    const all = [...near.map(([, cell]) => cell), ...here & 8 ? jumps[[row, col]] : []];
    for (const rest of paths(data, all)) yield [[row, col], ...rest];
  }
}

const nextPath = () => draw(path = (walk = walk || paths(frames[at].data)).next().value || (walk = null));

// On paper all steps are seen, but not more than a browser prints in seconds.
window.onbeforeprint = () => find("paper").innerHTML = LESSON.unprinted + LESSON.printed.map(n => {
  const {part, k, data, say: own} = lessonFrames[n], {innerHTML} = make("p", {textContent: own || data.say[k]});
  const groups = idsAt(data, k).slice(0, data.parts).map(ids => contents(part, ids));
  return `<figure>${svgOf(lessonFrames[n], 1e4, groups, "p" + n)}<figcaption>${n}. ${innerHTML}</figcaption></figure>`;
}).join("");
window.onresize = () => stage.clientWidth !== picture.room && draw(picture = {});

seek(+(new URLSearchParams(location.hash.slice(1)).get("k") || 0));
score();
if (parent === window) stage.focus();
