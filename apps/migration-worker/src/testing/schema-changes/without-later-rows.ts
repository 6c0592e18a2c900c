import type { Contents } from './read-contents.js';

/** Matches values that `laterRowSql` inserts between the parts. */
const LATER = /:m\d+$|^5\d{6}$/;
/** Matches values that `baseRowsSql` inserts at the start. */
const FIRST = /\.\w+:[123]$|^[1-9]\d{3,5}$/;
/** Matches a default, which looks like a value of the first rows. */
const DEFAULT = /^900\d{3}$/;

/**
 * Returns the contents that the same statements result in when no rows are inserted between the parts.
 * Returns null when a row has lost all values that show when it was inserted.
 */
export function withoutLaterRows(contents: Contents): Contents | null {
  const found = new Map<string, { definition: string; rows: string }>();
  for (const [name, { definition, rows }] of contents) {
    const retained: string[] = [];
    for (const text of rows === '' ? [] : rows.split('\n')) {
      const values = Object.values(JSON.parse(text) as Record<string, unknown>).map(String);
      const isLater = values.some((value) => LATER.test(value));
      const isFirst = values.some((value) => FIRST.test(value) && !DEFAULT.test(value));
      if (isLater === isFirst) return null;
      if (isFirst) retained.push(text);
    }
    const isWhole = retained.join('\n') === rows;
    found.set(name, {
      definition: isWhole ? definition : withCounterOf(definition, retained),
      rows: retained.join('\n'),
    });
  }
  return found;
}

/** Replaces the table's counter with the one that the remaining rows require. */
function withCounterOf(definition: string, rows: readonly string[]): string {
  const column = /^ +`([^`]+)` .* AUTO_INCREMENT\b/m.exec(definition)?.[1];
  if (column === undefined) return definition;
  const values = rows.map((text) => Number((JSON.parse(text) as Record<string, unknown>)[column]));
  const counter = values.length === 0 ? '' : ` AUTO_INCREMENT=${Math.max(...values) + 1}`;
  return definition.replace(/ AUTO_INCREMENT=\d+/, counter);
}
