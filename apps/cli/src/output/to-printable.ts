/** The sequences that `styleText` writes for the styles of this program. */
const STYLE = String.raw`\u001b\[(?:1|2|22|3[1236]|39)m`;
/** Characters that change the text direction, which could disguise the text. */
const DIRECTION = String.raw`[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`;
const PARTS = new RegExp(`${STYLE}|[^\\P{Cc}\\n\\t]|${DIRECTION}`, 'gu');

/**
 * Escapes control characters as in JSON. Names, comments and SQL come from other people, and a terminal
 * executes escape sequences. Styles of this program and line breaks are preserved.
 */
export function toPrintable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(PARTS, (part) =>
      part.length > 1 ? part : `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
