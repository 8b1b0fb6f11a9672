// "Verify the chain": asks the server, and says which event is the first broken one.

const button = document.querySelector("[data-verify]");

button?.addEventListener("click", async () => {
  const verdict = document.querySelector("[data-verdict]");
  verdict.textContent = "…";
  const answer = await fetch(button.dataset.verify, { headers: { Accept: "application/json" } });
  const told = await answer.json();
  const where = told.first_bad_seq === null ? told.reason : `#${told.first_bad_seq}`;
  verdict.className = told.ok ? "lw-good" : "lw-bad";
  verdict.title = told.reason ?? "";
  verdict.textContent = told.ok ? `✓ ${button.dataset.good}` : `✕ ${button.dataset.bad} ${where}`;
});
