/**
 * Normalizes negative numbers in an expression. MySQL prints `-5`, and `-(5)` after reading that back,
 * alternately. With one spelling, a schema loaded from its own text equals itself. Quoted texts and names are
 * unchanged.
 */
export function settleExpression(text: string): string {
  if (!text.includes('-(')) return text;
  return text.replace(
    /'(?:[^'\\]|''|\\[\s\S])*'|`(?:[^`]|``)*`|-\((\d+(?:\.\d+)?)\)/g,
    (whole, digits: string | undefined) => (digits === undefined ? whole : `-${digits}`),
  );
}
