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
