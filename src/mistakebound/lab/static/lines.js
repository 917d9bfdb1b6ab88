// Lines and networks: the perceptron's line, a network where no line will do, and shattering.

import { openParts } from "./parts.js";

export const open = (place, settings) => openParts(place, settings, "lines", "Lines and networks", {
  line: ["A line", () => import("./line.js"), "The perceptron turns and shifts its line at every mistake. Drag the points, click to add one, click a point to change its label."],
  network: ["A network", () => import("./network.js"), "No line solves XOR. A hidden layer bends the boundary: watch it learn."],
  shatter: ["Shattering", () => import("./shatter.js"), "Place points. A class shatters them if it can label them in every way."],
});
