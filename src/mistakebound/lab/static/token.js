// A service that has tokens wants one with every message: it is asked for once, and kept for this tab only.

import { h } from "./ui.js";

const KEY = "lab.token";
let asked = null;

export function token() {
  try { return sessionStorage.getItem(KEY); } catch { return null; }
}

/** Asks for a token; an Error where somebody has none. */
export function askForToken() {
  asked ??= new Promise((done, fail) => {
    const field = h("input", { type: "password", id: "token", autocomplete: "off", required: true, maxlength: 200 });
    const dialog = h("dialog", { class: "card", "aria-labelledby": "token-title" },
      h("form", { method: "dialog", onsubmit: () => { try { sessionStorage.setItem(KEY, field.value.trim()); } catch { /* storage may be switched off */ } done(); } },
        h("h2", { id: "token-title" }, "This service needs a token"), h("p", {}, "One with the scope “read”; whoever runs the service can make it."),
        h("label", { for: "token" }, "Token "), field, h("button", { class: "primary" }, "Open the lab")));
    dialog.addEventListener("cancel", () => fail(new Error("this service needs a token: reload the page to give one")));
    dialog.addEventListener("close", () => { dialog.remove(); asked = null; });
    document.body.append(dialog);
    dialog.showModal();
  });
  return asked;
}
