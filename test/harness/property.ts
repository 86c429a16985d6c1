import fc from "fast-check";

// The same examples every time, so that a run tells something about the change and not about luck; a soak sets
// another seed.
fc.configureGlobal({ seed: Number(process.env["AGENTFORM_SEED"] ?? 20_261_120) });

export { fc };
