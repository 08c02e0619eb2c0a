// Why the selected object is strange: sentence, bars, neighbours, and where to look it up.
"use strict";
peculiar.panels.push(function (content) {
  const {objects, features} = content, e = peculiar.element, d = features.names.length;
  const byId = (id) => document.getElementById(id);

  function numbers(i) {
    const parts = [`rank ${objects.rank[i].toLocaleString("en")}`, `p = ${peculiar.probability(objects.p[i])}`, `q = ${peculiar.probability(objects.q[i])}`];
    if (!Number.isNaN(objects.tolerance[i])) parts.push(`error tolerance ${peculiar.factor(objects.tolerance[i])}`);
    if (objects.group[i]) parts.push(`group ${objects.group[i]}`);
    return parts.join(" · ");
  }

  function valueOf(i, j) {
    const value = objects.place[i * objects.place.shape[1] + j];
    if (Number.isNaN(value)) return "missing";
    const variance = objects.covariance ? peculiar.covarianceOf(objects.covariance, i, j, j) : NaN;
    if (!(variance > 0) || !Number.isFinite(variance)) return peculiar.number(value);
    return peculiar.measured(value, Math.sqrt(variance));
  }

  function showBars(i) {
    const rows = [], surprises = objects.surprise ? peculiar.row(objects.surprise, i) : null;
    const most = surprises ? Math.max(1, ...Array.from(surprises).filter(Number.isFinite)) : 1;
    const order = Array.from({length: d}, (_, j) => j), size = (j) => Number.isFinite(surprises[j]) ? surprises[j] : -Infinity;
    // So many do not fit: those that say most come first. (Infinity less itself is no number: || keeps their order.)
    if (surprises && d > 16) order.sort((a, b) => size(b) - size(a) || a - b);
    for (const j of order) {
      const surprise = surprises ? surprises[j] : NaN, share = Number.isFinite(surprise) ? Math.max(surprise, 0) / most : 0;
      const expected = objects.expected ? objects.expected[i * d + j] : NaN, value = objects.place[i * objects.place.shape[1] + j];
      const arrow = Number.isFinite(expected) && Number.isFinite(value) ? (value > expected ? " ▲" : " ▼")
        : j === objects.main[i] && objects.side[i] ? (objects.side[i] > 0 ? " ▲" : " ▼") : "";
      const what = Number.isFinite(surprise) ? `surprise ${surprise.toFixed(1)}` : "no surprise known";
      const title = Number.isFinite(expected) ? `${what}; ordinary would be ${peculiar.number(expected)}` : what;
      rows.push(e("tr", {class: j === objects.main[i] ? "main" : null, title},
        e("td", {}, features.names[j]),
        e("td", {}, e("div", {class: "track", role: "img", "aria-label": title}, e("div", {class: "fill", style: `width: ${100 * share}%`}))),
        e("td", {}, valueOf(i, j) + arrow)));
    }
    byId("bars").querySelector("tbody").replaceChildren(...rows);
    byId("all-bars").scrollTop = 0;
  }

  function showNeighbours(i) {
    const near = Array.from(peculiar.row(objects.neighbours, i)).filter((at) => at >= 0);
    byId("neighbours").replaceChildren(...near.map((at) => e("li", {},
      e("button", {type: "button", onclick: () => peculiar.goTo(at)}, peculiar.nameOf(objects, at)),
      ` rank ${objects.rank[at].toLocaleString("en")}`)));
  }

  // Select an object that was named elsewhere on the page, and bring what is said about it into view.
  peculiar.goTo = function (at) {
    peculiar.set({selected: at});
    const part = byId(matchMedia("(max-width: 960px)").matches ? "why" : "scatter"), {top} = part.getBoundingClientRect();
    if (top < -1 || top > 0.8 * innerHeight) part.scrollIntoView();
  };

  // Plain links: nothing is fetched unless somebody follows one.
  peculiar.links = function (ra, dec) {
    const at = `${ra.toFixed(6)} ${dec >= 0 ? "+" : ""}${dec.toFixed(6)}`, safe = encodeURIComponent(at);
    return [
      ["Aladin", `https://aladin.cds.unistra.fr/AladinLite/?target=${safe}&fov=0.05`],
      ["SIMBAD", `https://simbad.cds.unistra.fr/simbad/sim-coo?Coord=${safe}&CooFrame=ICRS&Radius=10&Radius.unit=arcsec`],
      ["VizieR", `https://vizier.cds.unistra.fr/viz-bin/VizieR-4?-c=${safe}&-c.rs=10`],
    ];
  };

  function showLinks(i) {
    const known = objects.ra && objects.dec && Number.isFinite(objects.ra[i]) && Number.isFinite(objects.dec[i]);
    byId("onward-title").hidden = !known;
    byId("onward").replaceChildren(...(known ? peculiar.links(objects.ra[i], objects.dec[i]) : []).map(([name, href]) =>
      e("a", {href, target: "_blank", rel: "noopener noreferrer"}, name)));
  }

  function show({selected: i}) {
    if (i < 0) return;
    byId("chosen-name").textContent = peculiar.nameOf(objects, i);
    byId("chosen-numbers").textContent = numbers(i);
    byId("sentence").textContent = objects.sentence[i];
    showBars(i);
    showNeighbours(i);
    showLinks(i);
  }
  peculiar.on("selected", show);
});
