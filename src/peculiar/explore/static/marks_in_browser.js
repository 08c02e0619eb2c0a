// Marks of the file: they stay in this browser. A server brings a script with the same functions:
//   peculiar.store(content) -> {where, load(): events, append(event), isKept}
// where an event is a line of the file of marks: {id, time, window, key, mark, note}, or {undo: id, time, window}.
"use strict";
peculiar.store = function (content) {
  const place = `peculiar marks ${content.list.sha256}`;
  let events = [], isKept = true;

  // Those that other windows have kept, and ours that are not among them.
  function merge() {
    const there = JSON.parse(localStorage.getItem(place) || "[]");
    if (!Array.isArray(there)) return;
    const known = new Set(there.map(peculiar.idOf));
    events = [...there, ...events.filter((event) => !known.has(peculiar.idOf(event)))];
  }

  try { merge(); } catch { isKept = false; }  // some browsers keep nothing for files from disk
  window.addEventListener("storage", (event) => {
    if (event.key !== place) return;
    try { merge(); } catch { return; }
    peculiar.refreshMarks();
  });
  return {
    where: () => isKept ? "Marks stay in this browser, on this computer. Download them to keep or to send them."
      : "This browser keeps nothing for this page: download your marks before you close the page.",
    load: () => events,
    append(event) {
      events.push(event);
      try {
        merge();
        localStorage.setItem(place, JSON.stringify(events));
      } catch { isKept = false; }
    },
  };
};
