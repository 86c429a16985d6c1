import { render } from "preact";
import { App } from "./app.js";
import type { PageData } from "../render/html/page-data.js";
import "./page.css";

const root = document.getElementById("page");
const text = document.getElementById("plan")?.textContent;
if (root !== null && typeof text === "string") {
  try {
    render(<App data={JSON.parse(text) as PageData} />, root);
    document.getElementById("plain")?.remove();
    performance.mark("interactive");
  } catch (cause) {
    // What is there for viewers without scripts is better than nothing.
    document.documentElement.classList.remove("scripted");
    throw cause;
  }
}
