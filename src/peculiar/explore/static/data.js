// The content of the page: JSON in a script element, with arrays as base64 (peculiar/explore/content.py).
"use strict";
window.peculiar = {panels: []};

peculiar.unpack = function (packed) {
  const kinds = {f8: Float64Array, f4: Float32Array, i4: Int32Array, u1: Uint8Array};
  const text = atob(packed.base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const array = new kinds[packed.dtype](bytes.buffer);
  array.shape = packed.shape;
  return array;
};

// The same value, with every packed array in it unpacked.
peculiar.unpackAll = function unpackAll(value) {
  if (Array.isArray(value)) return typeof value[0] === "object" ? value.map(unpackAll) : value;
  if (value === null || typeof value !== "object") return value;
  if ("base64" in value) return peculiar.unpack(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, unpackAll(item)]));
};

peculiar.readContent = function () {
  return peculiar.unpackAll(JSON.parse(document.getElementById("content").textContent));
};

// A copy of a row of a matrix.
peculiar.row = (matrix, i) => matrix.subarray(i * matrix.shape[1], (i + 1) * matrix.shape[1]);
