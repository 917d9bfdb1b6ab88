// Trees and Bayes: a tree that you grow, pruning, beliefs, EM.

import { openParts } from "./parts.js";

export const open = (place, settings) => openParts(place, settings, "trees", "Trees and Bayes", {
  grow: ["Grow a tree", () => import("./grow.js"), "Fourteen days: will they play? Choose the test at each node. The bars say how many bits a test is worth; ID3 takes the longest."],
  prune: ["Prune it", () => import("./prune.js"), "Some labels are wrong. A tree that fits every row learns the noise too; pruning takes it out again."],
  believe: ["Beliefs", () => import("./believe.js"), "Evidence comes in; Bayes' theorem turns what you believed into what you should believe now."],
  em: ["EM", () => import("./em.js"), "Which cluster made which point? EM guesses, improves the means, guesses again."],
});
