// Outlines of covariances: points on the ellipse that is `size` standard deviations from the centre.
"use strict";

// The element (i, j) of matrix number `at`, of which the lower triangle is kept.
peculiar.covarianceOf = function (triangles, at, i, j) {
  const [a, b] = i >= j ? [i, j] : [j, i];
  return triangles[at * triangles.shape[1] + (a * (a + 1)) / 2 + b];
};

// By Cholesky's root [[a, 0], [b, c]]: right in any units of the two axes. Null where nothing is known.
peculiar.outline = function (x, y, xx, xy, yy, size, n = 72) {
  if (![x, y, xx, xy, yy].every(Number.isFinite) || xx < 0 || yy < 0) return null;
  const a = Math.sqrt(xx), b = a > 0 ? xy / a : 0, c = Math.sqrt(Math.max(yy - b * b, 0));
  const xs = new Float64Array(n + 1), ys = new Float64Array(n + 1);
  for (let i = 0; i <= n; i++) {
    const angle = (2 * Math.PI * i) / n, cos = size * Math.cos(angle), sin = size * Math.sin(angle);
    xs[i] = x + a * cos;
    ys[i] = y + b * cos + c * sin;
  }
  return {xs, ys};
};

peculiar.outlineOf = function (centres, triangles, at, i, j, size) {
  const d = centres.shape[1], of = (a, b) => peculiar.covarianceOf(triangles, at, a, b);
  return peculiar.outline(centres[at * d + i], centres[at * d + j], of(i, i), of(i, j), of(j, j), size);
};
