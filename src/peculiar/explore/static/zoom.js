// Zoom: the objects in sight are binned again by the server.
"use strict";
peculiar.panels.push(function (content, model) {
  if (peculiar.isFlat(content)) return;  // with a single feature there is no plane of two
  const plot = model("scatter"), ranges = [plot.x_range, plot.y_range];
  let timer = 0, asked = 0;

  async function bin() {
    const number = ++asked, {x, y} = peculiar.state;
    const low = ranges.map((range) => Math.min(range.start, range.end)), high = ranges.map((range) => Math.max(range.start, range.end));
    const began = performance.now(), found = await peculiar.ask("image", {x, y, low, high}).catch(() => null);
    if (!found || number !== asked) return;  // no server, or somebody has zoomed on
    const bulk = model("bulk"), n = found.image.shape[0], first = bulk.data.image[0];
    bulk.data = {
      image: [new first.constructor(found.image, [n, n], "uint8", 1)],
      x: [low[0]], y: [low[1]], dw: [high[0] - low[0]], dh: [high[1] - low[1]],
    };
    document.documentElement.dataset.binned = `${found.n} in ${Math.round(performance.now() - began)} ms`;
  }

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(bin, 80);
  }
  // An answer about other features is of no use any more.
  for (const name of ["x", "y"]) peculiar.on(name, () => { asked++; });
  for (const range of ranges) range.change.connect(soon);
});
