import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Dispatch } from "./page-state.js";
import type { PlanIndex } from "./plan-index.js";

/** What every part of the page may use, and stays the same for as long as the page is open. */
export interface PageTools {
  readonly plan: PlanIndex;
  readonly dispatch: Dispatch;
}

/** Hands the tools to all parts below. */
export const PageContext = createContext<PageTools | undefined>(undefined);

/** Gives the tools of the page that a part is in. */
export function usePage(): PageTools {
  const tools = useContext(PageContext);
  if (!tools) throw new Error("a part of the page is outside of the page");
  return tools;
}
