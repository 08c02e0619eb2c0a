// What is drawn in the scatter.
"use strict";
peculiar.panels.push(function (content) {
  const {objects, components, groups, colours} = content, e = peculiar.element, legend = document.getElementById("legend");
  const add = (sign, text) => legend.append(e("li", {}, sign, text));
  const ring = (colour) => e("i", {style: `border-color: ${colour}`});

  add(e("i", {class: "image"}), "all objects, darker where there are more");
  add(e("i", {class: "ramp", style: `background: linear-gradient(90deg, ${colours.strangeness.join(", ")})`}),
    "p-value, from 0.1 to 1e−11 and less");
  add(ring(colours.selected), objects.covariance ? "the object as measured, with its 1σ errors" : "the object as measured");
  if (objects.clean) add(ring(colours.clean), objects.clean_covariance ? "its clean position, with 1σ" : "its clean position");
  if (components && !peculiar.isFlat(content)) add(ring(colours.ordinary), "ordinary components, 1σ and 2σ");
  for (const group of groups.slice(0, 7)) {
    const shape = peculiar.shapeOf(group.shape);
    shape.setAttribute("fill", group.colour);
    add(shape, `strange group ${group.letter}: ${group.shape.replace("_", " ")}s, outline in this colour`);
  }
});

// The shape of a mark, as Bokeh draws it.
peculiar.shapeOf = function (name) {
  const points = {
    triangle: "8,1 15,14 1,14", inverted_triangle: "8,15 15,2 1,2", square: "2,2 14,2 14,14 2,14", diamond: "8,0 14,8 8,16 2,8",
    star: "8,0 10,6 16,6 11,10 13,16 8,12 3,16 5,10 0,6 6,6", hex: "4,1 12,1 16,8 12,15 4,15 0,8",
    plus: "6,0 10,0 10,6 16,6 16,10 10,10 10,16 6,16 6,10 0,10 0,6 6,6",
  }[name];
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("aria-hidden", "true");
  shape.setAttribute("points", points);
  picture.append(shape);
  return picture;
};
