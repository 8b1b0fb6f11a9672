// What every screen has.
import { alertWhenSomebodyWaits } from "./alerts.js";
import "./times.js";
import "./shortcuts.js";

if (document.querySelector("[data-alerts]")) {
  alertWhenSomebodyWaits();
}
