/** A path into a JSON column, as a client writes it after the arrow in `data->a.0`. */
export interface JsonPath {
  /** The path in the syntax of MySQL and MariaDB: `$."a"[0]`. */
  readonly path: string;
  /** The names in the path, in order. */
  readonly names: readonly string[];
  readonly end: number;
}

/** Parses a path into a JSON column that begins at `start`. Returns null for invalid text. */
export function readJsonPath(text: string, start: number): JsonPath | null {
  const read = splitSegments(text, start);
  return read === null
    ? null
    : { path: toJsonPath(read.segments), names: read.segments.map(({ name }) => name), end: read.end };
}

/**
 * Converts segments to a path in SQL. Digits without backquotes are array indexes, and all other segments are
 * member names.
 */
export function toJsonPath(segments: readonly PathSegment[]): string {
  const steps = segments.map(({ name, isQuoted }) =>
    !isQuoted && /^\d{1,9}$/.test(name) ? `[${Number(name)}]` : `.${JSON.stringify(name)}`,
  );
  return `$${steps.join('')}`;
}

/** A name in a path. A name in backquotes may contain any character. */
export interface PathSegment {
  readonly name: string;
  readonly isQuoted: boolean;
}

const PLAIN =
  /[A-Za-z0-9_$\u0080-\uffff](?:[A-Za-z0-9_$\u0080-\uffff]|-(?!>))*|-(?!>)(?:[A-Za-z0-9_$\u0080-\uffff]|-(?!>))*/y;

/**
 * Parses path segments joined by dots, beginning at `start`. A segment without backquotes consists of
 * letters, digits, `_`, `$`, `-` and characters from U+0080. Other names are in backquotes, with each
 * backquote in the name doubled. Returns the segments and the position after them, or null if no segment
 * begins there.
 */
export function splitSegments(text: string, start = 0): { segments: PathSegment[]; end: number } | null {
  const segments: PathSegment[] = [];
  let position = start;
  for (;;) {
    const segment = text[position] === '`' ? readQuoted(text, position) : readPlain(text, position);
    if (segment === null) return null;
    segments.push({ name: segment.name, isQuoted: text[position] === '`' });
    position = segment.end;
    if (text[position] !== '.') return { segments, end: position };
    position += 1;
  }
}

function readPlain(text: string, start: number): { name: string; end: number } | null {
  PLAIN.lastIndex = start;
  const name = PLAIN.exec(text)?.[0];
  return name === undefined ? null : { name, end: start + name.length };
}

function readQuoted(text: string, start: number): { name: string; end: number } | null {
  let name = '';
  let position = start + 1;
  for (;;) {
    const end = text.indexOf('`', position);
    if (end < 0) return null;
    name += text.slice(position, end);
    if (text[end + 1] !== '`') return name === '' ? null : { name, end: end + 1 };
    name += '`';
    position = end + 2;
  }
}
