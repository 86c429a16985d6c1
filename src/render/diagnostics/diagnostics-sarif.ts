import type { Location, Log, PhysicalLocation, Region, ReportingDescriptor, Result } from "sarif";
import type { Diagnostic, RelatedPlace } from "../../generated/diagnostics.js";
import { explainedDiagnostics } from "../../generated/explanations.js";
import { version } from "../../version.js";
import { type DiagnosticsPlace, fileInRepository, fingerprintsOf } from "./diagnostics-place.js";
import { jsonText } from "../words/json-text.js";
import { safeLine } from "../words/terminal-text.js";

const root = "%SRCROOT%";

/** Renders diagnostics as SARIF 2.1.0: indented JSON, a line end at the end. */
export function renderDiagnosticsSarif(diagnostics: readonly Diagnostic[], place: DiagnosticsPlace): string {
  const names = [...new Set(diagnostics.map(({ code }) => code))].toSorted();
  const fingerprints = fingerprintsOf(diagnostics, place);
  const results = diagnostics.map((diagnostic, index) =>
    resultOf(diagnostic, names.indexOf(diagnostic.code), fingerprints[index] ?? "", place),
  );
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "agentform", version, rules: names.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  };
  return jsonText(log);
}

function ruleOf(code: string): ReportingDescriptor {
  const meaning = explainedDiagnostics.find((each) => each.code === code)?.meaning;
  return { id: code, ...(meaning !== undefined && { shortDescription: { text: meaning } }) };
}

function resultOf(
  diagnostic: Diagnostic,
  ruleIndex: number,
  fingerprint: string,
  place: DiagnosticsPlace,
): Result {
  const { code, severity, message, hint, address, related = [] } = diagnostic;
  const others = relatedLocations(related, place);
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: {
      text: hint === undefined ? plain(message) : `${plain(message)}\nHint: ${plain(hint)}`,
    },
    locations: [
      {
        physicalLocation: physicalLocation(diagnostic, place),
        ...(address !== undefined && {
          logicalLocations: [{ fullyQualifiedName: address, kind: "resource" }],
        }),
      },
    ],
    ...(others.length > 0 && { relatedLocations: others }),
    partialFingerprints: { "agentform/v1": fingerprint },
  };
}

// `[words](address)` is a link in messages of the format, and viewers differ in how one is escaped.
function plain(text: string): string {
  return safeLine(text).replaceAll("](", "]\\x28");
}

// A place that belongs to the problem; the format allows each but once.
function relatedLocations(related: readonly RelatedPlace[], place: DiagnosticsPlace): Location[] {
  const locations = new Map<string, Location>();
  for (const other of related.filter(({ file }) => file !== undefined)) {
    const location = {
      message: { text: plain(other.message) },
      physicalLocation: physicalLocation(other, place),
    };
    locations.set(JSON.stringify(location), location);
  }
  return [...locations.values()];
}

type Placed = Pick<Diagnostic, "file" | "line" | "column" | "end_line" | "end_column">;

function physicalLocation(placed: Placed, place: DiagnosticsPlace): PhysicalLocation {
  const region = placed.file === undefined ? undefined : regionOf(placed);
  return {
    artifactLocation: { uri: uriOf(fileInRepository(placed.file, place)), uriBaseId: root },
    ...(region && { region }),
  };
}

function regionOf({ line, column, end_line: endLine, end_column: endColumn }: Placed): Region | undefined {
  if (line === undefined) return undefined;
  return {
    startLine: line,
    ...(column !== undefined && { startColumn: column }),
    ...(endLine !== undefined && { endLine }),
    ...(endColumn !== undefined && { endColumn }),
  };
}

// Half a character, which no URI can hold, becomes a replacement character.
function uriOf(path: string): string {
  const text = Buffer.from(path).toString();
  return text.split("/").map(encodeURIComponent).join("/");
}
