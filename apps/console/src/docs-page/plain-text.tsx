/**
 * Shows a description of the OpenAPI document. Text in backquotes becomes code. The document escapes `<` and
 * `]` with a backslash, because descriptions are Markdown. React escapes them itself.
 */
export function PlainText({ text }: { text: string }) {
  const parts = text.replaceAll(/\\([<\]])/g, '$1').split('`');
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
