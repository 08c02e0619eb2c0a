// Marks of the live page: in a file beside the list. What cannot be saved at once is kept here and sent again.
"use strict";
peculiar.store = function (content) {
  const places = `peculiar unsaved marks ${content.list.sha256}`, place = `${places} ${peculiar.newId()}`;
  let saved = [], unsaved = [], problem = "", isSending = false, lastSeen = "";

  function kept(where) {
    try {
      const found = JSON.parse(localStorage.getItem(where) || "[]");
      return Array.isArray(found) ? found : [];
    } catch { return []; }
  }

  // Every window keeps its own. Those of windows that were closed are sent by the next; what two send is saved once.
  let others = [];
  try { others = Object.keys(localStorage).filter((where) => where.startsWith(places)); } catch { /* nothing is kept */ }
  unsaved = others.flatMap(kept);

  function keep(where, events) {
    if (events.length) localStorage.setItem(where, JSON.stringify(events));
    else localStorage.removeItem(where);
  }

  function remember(sent = []) {
    const isSent = new Set(sent.map(peculiar.idOf));
    try {
      keep(place, unsaved);
      if (sent.length) for (const where of others) keep(where, kept(where).filter((event) => !isSent.has(peculiar.idOf(event))));
    } catch { /* then they are kept while the page is open */ }
  }

  async function exchange() {
    if (isSending) return;
    isSending = true;
    const sent = [...unsaved];
    let done = [];
    try {
      const {events} = await peculiar.ask("marks", {events: sent});
      [saved, unsaved, problem, done] = [events, unsaved.slice(sent.length), "", sent];
    } catch (error) {
      problem = error instanceof TypeError ? "the server does not answer" : error.message;
    }
    isSending = false;
    remember(done);
    const seen = JSON.stringify([saved.length, unsaved.length, problem]);  // events are only ever added
    if (seen !== lastSeen) { lastSeen = seen; peculiar.refreshMarks(); }
    if (unsaved.length && !problem) exchange();
  }

  setInterval(exchange, 2000);  // other windows make marks, too
  window.addEventListener("focus", exchange);
  setTimeout(exchange, 0);
  return {
    where: () => problem ? `NOT SAVED (${unsaved.length}): ${problem}. Your marks are kept in this browser and sent again.`
      : `Marks are saved at once, in ${content.title}.marks.jsonl, beside the list.`,
    load: () => [...saved, ...unsaved],
    append(event) { unsaved.push(event); remember(); exchange(); },
  };
};
