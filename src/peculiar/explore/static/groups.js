// A card for each strange group.
"use strict";
peculiar.panels.push(function (content) {
  const {objects, groups, features} = content, e = peculiar.element;
  const holder = document.querySelector("#groups .cards");
  if (!holder) return;
  const count = (n) => n.toLocaleString("en");

  function members(title, places) {
    const links = places.flatMap((at, i) => [i ? ", " : "",
      e("button", {type: "button", onclick: () => peculiar.goTo(at)}, peculiar.nameOf(objects, at))]);
    return e("p", {class: "members"}, e("span", {class: "quiet"}, `${title}: `), ...links);
  }

  function card(group) {
    const where = group.centre.map((value, j) => `${features.names[j]} ${value === null ? "–" : peculiar.number(value)}`).join(", ");
    const why = group.betrayed_by.map(([name, side]) => `${name} ${side}`).join(", ");
    const said = group.n_listed === group.n_members ? "" : `${count(group.n_listed)} of them listed`;
    return e("article", {},
      e("header", {}, e("span", {class: "badge", style: `background: ${group.colour}`}, group.letter),
        e("b", {}, `${count(group.n_members)} object${group.n_members === 1 ? "" : "s"}`), e("span", {class: "quiet"}, said)),
      e("p", {}, why ? `Betrayed by ${why}.` : ""),
      e("p", {class: "quiet"}, `Centre: ${where}`),
      ...(group.n_listed ? [members("Most typical", group.typical), members("Strangest", group.strangest)] : []));
  }
  holder.replaceChildren(...groups.map(card));
});
