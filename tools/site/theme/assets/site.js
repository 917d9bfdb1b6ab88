// What scrolls sideways can be reached by the keyboard.
addEventListener("load", () => {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .statement, .picture, pre, pre > code")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
  }
})
