// What is chosen on the page, and who wants to know when that changes.
"use strict";
peculiar.state = {selected: -1, x: 0, y: 1, rate: 0.05, marks: new Map(), sorted: "rank"};
peculiar.listeners = {};

peculiar.on = function (name, listener) {
  (peculiar.listeners[name] = peculiar.listeners[name] || []).push(listener);
};

// Several names may be set together; each listener is called once.
peculiar.set = function (changes) {
  const called = new Set();
  const changed = Object.keys(changes).filter((name) => peculiar.state[name] !== changes[name]);
  Object.assign(peculiar.state, changes);
  for (const name of changed) (peculiar.listeners[name] || []).forEach((listener) => called.add(listener));
  called.forEach((listener) => listener(peculiar.state));
};
