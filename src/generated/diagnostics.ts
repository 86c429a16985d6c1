// Generated from schemas/diagnostics.schema.json; do not edit.

/**
 * All that was found in a workspace.
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
 * One problem with its place and a way out.
 */
export interface Diagnostic {
  /**
   * The problem's stable code.
   */
  code: string;
  /**
   * How bad it is.
   */
  severity: "error" | "warning" | "note";
  /**
   * What is wrong, naming the offending value.
   */
  message: string;
  /**
   * What to do about it.
   */
  hint?: string;
  /**
   * The resource concerned.
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
 * Another place that belongs to a problem.
 */
export interface RelatedPlace {
  /**
   * What is there.
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
