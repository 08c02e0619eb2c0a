// Marks of the live page: in a file beside the list. What cannot be saved at once is kept here and sent again.
"use strict";
peculiar.store = function (content) {
  const place = `peculiar unsaved marks ${content.list.sha256}`;
  let saved = [], unsaved = [], problem = "", isSending = false, lastSeen = "";
  try { unsaved = JSON.parse(localStorage.getItem(place) || "[]"); } catch { unsaved = []; }

  function remember() {
    try { localStorage.setItem(place, JSON.stringify(unsaved)); } catch { /* then they are kept while the page is open */ }
  }

  async function exchange() {
    if (isSending) return;
    isSending = true;
    const sent = [...unsaved];
    try {
      const {events} = await peculiar.ask("marks", {events: sent});
      [saved, unsaved, problem] = [events, unsaved.slice(sent.length), ""];
    } catch (error) {
      problem = error instanceof TypeError ? "the server does not answer" : error.message;
    }
    isSending = false;
    remember();
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
