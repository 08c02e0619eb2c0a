// A small picture of every pair of features, to choose from.
"use strict";
peculiar.panels.push(function (content) {
  const {axes} = content, d = axes.labels.length, holder = document.getElementById("pairs");
  if (d < 3 || d > 16) { holder.hidden = true; return; }
  const size = Math.max(26, Math.min(64, Math.floor(420 / d)));
  holder.style.gridTemplateColumns = `repeat(${d - 1}, ${size}px) max-content`;
  holder.style.gridTemplateRows = `repeat(${d - 1}, ${size}px) max-content`;
  holder.classList.toggle("many", d > 6);
  const buttons = [];

  function draw(canvas, x, y) {
    const n = axes.images.shape[1], image = peculiar.imageOf(x, y), pen = canvas.getContext("2d");
    canvas.width = canvas.height = n;
    const pixels = pen.createImageData(n, n);
    for (let row = 0; row < n; row++) {
      for (let col = 0; col < n; col++) {
        const level = image[row * n + col], at = 4 * ((n - 1 - row) * n + col);
        const grey = level ? 215 - Math.round(0.7 * level) : 255;
        pixels.data.set([grey, grey, grey + 5, 255], at);
      }
    }
    pen.putImageData(pixels, 0, 0);
  }

  function label(axis, area, where) {
    holder.append(peculiar.element("span", {title: axes.labels[axis], class: where, style: `grid-area: ${area}`}, axes.labels[axis]));
  }

  // The lower triangle: rows are what is upwards, columns what is to the right.
  for (let y = 1; y < d; y++) {
    for (let x = 0; x < d - 1; x++) {
      if (x >= y) continue;
      const canvas = document.createElement("canvas"), title = `${axes.labels[y]} against ${axes.labels[x]}`;
      const button = peculiar.element("button", {type: "button", title, "aria-label": title,
        style: `grid-area: ${y} / ${x + 1}`, onclick: () => peculiar.set({x, y})}, canvas);
      draw(canvas, x, y);
      buttons.push({button, x, y});
      holder.append(button);
    }
    label(y, `${y} / ${y + 1} / auto / -1`, "beside");
  }
  for (let x = 0; x < d - 1; x++) label(x, `${d} / ${x + 1}`, "under");

  function show({x, y}) {
    for (const one of buttons) {
      const isShown = (one.x === x && one.y === y) || (one.x === y && one.y === x);
      one.button.setAttribute("aria-pressed", String(isShown));
    }
  }
  peculiar.on("x", show);
  peculiar.on("y", show);
  show(peculiar.state);
});
