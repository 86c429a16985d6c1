import type { KindName } from "../generated/kinds.js";
import type { EmulatedKind } from "./kind.js";
import { agent } from "./kinds/agent.js";
import { credential } from "./kinds/credential.js";
import { policy } from "./kinds/policy.js";
import { toolset } from "./kinds/toolset.js";

/** The kinds of the service. */
export const kinds: Readonly<Record<KindName, EmulatedKind>> = { policy, toolset, credential, agent };
