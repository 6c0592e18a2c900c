import { splitSegments, type PathSegment } from './split-segments.js';

/** A path into a JSON column, as written after the arrow of `data->a.0`. */
export interface JsonPath {
  /** The path in the syntax of MySQL and MariaDB: `$."a"[0]`. */
  readonly path: string;
  /** The names of the steps. */
  readonly names: readonly string[];
  readonly end: number;
}

/** Parses the path that begins at `start`. Returns null for invalid text. */
export function readJsonPath(text: string, start: number): JsonPath | null {
  const read = splitSegments(text, start);
  return read === null
    ? null
    : { path: toJsonPath(read.segments), names: read.segments.map(({ name }) => name), end: read.end };
}

/**
 * Writes the path of the segments. Unquoted digits are array indexes, and all other segments are member
 * names.
 */
export function toJsonPath(segments: readonly PathSegment[]): string {
  const steps = segments.map(({ name, isQuoted }) =>
    !isQuoted && /^\d{1,9}$/.test(name) ? `[${Number(name)}]` : `.${JSON.stringify(name)}`,
  );
  return `$${steps.join('')}`;
}
