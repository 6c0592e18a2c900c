/** Quotes an identifier with backquotes for SQL. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
