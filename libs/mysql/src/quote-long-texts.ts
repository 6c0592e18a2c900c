import { setImmediate as nextTurn } from 'node:timers/promises';

/** Shorter texts are the driver's to quote. */
const LONG_UNITS_MIN = 16 * 1024;

/** A text as SQL, which the driver takes as it is. */
interface SqlText {
  toSqlString(): string;
}

/**
 * Quotes long texts among the values of a statement: the driver goes through a text character by character, which takes it
 * 100 ms for a schema of some megabytes. For sessions with UTF-8 and backslash escapes alone.
 */
export function quoteLongTexts(values: readonly unknown[]): unknown[] {
  return values.map((value) => (typeof value === 'string' && value.length >= LONG_UNITS_MIN ? toSqlText(value) : value));
}

/** Writing so much text takes about a millisecond. */
const UNITS_PER_TURN = 128 * 1024;

/** Quotes a text of megabytes, some of it in each turn of the event loop, for a value that `quoteLongTexts` then leaves alone. */
export async function quoteInTurns(text: string): Promise<SqlText | string> {
  if (text.length < LONG_UNITS_MIN) return text;
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += UNITS_PER_TURN) {
    if (at > 0) await nextTurn();
    pieces.push(escapeText(text.slice(at, at + UNITS_PER_TURN)));
  }
  const quoted = `'${pieces.join('')}'`;
  return { toSqlString: () => quoted };
}

/** Texts of quotes alone are split and joined in a third of the time that `replaceAll` takes. */
function toSqlText(text: string): SqlText {
  const quoted = `'${escapeText(text)}'`;
  return { toSqlString: () => quoted };
}

function escapeText(text: string): string {
  return text.split('\\').join('\\\\').split("'").join("\\'");
}
