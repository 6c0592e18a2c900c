import { splitSegments, type PathSegment } from './split-segments.js';

/** A path into a JSON column, as `data->a.0` has it behind the arrow. */
export interface JsonPath {
  /** In the path language of the engines: `$."a"[0]`. */
  readonly path: string;
  /** The steps by their names. */
  readonly names: readonly string[];
  readonly end: number;
}

/** Reads the path that begins at `start`; null where there is none. */
export function readJsonPath(text: string, start: number): JsonPath | null {
  const read = splitSegments(text, start);
  return read === null ? null : { path: toJsonPath(read.segments), names: read.segments.map(({ name }) => name), end: read.end };
}

/** Members by their names; plain digits are places in arrays. */
export function toJsonPath(segments: readonly PathSegment[]): string {
  const steps = segments.map(({ name, isQuoted }) => (!isQuoted && /^\d{1,9}$/.test(name) ? `[${Number(name)}]` : `.${JSON.stringify(name)}`));
  return `$${steps.join('')}`;
}
