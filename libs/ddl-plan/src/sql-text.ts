import { quoteName } from '@rowhouse/schema-model';

export { quoteName };

/**
 * Quotes text as an SQL literal.
 * Safe only while NO_BACKSLASH_ESCAPES is off, which holds for every session that runs a plan.
 */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

export function quoteNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}

/** Returns `ALTER TABLE t a, b`, or null when `specs` is empty. */
export function alterTable(table: string, specs: readonly string[]): string | null {
  return specs.length === 0 ? null : `ALTER TABLE ${quoteName(table)} ${specs.join(', ')}`;
}

/**
 * Returns the index of the closing quote of the SQL text at `start`, or the length of
 * the input when it does not end.
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

/** Returns the index of `words` outside quoted texts, or -1. */
export function findOutsideTexts(text: string, words: string): number {
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "'") index = skipText(text, index);
    else if (text.startsWith(words, index)) return index;
  }
  return -1;
}
