// Generated from schemas/diagnostics.schema.json; do not edit.

/**
 * The diagnostics of a workspace.
 */
export interface Diagnostics {
  /**
   * The format and its version.
   */
  format: "agentform/diagnostics/v1";
  /**
   * Every problem, sorted by file and place.
   */
  diagnostics: Diagnostic[];
}
/**
 * One problem, with its place and a hint.
 */
export interface Diagnostic {
  /**
   * The code of the problem, which stays the same between versions.
   */
  code: string;
  /**
   * The severity of the problem.
   */
  severity: "error" | "warning" | "note";
  /**
   * What is wrong, with the wrong value.
   */
  message: string;
  /**
   * How to correct it.
   */
  hint?: string;
  /**
   * The resource with the problem.
   */
  address?: string;
  /**
   * The file, relative to the workspace, with `/`.
   */
  file?: string;
  /**
   * The line, from 1.
   */
  line?: number;
  /**
   * The column, from 1, in UTF-16 code units.
   */
  column?: number;
  /**
   * The line where the place ends.
   */
  end_line?: number;
  /**
   * The column after the place's last character.
   */
  end_column?: number;
  /**
   * The lines around the place, secrets masked.
   */
  frame?: string;
  /**
   * Other places that belong to the problem.
   */
  related?: RelatedPlace[];
}
/**
 * A further place that belongs to a problem.
 */
export interface RelatedPlace {
  /**
   * What this place is.
   */
  message: string;
  /**
   * The file, relative to the workspace, with `/`.
   */
  file?: string;
  /**
   * The line, from 1.
   */
  line?: number;
  /**
   * The column, from 1.
   */
  column?: number;
}
