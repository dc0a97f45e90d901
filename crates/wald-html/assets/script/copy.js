
  // Copying -----------------------------------------------------------------------------------

  for (const button of document.querySelectorAll("[data-copy]")) {
    const source = document.getElementById(button.dataset.copy);
    const words = button.textContent;
    button.addEventListener("click", async () => {
      let done = true;
      try {
        await navigator.clipboard.writeText(source.innerText);
      } catch {
        // Without permission the text is at least selected.
        getSelection().selectAllChildren(source);
        done = document.execCommand("copy");
      }
      button.textContent = done ? "Copied" : "Selected";
      setTimeout(() => {
        button.textContent = words;
      }, 1500);
    });
  }
