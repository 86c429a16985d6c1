import { describeApplies } from "./apply-conformance.js";
import { postgresMedium } from "./conformance-media.js";
import { usePostgres } from "./postgres-medium.js";

usePostgres();

describeApplies("the PostgreSQL store", () => postgresMedium());
