// Plays scripts of pages without a browser: reads {script, data, actions}, a line each; prints a line of what was said
// and drawn after each action.
"use strict";

class Node {
  constructor(name) {
    Object.assign(this, {localName: name, tagName: name.toUpperCase(), children: [], style: {}, textContent: ""});
  }
  append(...nodes) { this.replaceChildren(...this.children, ...nodes); }
  replaceChildren(...nodes) {
    this.children = nodes.filter(node => node instanceof Node);
    for (const node of this.children) node.parent = this;
  }
  focus() {}
  getBoundingClientRect() { return {top: 0, bottom: 0}; }
  querySelectorAll() { return []; }
  select() {}
  // Elements side by side; of what is in them only groups, symbols and cells are made: nothing else is looked for.
  set innerHTML(text) { this.replaceChildren(...nodesOf(text)); }
  set outerHTML(text) {
    const [node] = nodesOf(text);
    this.parent.children[this.parent.children.indexOf(this)] = node;
    node.parent = this.parent;
  }
  get rows() { return this.children.filter(({localName}) => localName === "tr"); }
  get cells() { return this.children; }
  all() { return [this, ...this.children.flatMap(child => child.all())]; }
}

const INSIDE = {svg: /<defs>.*<\/defs>|<g transform="[^"]*"><\/g>/gs, table: /<tr>.*?<\/tr>/g, tr: /<t[dh][^>]*>.*?<\/t[dh]>/g};
function nodesOf(text, pattern = /<(\w+)[^>]*?(\/>|>.*?<\/\1>)/gs) {
  return (text.match(pattern) || []).map(markup => {
    const node = Object.assign(new Node(/\w+/.exec(markup)[0]), {markup});
    if (INSIDE[node.localName]) node.replaceChildren(...nodesOf(markup, INSIDE[node.localName]));
    return node;
  });
}

function play({script, data, actions}) {
  const ids = [
    "stage", "scene", "tables", "say", "choices", "typing", "how", "answer", "check", "tell", "path", "slider", "units",
    "asks", "where", "speed", "play", "result",
  ];
  const fixed = Object.fromEntries(ids.map(id => [id, new Node(id)]));
  fixed.asks.checked = true;
  const find = id => fixed[id];
  const window = {};
  const world = {
    LESSON: data, location: {hash: ""}, window, parent: window, performance, URLSearchParams, setTimeout() {}, clearTimeout() {},
    document: {getElementById: find, createElement: name => new Node(name)},
  };
  new Function(...Object.keys(world), script + "\ndocument.check = () => answer(typed());")(...Object.values(world));
  const press = key => world.document.onkeydown({key, target: find("stage"), preventDefault() {}});
  return actions.map(action => {
    if (action.press) press(action.press);
    if (action.type !== undefined) {
      Object.assign(find("answer"), {value: action.type});
      world.document.check();
    }
    const [, ...groups] = find("scene").children[0].children;
    const tables = find("tables").children.map(table => table.rows.flatMap(row => row.cells));
    const drawn = [...groups.slice(0, -1).map(group => group.children), ...tables].map(nodes =>
      nodes.map(node => node.markup).join(""));
    return [find("say").textContent, ...drawn];
  });
}

require("readline").createInterface({input: process.stdin}).on("line", line => {
  process.stdout.write(JSON.stringify(play(JSON.parse(line))) + "\n");
});
