import { quoteName } from '@rowhouse/schema-model';

export { quoteName };

/**
 * Returns a text as an SQL string literal. This is only safe without the SQL mode NO_BACKSLASH_ESCAPES, which
 * is off in every session that runs a plan.
 */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

export function quoteNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}

/** Returns `ALTER TABLE t a, b` with the clauses in `specs`. Returns null if `specs` is empty. */
export function alterTable(table: string, specs: readonly string[]): string | null {
  return specs.length === 0 ? null : `ALTER TABLE ${quoteName(table)} ${specs.join(', ')}`;
}

/**
 * Returns the index of the closing quote for the SQL string literal at `start`. Returns the length of the
 * text if it is not closed.
 */
export function skipText(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === "'") {
      if (text[index + 1] !== "'") return index;
      index += 1;
    }
  }
  return text.length;
}

/** Returns the index of `words` outside string literals. Returns -1 if the text does not contain them. */
export function findOutsideTexts(text: string, words: string): number {
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "'") index = skipText(text, index);
    else if (text.startsWith(words, index)) return index;
  }
  return -1;
}
