/** An identifier in backquotes. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** Text as a literal, safe whatever NO_BACKSLASH_ESCAPES says only while that mode is off: sessions here pin sql_mode. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\0', '\\0')}'`;
}
