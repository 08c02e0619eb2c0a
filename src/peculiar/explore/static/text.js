// Numbers as text, and elements with text in them: names of objects are never read as markup.
"use strict";
peculiar.probability = function (p) {
  if (Number.isNaN(p)) return "–";
  if (p === 0) return "<1e-300";
  return p >= 0.001 ? p.toFixed(3) : peculiar.signed(p.toExponential(1));
};

peculiar.factor = function (factor) {
  if (Number.isNaN(factor)) return "–";
  return factor === Infinity ? "none" : factor.toFixed(1);
};

peculiar.number = function (value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  return peculiar.signed(size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(2) : String(Number(value.toPrecision(4))));
};

// A value with so many digits that its error has two of them.
peculiar.measured = function (value, error) {
  const two = Number(error.toPrecision(2)), digits = Math.min(Math.max(1 - Math.floor(Math.log10(two)), 0), 6);
  return peculiar.signed(`${value.toFixed(digits)} ± ${error.toFixed(digits)}`);
};

// With a minus sign as wide as a plus, as the axes have it.
peculiar.signed = (text) => text.replaceAll("-", "−");

// An element with attributes and children: text, or other elements.
peculiar.element = function (tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
};

peculiar.nameOf = (objects, i) => objects.name[i] || `row ${objects.row[i]}`;
