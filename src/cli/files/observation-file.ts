import {
  observationFormat,
  renderObservation,
  type Observation,
} from "../../core/observation/observation.js";
import { writeWritten } from "./written-file.js";

/** Writes an observation to a file, whole or not at all; gives the reason if it fails. */
export function writeObservationFile(
  observation: Observation,
  file: string,
  cwd: string,
  workspace: string,
): string | undefined {
  return writeWritten(renderObservation(observation), { file, cwd, workspace, mark: observationFormat });
}
