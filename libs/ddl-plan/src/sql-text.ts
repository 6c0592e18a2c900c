import { quoteName } from '@rowhouse/schema-model';

export { quoteName };

/** Text as a literal. Safe only while NO_BACKSLASH_ESCAPES is off, as it is wherever a plan runs. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

export function quoteNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}

/** `ALTER TABLE t a, b`, or null when there is nothing to alter. */
export function alterTable(table: string, specs: readonly string[]): string | null {
  return specs.length === 0 ? null : `ALTER TABLE ${quoteName(table)} ${specs.join(', ')}`;
}
