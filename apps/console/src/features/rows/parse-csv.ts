/** The text of a field, and whether it was quoted. An empty field without quotes is NULL. */
export interface CsvField {
  readonly text: string;
  readonly isQuoted: boolean;
}

/**
 * Parses text separated by commas, semicolons or tabs, whichever is most frequent in the first line. Each
 * line keeps its fields unchanged.
 */
export function parseCsv(text: string): CsvField[][] {
  const source = text.replace(/^\uFEFF/, '');
  const separator = findSeparator(source);
  const lines: CsvField[][] = [];
  let line: CsvField[] = [];
  let index = 0;
  while (index < source.length) {
    const { field, end } =
      source[index] === '"' ? readQuoted(source, index) : readPlain(source, index, separator);
    line.push(field);
    index = end;
    if (source[index] === separator) {
      index += 1;
      if (index >= source.length) line.push({ text: '', isQuoted: false });
      continue;
    }
    if (source[index] === '\r') index += 1;
    if (source[index] === '\n') index += 1;
    if (line.length > 1 || line[0]?.text !== '' || line[0].isQuoted) lines.push(line);
    line = [];
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

function findSeparator(text: string): string {
  const first = text
    .slice(0, text.search(/[\r\n]/) < 0 ? undefined : text.search(/[\r\n]/))
    .replaceAll(/"[^"]*"/g, '');
  return (
    [',', ';', '\t']
      .map((mark) => [mark, first.split(mark).length] as const)
      .sort((a, b) => b[1] - a[1])[0]?.[0] ?? ','
  );
}

function readQuoted(source: string, from: number): { field: CsvField; end: number } {
  let text = '';
  let index = from + 1;
  for (;;) {
    const close = source.indexOf('"', index);
    if (close < 0) return { field: { text: text + source.slice(index), isQuoted: true }, end: source.length };
    text += source.slice(index, close);
    if (source[close + 1] !== '"')
      return { field: { text, isQuoted: true }, end: skipBlanks(source, close + 1) };
    text += '"';
    index = close + 2;
  }
}

function skipBlanks(source: string, from: number): number {
  let index = from;
  while (source[index] === ' ') index += 1;
  return index;
}

function readPlain(source: string, from: number, separator: string): { field: CsvField; end: number } {
  let end = from;
  while (end < source.length && source[end] !== separator && source[end] !== '\n' && source[end] !== '\r')
    end += 1;
  return { field: { text: source.slice(from, end), isQuoted: false }, end };
}
