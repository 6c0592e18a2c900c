/** Text as a literal. Safe only while NO_BACKSLASH_ESCAPES is off: sessions here pin sql_mode. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\0', '\\0')}'`;
}
