import { render } from "preact";
import { App } from "./app.js";
import type { PagePlan } from "../render/html/page-plan.js";
import { PlanIndex } from "./plan-index.js";
import "./page.css";

const root = document.getElementById("page");
const text = document.getElementById("plan")?.textContent;
if (root !== null && typeof text === "string") {
  try {
    render(<App plan={new PlanIndex(JSON.parse(text) as PagePlan)} />, root);
    document.getElementById("plain")?.remove();
    performance.mark("interactive");
  } catch (cause) {
    // The content for viewers without scripts stays.
    document.documentElement.classList.remove("scripted");
    throw cause;
  }
}
