/** A name in a path. Quoted names may contain any character. */
export interface PathSegment {
  readonly name: string;
  readonly isQuoted: boolean;
}

const PLAIN =
  /[A-Za-z0-9_$\u0080-\uffff](?:[A-Za-z0-9_$\u0080-\uffff]|-(?!>))*|-(?!>)(?:[A-Za-z0-9_$\u0080-\uffff]|-(?!>))*/y;

/**
 * Reads segments joined by dots from `start`. Plain segments consist of letters, digits, `_`, `$`, `-` and
 * characters from U+0080. Other names are put in backquotes, with a backquote doubled. Returns the segments
 * and the position after them, or null if there is no segment.
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
