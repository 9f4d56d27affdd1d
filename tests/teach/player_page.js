// Plays scripts of pages without a browser: reads {script, data, actions}, a line each; prints a line of what was said
// and drawn after each action.
"use strict";

class Node {
  constructor(name) {
    Object.assign(this, {localName: name, tagName: name.toUpperCase(), children: [], style: {}, textContent: ""});
  }
  after() {}
  replaceChildren(...nodes) {
    this.children = nodes.filter(node => node instanceof Node);
    for (const node of this.children) node.parent = this;
  }
  replaceWith(node) { this.parent.children[this.parent.children.indexOf(this)] = node; node.parent = this.parent; }
  focus() {}
  // Elements side by side; of what is in them only groups and symbols are made: nothing else is looked for.
  set innerHTML(text) {
    const whole = /<(\w+)[^>]*?(\/>|>.*?<\/\1>)/gs;
    const inside = text.match(text.startsWith("<svg") ? /<defs>.*<\/defs>|<g><\/g>/gs : whole);
    const nodes = (inside || []).map(one => Object.assign(new Node(/\w+/.exec(one)[0]), {markup: one}));
    if (!text.startsWith("<svg")) return this.replaceChildren(...nodes);
    const svg = new Node("svg");
    svg.replaceChildren(...nodes);
    this.replaceChildren(svg);
  }
  all() { return [this, ...this.children.flatMap(child => child.all())]; }
}

function play({script, data, actions}) {
  const ids = ["stage", "say", "ask", "slider", "units", "asks", "where", "speed", "play"];
  const fixed = Object.fromEntries(ids.map(id => [id, new Node(id)]));
  fixed.asks.checked = true;
  const find = id => fixed[id] || fixed.ask.all().find(node => node.id === id);
  const world = {
    LESSON: data, location: {hash: ""}, performance, URLSearchParams, atob, requestAnimationFrame() {},
    document: {getElementById: find, createElement: name => new Node(name)},
  };
  new Function(...Object.keys(world), script)(...Object.values(world));
  const press = key => world.document.onkeydown({key, target: find("stage"), preventDefault() {}});
  return actions.map(action => {
    if (action.press) press(action.press);
    if (action.type !== undefined) {
      Object.assign(find("answer"), {value: action.type});
      find("answer").onkeydown({key: "Enter"});
    }
    const [, ...groups] = find("stage").children[0].children;
    const drawn = groups.slice(0, -2).map(group => group.children.map(node => node.markup).join(""));
    return [find("say").textContent, ...drawn];
  });
}

require("readline").createInterface({input: process.stdin}).on("line", line => {
  process.stdout.write(JSON.stringify(play(JSON.parse(line))) + "\n");
});
