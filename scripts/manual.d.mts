/** Renders every page of the manual, by its name. */
export function renderManual(): Promise<ReadonlyMap<string, string>>;
