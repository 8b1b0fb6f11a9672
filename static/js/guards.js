// Each number's example says what the number typed beside it would do.
for (const example of document.querySelectorAll("[data-example]")) {
  const field = document.getElementById(example.dataset.for);
  field.addEventListener("input", () => {
    example.textContent = example.dataset.example.replace("{n}", field.value || "…");
  });
}
