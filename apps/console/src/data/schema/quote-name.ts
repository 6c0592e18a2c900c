/** An identifier in backquotes, for SQL. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
