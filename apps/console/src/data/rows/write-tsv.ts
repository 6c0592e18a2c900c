/** Cells as the clipboard takes them. Each stays in its place: tabs and ends of lines within one become blanks. */
export function writeTsv(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => cells.map((text) => text.replaceAll(/[\t\n\r]+/g, ' ')).join('\t')).join('\n');
}
