// Plays scripts of pages without a browser: reads {script, data, words, actions}, a line each; prints a line of what was
// said after each action.
"use strict";

class Node {
  constructor(name) {
    Object.assign(this, {localName: name, tagName: name.toUpperCase(), children: [], style: {}, dataset: {}, textContent: "",
      offsetWidth: 100, offsetHeight: 20, offsetTop: 100, clientWidth: 1000});
  }
  append(...nodes) { for (const node of nodes) if (node instanceof Node) { node.parent = this; this.children.push(node); } }
  after() {}
  remove() { this.parent.children.splice(this.parent.children.indexOf(this), 1); }
  replaceChildren(...nodes) { this.children = []; this.append(...nodes); }
  replaceWith(node) { this.parent.children[this.parent.children.indexOf(this)] = node; node.parent = this.parent; }
  focus() {}
  getContext() {
    return new Proxy({measureText: text => ({width: 50 * String(text).length})}, {
      get: (all, name) => name in all ? all[name] : () => {}, set: (all, name, value) => { all[name] = value; return true; },
    });
  }
  all() { return [this, ...this.children.flatMap(child => child.all())]; }
}

function play({script, data, words, actions}) {
  const root = new Node("main");
  const find = id => root.all().find(node => node.id === id);
  const world = {
    LESSON: data, WORDS: words, location: {hash: ""}, performance, URLSearchParams, atob,
    requestAnimationFrame() {},
    getComputedStyle: () => ({getPropertyValue: name => name}),
    document: {getElementById: id => id === "player" ? root : find(id), createElement: name => new Node(name), documentElement: null},
    window: {innerHeight: 800, devicePixelRatio: 1, matchMedia: () => ({addEventListener() {}})},
  };
  new Function(...Object.keys(world), script)(...Object.values(world));
  const press = key => world.document.onkeydown({key, target: find("stage"), preventDefault() {}});
  return actions.map(action => {
    if (action.press) press(action.press);
    if (action.type !== undefined) {
      Object.assign(find("answer"), {value: action.type});
      find("answer").onkeydown({key: "Enter"});
    }
    return find("say").textContent;
  });
}

require("readline").createInterface({input: process.stdin}).on("line", line => {
  process.stdout.write(JSON.stringify(play(JSON.parse(line))) + "\n");
});
