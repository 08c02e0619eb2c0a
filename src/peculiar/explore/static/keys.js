// Keys: the same in the file and on the live page.
"use strict";
peculiar.panels.push(function (content) {
  const byId = (id) => document.getElementById(id), {objects} = content;
  const markWith = (mark) => () => peculiar.mark(mark, (peculiar.state.marks.get(objects.key[peculiar.state.selected]) || {note: ""}).note);
  peculiar.keys = {
    ArrowDown: () => peculiar.step(1), ArrowUp: () => peculiar.step(-1), j: () => peculiar.step(1), k: () => peculiar.step(-1),
    PageDown: () => peculiar.step(10), PageUp: () => peculiar.step(-10), Home: () => peculiar.step(-Infinity), End: () => peculiar.step(Infinity),
    i: markWith("interesting"), a: markWith("artefact"), u: markWith("unsure"), x: markWith("none"), z: () => peculiar.undo(),
    f: () => peculiar.zoomIn(), e: () => peculiar.zoomOut(), n: () => byId("note").focus(), "/": () => byId("search").focus(),
  };
  // Keys that scroll the page belong to the list only while it has the focus.
  const scrolling = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"]);

  document.addEventListener("keydown", (event) => {
    const target = event.target, isTyping = target.matches("input:not([type=range]):not([type=checkbox]), textarea, select");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" || (event.key === "Enter" && target === byId("note"))) {
      target.blur();
      byId("rows").focus({preventScroll: true});
      return;
    }
    const isInList = target === byId("rows") || target === document.body;
    if (isTyping || (scrolling.has(event.key) && !isInList)) return;
    const action = peculiar.keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    if (!(event.repeat && ["i", "a", "u", "x", "z"].includes(event.key.toLowerCase()))) action();  // a key that is held marks once
  });
});
