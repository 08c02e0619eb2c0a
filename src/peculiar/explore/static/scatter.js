// The scatter: what is on its axes, the selected object with its errors, the outlines of components.
"use strict";
peculiar.panels.push(function (content, model) {
  const {axes, objects, components, colours} = content, d = axes.labels.length;
  const plot = model("scatter"), source = model("objects");

  function place(matrix, at, axis) { return matrix[at * d + axis]; }

  function column(axis) {
    return Float64Array.from({length: objects.key.length}, (_, i) => place(objects.place, i, axis));
  }

  // Counts of all objects for a pair of axes: kept once for each pair, turned if need be.
  peculiar.imageOf = function (x, y) {
    const [i, j] = x < y ? [x, y] : [y, x], n = axes.images.shape[1];
    const at = axes.pairs.findIndex((pair) => pair[0] === i && pair[1] === j);
    const image = axes.images.slice(at * n * n, (at + 1) * n * n);
    if (x < y) return image;
    const turned = new Uint8Array(n * n);
    for (let row = 0; row < n; row++) for (let col = 0; col < n; col++) turned[col * n + row] = image[row * n + col];
    return turned;
  };

  function showBulk({x, y}) {
    const bulk = model("bulk"), n = axes.images.shape[1], first = bulk.data.image[0];
    const image = new first.constructor(peculiar.imageOf(x, y), [n, n], "uint8", 1);
    bulk.data = {
      image: [image], x: [axes.low[x]], y: [axes.low[y]],
      dw: [axes.high[x] - axes.low[x]], dh: [axes.high[y] - axes.low[y]],
    };
  }

  // As plain text: of a string Bokeh may make a formula.
  function showLabel(axis, text) { axis.axis_label = new axis.axis_label.constructor({text}); }

  function showAxes({x, y}) {
    plot.x_range.setv({start: axes.low[x], end: axes.high[x], reset_start: axes.low[x], reset_end: axes.high[x]});
    plot.y_range.setv({start: axes.low[y], end: axes.high[y], reset_start: axes.low[y], reset_end: axes.high[y]});
    showLabel(plot.below[0], axes.labels[x]);
    showLabel(plot.left[0], axes.labels[y]);
    source.data = {...source.data, x: column(x), y: column(y)};
    document.getElementById("axis-x").value = String(x);
    document.getElementById("axis-y").value = String(y);
  }

  function showComponents({x, y}) {
    const made = {xs: [], ys: [], colour: [], width: []};
    for (let k = 0; components && k < components.group.length; k++) {
      for (const size of [1, 2]) {
        const outline = peculiar.outlineOf(components.location, components.scatter, k, x, y, size);
        if (!outline || peculiar.isFlat(content)) continue;
        made.xs.push(outline.xs);
        made.ys.push(outline.ys);
        made.colour.push(components.colour[k]);
        made.width.push(components.group[k] ? 2.5 : size === 1 ? 1.4 : 0.8);
      }
    }
    model("ellipses").data = made;
  }

  function patchOf(outline) { return outline ? {x: outline.xs, y: outline.ys} : {x: [], y: []}; }

  function showSelected({selected, x, y}) {
    const at = selected, has = at >= 0;
    const error = has && objects.covariance && peculiar.outlineOf(objects.place, objects.covariance, at, x, y, 1);
    const clean = has && objects.clean && objects.clean_covariance
      && peculiar.outlineOf(objects.clean, objects.clean_covariance, at, x, y, 1);
    model("error").data = patchOf(error);
    model("clean").data = patchOf(clean);
    const made = {x: [], y: [], colour: [], size: []}, arrow = {x_start: [], y_start: [], x_end: [], y_end: []};
    if (has) {
      made.x.push(place(objects.place, at, x));
      made.y.push(place(objects.place, at, y));
      made.colour.push(colours.selected);
      made.size.push(18);
      if (objects.clean) {
        made.x.push(place(objects.clean, at, x));
        made.y.push(place(objects.clean, at, y));
        made.colour.push(colours.clean);
        made.size.push(8);
        [[arrow.x_start[0], arrow.x_end[0]], [arrow.y_start[0], arrow.y_end[0]]] = [made.x, made.y];
      }
    }
    sizeHead(arrow);
    model("chosen").data = made;
    model("arrow").data = arrow;
    showUnseen(peculiar.state);
  }

  // The head of the arrow is no longer than half of it: on a short one it would hide what it points at.
  const shaft = plot.center.find((one) => one.type === "Arrow");
  function sizeHead({x_start: [left], x_end: [right], y_start: [below], y_end: [above]}) {
    const pixels = (gap, range, length) => (gap / (range.end - range.start)) * length;
    const length = Math.hypot(pixels(right - left, plot.x_range, plot.inner_width), pixels(above - below, plot.y_range, plot.inner_height));
    shaft.end.size = {value: length < 14 ? length / 2 : 7};  // NaN < 14 is false: nothing is drawn then
  }

  // Why the selected object is not to be seen, if it is not.
  function showUnseen({selected, x, y}) {
    const pair = selected < 0 ? [] : [[x, plot.x_range], [y, plot.y_range]];
    const missing = pair.filter(([axis]) => Number.isNaN(place(objects.place, selected, axis))).map(([axis]) => axes.labels[axis]);
    const isOutside = pair.some(([axis, range]) => {
      const value = place(objects.place, selected, axis);
      return value < Math.min(range.start, range.end) || value > Math.max(range.start, range.end);
    });
    const note = document.getElementById("unseen"), text = missing.length
      ? `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing for this object${objects.clean ? ": the clean position is what the other features say." : "."}`
      : isOutside ? "This object is outside the picture: F zooms to it." : "";
    if (note.textContent !== text) note.textContent = text;
    note.hidden = !text;
  }
  for (const range of [plot.x_range, plot.y_range]) {
    range.change.connect(() => { sizeHead(model("arrow").data); showUnseen(peculiar.state); });
  }

  function fillChoices(id, name) {
    const choice = document.getElementById(id);
    axes.labels.forEach((label, i) => choice.append(peculiar.element("option", {value: i}, label)));
    choice.addEventListener("change", () => {
      const value = Number(choice.value), other = name === "x" ? "y" : "x";
      const swapped = peculiar.state[other] === value ? {[other]: peculiar.state[name]} : {};
      peculiar.set({[name]: value, ...swapped});
    });
  }

  fillChoices("axis-x", "x");
  fillChoices("axis-y", "y");
  function showPair(state) { showAxes(state); showBulk(state); showComponents(state); showSelected(state); }
  peculiar.on("x", showPair);
  peculiar.on("y", showPair);
  peculiar.on("selected", showSelected);
  peculiar.on("selected", ({selected}) => {
    if (source.selected.indices[0] !== selected) source.selected.indices = selected >= 0 ? [selected] : [];
  });
  source.selected.properties.indices.change.connect(() => {
    const [at] = source.selected.indices;
    if (at !== undefined && at !== peculiar.state.selected) peculiar.set({selected: at});
  });
  showComponents(peculiar.state);
  showAxes(peculiar.state);
});

