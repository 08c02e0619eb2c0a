// Marks re-order the rest: an order only, p-values never move.
"use strict";
peculiar.panels.push(function (content) {
  const {objects} = content, e = peculiar.element, marked = (mark) => [...peculiar.state.marks].filter(([, one]) => one.mark === mark).map(([key]) => key);
  const said = e("span", {class: "quiet", id: "order-said", "aria-live": "polite"});
  let nHidden = 0;
  const hiddenInWords = () => nHidden ? `${nHidden.toLocaleString("en")} hidden` : "";
  const chosen = () => peculiar.state.selected >= 0 ? [objects.key[peculiar.state.selected]] : [];

  async function arrange(like, hide, words) {
    if (!like.length && !hide.length) { said.textContent = "Mark objects first."; return; }
    try {
      const {order, n_hidden} = await peculiar.ask("order", {like, hide});
      nHidden = n_hidden;
      peculiar.setOrder(order);
      said.textContent = `${[words, hiddenInWords()].filter(Boolean).join("; ")}. P-values are as they were.`;
    } catch (error) { said.textContent = error.message; }
  }

  // Whoever sorts by a column leaves the order by likeness; what is hidden stays so.
  peculiar.on("sorted", ({sorted}) => {
    if (sorted) said.textContent = nHidden ? `What looks like artefacts: ${hiddenInWords()}.` : "";
  });

  const button = (id, text, action) => e("button", {type: "button", id, onclick: action}, text);
  document.querySelector("#objects .bar").after(e("div", {class: "bar", id: "orders", role: "group", "aria-label": "Order"},
    button("more-like", "More like this", () => arrange(chosen(), marked("artefact"), "Nearest to the selected object first")),
    button("like-interesting", "Like the interesting", () => arrange(marked("interesting"), marked("artefact"), "Nearest to interesting objects first")),
    button("hide-artefacts", "Hide what looks like artefacts", () => arrange([], marked("artefact"), "Without what looks like artefacts")),
    button("by-rank", "By rank", () => { nHidden = 0; said.textContent = ""; peculiar.setOrder(null); }), said));
});
