// What scrolls sideways can be reached by the keyboard.
addEventListener("load", () => {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .statement, .picture, pre, pre > code")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
  }
})

// The button beside a session copies what was typed: no prompts, and not what was printed.
for (const code of document.querySelectorAll("pre > code")) {
  if (!code.querySelector(".gp")) continue
  const typed = code.cloneNode(true)
  for (const part of typed.querySelectorAll(".gp, .go")) part.remove()
  code.dataset.copy = typed.textContent.split("\n").filter(line => line.trim()).join("\n")
}
