/** An identifier in backquotes, as both engines read it whatever their sql_mode is. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
