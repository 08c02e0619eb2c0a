// The ranked table: only the rows in view are in the page, so that thousands of them scroll freely.
"use strict";
peculiar.panels.push(function (content) {
  const {objects, features, axes} = content, n = objects.key.length, HEIGHT = 28;
  const holder = document.getElementById("rows"), body = holder.querySelector("tbody");
  const SIGNS = {interesting: "★", artefact: "✕", unsure: "?"};
  const e = peculiar.element;
  let order = Array.from({length: n}, (_, i) => i), sortedBy = "rank", isRising = true;
  let given = null;  // another order than by a column, such as by likeness; objects that are not in it stay hidden

  const mainOf = (i) => objects.main[i] < 0 ? "–"
    : `${features.names[objects.main[i]]} ${objects.side[i] > 0 ? "high" : objects.side[i] < 0 ? "low" : ""}`;
  const markOf = (i) => (peculiar.state.marks.get(objects.key[i]) || {}).mark || "none";

  // So wide that most cells can be read; what is longer than WIDEST is in the tooltip.
  const PADDING = 11, WIDEST = 200, pen = document.createElement("canvas").getContext("2d"), look = getComputedStyle(holder.querySelector("table"));
  function widthOf(texts, weight = 400) {
    pen.font = `${weight} ${look.fontSize} ${look.fontFamily}`;
    return Math.ceil(Math.min(WIDEST, PADDING + Math.max(0, ...texts.map((text) => pen.measureText(text).width))));
  }
  const widthOfCells = ({of, as}) => widthOf(Array.from({length: Math.min(n, 500)}, (_, i) => as ? as(of(i)) : String(of(i))));

  const COLUMNS = [
    {id: "mark", head: "✓", title: "your mark", width: 26, isWord: true, of: (i) => SIGNS[markOf(i)] || (peculiar.state.marks.has(objects.key[i]) ? "✎" : "")},
    {id: "rank", head: "rank", of: (i) => objects.rank[i]},
    {id: "name", head: "name", isWord: true, of: (i) => peculiar.nameOf(objects, i)},
    {id: "group", head: "group", isWord: true, of: (i) => objects.group[i]},
    {id: "p", head: "p", title: "p-value: how often an ordinary object with the same errors looks as strange", of: (i) => objects.p[i], as: peculiar.probability},
    {id: "q", head: "q", title: "q-value: the smallest false-discovery rate at which it is a discovery", of: (i) => objects.q[i], as: peculiar.probability},
    {id: "tolerance", head: "tolerance", title: "the factor by which its errors would have to be larger for it to be no discovery at the rate of the list", of: (i) => objects.tolerance[i], as: peculiar.factor},
    {id: "main", head: "betrayed by", isWord: true, of: mainOf},
  ].filter((column) => column.id !== "group" || objects.group.some((letter) => letter));
  if (!objects.name.some((name) => name)) COLUMNS.find((column) => column.id === "name").head = "row";
  for (const column of COLUMNS) column.width ||= widthOfCells(column);
  let shown = [...COLUMNS];

  function extra(name) {
    const cells = objects.shown[name], isWord = Array.isArray(cells);
    const column = {id: `shown ${name}`, head: name, title: name, isWord, of: (i) => cells[i], as: isWord ? undefined : peculiar.number};
    return {...column, width: widthOfCells(column)};
  }

  function offerColumns() {
    const names = Object.keys(objects.shown), more = document.getElementById("more-columns");
    more.hidden = names.length === 0;
    for (const name of names) {
      const box = e("input", {type: "checkbox", onchange: () => {
        shown = shown.filter((column) => column.id !== `shown ${name}`);
        if (box.checked) shown.push(extra(name));
        arrange();
      }});
      more.querySelector("div").append(e("label", {}, box, " ", name, " "));
    }
  }

  function showHead() {
    const arrowOf = (column) => column.id === sortedBy ? (isRising ? " ↑" : " ↓") : "";
    const widths = shown.map((column) => Math.max(column.width, widthOf([column.head + arrowOf(column)], 600)));
    holder.querySelector("colgroup").replaceChildren(...widths.map((width) => e("col", {style: `width: ${width}px`})));
    const heads = shown.map((column) => {
      const sorting = column.id === sortedBy ? (isRising ? "ascending" : "descending") : "none";
      return e("th", {class: column.isWord ? "word" : null, scope: "col", "aria-sort": sorting},
        e("button", {type: "button", title: column.title || `sort by ${column.head}`, onclick: () => sortBy(column)}, column.head + arrowOf(column)));
    });
    const head = holder.querySelector("thead"), focused = Array.from(head.querySelectorAll("button")).indexOf(document.activeElement);
    head.replaceChildren(e("tr", {}, ...heads));
    if (focused >= 0 && focused < heads.length) head.querySelectorAll("button")[focused].focus();  // who sorts by keys stays there
    holder.querySelector("table").style.minWidth = `${widths.reduce((sum, width) => sum + width, 0)}px`;
  }

  function compare(column, a, b) {
    const u = column.of(a), v = column.of(b);
    if (typeof u === "string") return u.localeCompare(v, undefined, {numeric: true});
    if (Number.isNaN(u) || Number.isNaN(v)) return Number(Number.isNaN(u)) - Number(Number.isNaN(v));
    return u < v ? -1 : u > v ? 1 : 0;
  }

  function sortBy(column) {
    isRising = column.id === sortedBy ? !isRising : true;
    sortedBy = column.id;
    arrange();
    peculiar.set({sorted: sortedBy});
  }

  function words(i) {
    const note = (peculiar.state.marks.get(objects.key[i]) || {}).note || "";
    const more = shown.slice(COLUMNS.length).map((column) => column.as ? column.as(column.of(i)) : column.of(i)).join(" ");
    return `${peculiar.nameOf(objects, i)} ${objects.group[i] ? "group " + objects.group[i] : ""} ${mainOf(i)} ${markOf(i)} ${note} ${more}`.toLowerCase();
  }

  function arrange() {
    const wanted = document.getElementById("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const column = shown.find((one) => one.id === sortedBy) || COLUMNS[1];
    order = (given || Array.from({length: n}, (_, i) => i)).filter((i) => {
      const text = words(i);
      return wanted.every((word) => text.includes(word));
    });
    if (sortedBy) order.sort((a, b) => (isRising ? 1 : -1) * compare(column, a, b) || a - b);
    const isWhole = !wanted.length && order.length === n;
    document.getElementById("matches").textContent = isWhole ? `${n.toLocaleString("en")} listed` : `${order.length.toLocaleString("en")} of ${n.toLocaleString("en")}`;
    showHead();
    showRows();
  }

  function rowOf(i) {
    const at = order[i], isSelected = at === peculiar.state.selected;
    const isBeyond = !peculiar.isDiscovery(at);
    const isLast = sortedBy === "rank" && isRising && !isBeyond && i + 1 < order.length && !peculiar.isDiscovery(order[i + 1]);
    const cells = shown.map((column) => {
      const value = column.of(at), text = column.as ? column.as(value) : String(value);
      return e("td", {class: column.isWord ? "word" : null, role: "gridcell", title: column.isWord && text.length > 12 ? text : null}, text);
    });
    return e("tr", {"data-at": at, role: "row", "aria-rowindex": i + 1, "aria-selected": String(isSelected),
      class: [isBeyond ? "beyond" : "", isLast ? "last" : ""].join(" ").trim() || null}, ...cells);
  }

  function spacer(rows) { return e("tr", {"aria-hidden": "true", style: `height: ${rows * HEIGHT}px`}); }

  function showRows() {
    if (!order.length) {
      body.replaceChildren(e("tr", {}, e("td", {class: "nothing", colspan: shown.length}, "No object matches the search.")));
      return;
    }
    const first = Math.max(0, Math.floor(holder.scrollTop / HEIGHT) - 8);
    const last = Math.min(order.length, first + Math.ceil(holder.clientHeight / HEIGHT) + 16);
    const rows = [];
    for (let i = first; i < last; i++) rows.push(rowOf(i));
    body.replaceChildren(spacer(first), ...rows, spacer(order.length - last));
  }

  function bringIntoView(at) {
    const place = order.indexOf(at);
    if (place < 0) return;
    const head = holder.querySelector("thead").offsetHeight, top = place * HEIGHT;
    if (top < holder.scrollTop) holder.scrollTop = top;
    else if (top + HEIGHT + head > holder.scrollTop + holder.clientHeight) holder.scrollTop = top + HEIGHT + head - holder.clientHeight;
  }

  // The next or previous object in the order of the table.
  peculiar.step = function (by) {
    if (!order.length) return;
    const place = order.indexOf(peculiar.state.selected);
    const next = place < 0 ? 0 : Math.min(Math.max(place + by, 0), order.length - 1);
    peculiar.set({selected: order[next]});
  };
  // Another order, such as by likeness; null for that of the columns. Objects that are left out are not shown.
  peculiar.setOrder = function (another) {
    [given, sortedBy, isRising] = [another && [...another], another ? "" : "rank", true];
    arrange();
    peculiar.set({sorted: sortedBy});
  };

  holder.addEventListener("scroll", showRows, {passive: true});
  new ResizeObserver(showRows).observe(holder);
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-at]");
    if (row) peculiar.set({selected: Number(row.dataset.at)});
  });
  document.getElementById("search").addEventListener("input", arrange);
  peculiar.on("selected", ({selected}) => { bringIntoView(selected); showRows(); });
  peculiar.on("line", showRows);
  peculiar.on("marks", showRows);
  offerColumns();
  arrange();
});
