// Before the first paint: the theme that was chosen, or that of the system.
(() => {
  let chosen = null;
  try { chosen = localStorage.getItem("lab.theme"); } catch { /* storage may be switched off */ }
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
})();
