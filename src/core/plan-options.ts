/** What shapes a plan beside workspace and lock. */
export interface PlanOptions {
  /** Addresses to replace although an update would do, or although their objects were retired. */
  readonly replace: ReadonlySet<string>;
  /** Addresses to send again, or `all` for every resource with a secret. */
  readonly resend: ReadonlySet<string>;
}

/** The options of a plan that asks for nothing special. */
export const noOptions: PlanOptions = { replace: new Set(), resend: new Set() };
