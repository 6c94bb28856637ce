// Adds a copy button below each text that is there to be copied. Browsers offer the clipboard on secure addresses only; elsewhere
// the text is selected by touching it.
if (navigator.clipboard) {
  for (const text of document.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not allowed to copy; select the text instead";
      }
    });
    text.after(button);
  }
}
