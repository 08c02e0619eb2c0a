// Onward from the live page: marks as files, and objects to TOPCAT or Aladin on this computer.
"use strict";
peculiar.panels.push(function (content) {
  const e = peculiar.element, said = e("p", {class: "quiet", id: "send-said", "aria-live": "polite"});

  async function send(keys, what) {
    said.textContent = "Sending …";
    try {
      const {to} = await peculiar.ask("send", {keys});
      said.textContent = `${what} sent to ${to.join(", ")}.`;
    } catch (error) { said.textContent = error.message; }
  }

  document.getElementById("marks-count").parentElement.append(
    " ", e("a", {href: "/marks.csv", download: true}, "Export as CSV"), " ", e("a", {href: "/marks.vot", download: true}, "as VOTable"));
  document.getElementById("marks").append(
    e("p", {},
      e("button", {type: "button", id: "send-marked", onclick: () => send([...peculiar.state.marks.keys()], "Marked objects")}, "Send the marked objects to TOPCAT or Aladin"),
      " ", e("button", {type: "button", id: "send-list", onclick: () => send(null, "The list")}, "Send the whole list of this page")),
    said);
});
