export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

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
