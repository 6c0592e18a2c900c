/** What `styleText` writes for the styles of this program. */
const STYLE = String.raw`\u001b\[(?:1|2|22|3[1236]|39)m`;
/** Marks that change the direction of what follows: a reader would see other words than a program does. */
const DIRECTION = String.raw`[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`;
const PARTS = new RegExp(`${STYLE}|[^\\P{Cc}\\n\\t]|${DIRECTION}`, 'gu');

/**
 * Text that only shows: names, comments and SQL come from others, and a terminal does what it is told by an escape. Whatever
 * it would obey is written as JSON writes it; styles of this program and line ends stay.
 */
export function toPrintable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(PARTS, (part) => (part.length > 1 ? part : `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`));
}
