// All marks that the selected object was ever given, with those that were taken back.
"use strict";
peculiar.panels.push(function ({objects}) {
  const e = peculiar.element;
  const past = e("details", {id: "history", hidden: true}, e("summary", {}, "History of its marks"), e("ol", {}));
  document.getElementById("triage").after(past);
  function show() {
    const key = objects.key[peculiar.state.selected], events = peculiar.events();
    const undone = new Set(events.filter((event) => "undo" in event).map((event) => event.undo));
    const own = events.filter((event) => event.key === key);
    past.hidden = !own.length;
    past.querySelector("ol").replaceChildren(...own.map((event) => e("li", {},
      `${event.time.slice(0, 19).replace("T", " ")} UTC: ${event.mark}${event.note ? `, “${event.note}”` : ""}${undone.has(event.id) ? " (taken back)" : ""}`)));
  }
  peculiar.on("marks", show);
  peculiar.on("selected", show);
});
