/**
 * MySQL writes a negative number of an expression as `-5` and, read back from that, as `-(5)`, in turns. One spelling is
 * kept, so that a schema that was loaded from its own text is equal to itself. Quoted text and names are left alone.
 */
export function settleExpression(text: string): string {
  if (!text.includes('-(')) return text;
  return text.replace(/'(?:[^'\\]|''|\\[\s\S])*'|`(?:[^`]|``)*`|-\((\d+(?:\.\d+)?)\)/g, (whole, digits: string | undefined) => (digits === undefined ? whole : `-${digits}`));
}
