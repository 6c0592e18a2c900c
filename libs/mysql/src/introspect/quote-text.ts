/**
 * Quotes a text as an SQL literal. Only safe without NO_BACKSLASH_ESCAPES. Platform sessions pin sql_mode.
 */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\0', '\\0')}'`;
}
