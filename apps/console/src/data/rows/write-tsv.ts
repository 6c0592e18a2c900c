/** Returns cells in the format of the clipboard. Tabs and line breaks in a cell become blanks. */
export function writeTsv(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => cells.map((text) => text.replaceAll(/[\t\n\r]+/g, ' ')).join('\t')).join('\n');
}
