/** Quotes an identifier with backquotes, which both engines accept under any sql_mode. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
