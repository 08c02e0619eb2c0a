// Marks: what the reader thinks of the objects. Events are those of peculiar.triage.Marks, so that a file of them is one.
"use strict";

// The mark of each object, from its events: the last one that was not taken back.
peculiar.replay = function (events) {
  const undone = new Set(events.filter((event) => "undo" in event).map((event) => event.undo));
  const marks = new Map();
  for (const event of events) {
    if ("undo" in event || undone.has(event.id)) continue;
    marks.set(event.key, {mark: event.mark, note: event.note, time: event.time});
  }
  for (const [key, mark] of marks) if (mark.mark === "none" && !mark.note) marks.delete(key);
  return marks;
};

peculiar.newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// What tells one line of the file of marks from all others.
peculiar.idOf = (event) => event.id || `undo ${event.undo}`;

peculiar.asLines = function (list, events) {
  const ascii = (text) => text.replace(/[\u007f-\uffff]/g, (letter) => "\\u" + letter.charCodeAt(0).toString(16).padStart(4, "0"));
  const lines = [{kind: "peculiar marks", version: 1, list}, ...events];
  return lines.map((line) => ascii(JSON.stringify(line)) + "\n").join("");
};

peculiar.panels.push(function (content) {
  const {objects} = content, byId = (id) => document.getElementById(id), store = peculiar.store(content);
  const newId = peculiar.newId, now = () => new Date().toISOString().replace("Z", "+00:00"), session = windowId();

  // A window can take its marks back after a reload, too.
  function windowId() {
    const place = `peculiar window ${content.list.sha256}`;
    try {
      const id = sessionStorage.getItem(place) || newId();
      sessionStorage.setItem(place, id);
      return id;
    } catch { return newId(); }
  }
  const keyOf = () => objects.key[peculiar.state.selected];
  const markOf = (key) => peculiar.state.marks.get(key) || {mark: "none", note: ""};

  peculiar.events = () => store.load();
  peculiar.refreshMarks = () => peculiar.set({marks: peculiar.replay(store.load())});

  peculiar.mark = function (mark, note) {
    if (peculiar.state.selected < 0) return;
    const known = markOf(keyOf());
    if (known.mark === mark && known.note === note) return;  // nothing new: no line in the history
    store.append({id: newId(), time: now(), window: session, key: keyOf(), mark, note: note.slice(0, content.longest_note)});
    peculiar.refreshMarks();
  };

  peculiar.undo = function () {
    const events = store.load(), undone = new Set(events.filter((event) => "undo" in event).map((event) => event.undo));
    const last = events.filter((event) => !("undo" in event) && event.window === session && !undone.has(event.id)).pop();
    if (!last) return;
    store.append({undo: last.id, time: now(), window: session});
    peculiar.refreshMarks();
    peculiar.set({selected: objects.key.indexOf(last.key)});
  };

  function download() {
    const url = URL.createObjectURL(new Blob([peculiar.asLines(content.list, store.load())], {type: "application/jsonl"}));
    const link = peculiar.element("a", {href: url, download: `${content.title}.marks.jsonl`});
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  function show() {
    const {marks, selected} = peculiar.state, known = markOf(keyOf());
    for (const button of document.querySelectorAll("#triage [data-mark]")) {
      button.setAttribute("aria-pressed", String(selected >= 0 && known.mark === button.dataset.mark && known.mark !== "none"));
    }
    if (document.activeElement !== byId("note")) byId("note").value = selected >= 0 ? known.note : "";
    const counts = {};
    for (const {mark} of marks.values()) counts[mark] = (counts[mark] || 0) + 1;
    const said = ["interesting", "artefact", "unsure"].filter((mark) => counts[mark]).map((mark) => `${counts[mark]} ${mark}`);
    if (counts.none) said.push(`${counts.none} with a note only`);
    byId("marks-count").textContent = said.length ? `${said.join(", ")}.` : "No marks yet.";
    byId("marks-where").textContent = store.where();
  }

  for (const button of document.querySelectorAll("#triage [data-mark]")) {
    button.addEventListener("click", () => peculiar.mark(button.dataset.mark, markOf(keyOf()).note));
  }
  byId("note").addEventListener("change", () => {
    if (byId("note").value !== markOf(keyOf()).note) peculiar.mark(markOf(keyOf()).mark, byId("note").value);
  });
  byId("undo").addEventListener("click", peculiar.undo);
  byId("marks-download").addEventListener("click", download);
  peculiar.on("marks", show);
  peculiar.on("selected", show);
  peculiar.refreshMarks();
  show();
});
