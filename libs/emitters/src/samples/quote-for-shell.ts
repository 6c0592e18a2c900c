/**
 * Quotes a text for a shell. Within single quotes, all characters stay unchanged, except a single quote. For
 * that character, the quoted text is closed, the quote is escaped, and the quoted text is opened again.
 */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Quotes a URL for a shell. Double quotes are easier to read. If the URL contains a character that a shell
 * interprets within them, single quotes are used.
 */
export function quoteAddress(address: string): string {
  return /^[^\s"$`\\!]*$/.test(address) ? `"${address}"` : quoteForShell(address);
}