// With a single feature the second axis is no feature: components have no extent along it.
peculiar.isFlat = (content) => content.features.names.length === 1;

// The ranges that show the selected object with its errors, or everything.
peculiar.panels.push(function (content, model) {
  const {axes, objects} = content, d = axes.labels.length, plot = model("scatter");

  function reach(axis, at) {
    const ends = [], add = (centres, triangles) => {
      if (!centres) return;
      const middle = centres[at * d + axis], variance = triangles ? peculiar.covarianceOf(triangles, at, axis, axis) : 0;
      const error = Number.isFinite(variance) ? Math.sqrt(variance) : 0;
      if (Number.isFinite(middle)) ends.push(middle - error, middle + error);
    };
    add(objects.place, objects.covariance);
    add(objects.clean, objects.clean_covariance);
    if (!ends.length) return null;
    const low = Math.min(...ends), high = Math.max(...ends);
    const half = Math.max(0.8 * (high - low), 0.002 * (axes.high[axis] - axes.low[axis]));
    return {start: 0.5 * (low + high) - half, end: 0.5 * (low + high) + half};
  }

  peculiar.zoomIn = function () {
    const {selected, x, y} = peculiar.state, right = selected >= 0 && reach(x, selected), up = selected >= 0 && reach(y, selected);
    if (right && up) { plot.x_range.setv(right); plot.y_range.setv(up); }
  };
  peculiar.zoomOut = function () {
    const {x, y} = peculiar.state;
    plot.x_range.setv({start: axes.low[x], end: axes.high[x]});
    plot.y_range.setv({start: axes.low[y], end: axes.high[y]});
  };
  // One finger scrolls the page, two zoom; the tool bar has the tool to move what is seen.
  const pan = plot.toolbar.tools.find((tool) => tool.type === "PanTool");
  if (matchMedia("(pointer: coarse)").matches) pan.active = false;
  document.getElementById("zoom-in").addEventListener("click", peculiar.zoomIn);
  document.getElementById("zoom-out").addEventListener("click", peculiar.zoomOut);
});
