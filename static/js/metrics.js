// A bar leads to the conversations behind it; the table under the chart has the same links for the keyboard.
/* global Chart */
for (const canvas of document.querySelectorAll("canvas[data-links]")) {
  const links = JSON.parse(canvas.dataset.links);
  canvas.addEventListener("click", (event) => {
    const [bar] = Chart.getChart(canvas).getElementsAtEventForMode(event, "nearest", { intersect: true }, false);
    const address = bar && links[bar.datasetIndex][bar.index];
    if (address) window.location.assign(address);
  });
}
