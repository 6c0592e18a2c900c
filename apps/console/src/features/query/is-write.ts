/**
 * Returns whether a text looks like a statement that changes rows, which needs confirmation. The server makes
 * the actual decision.
 */
export function isWrite(text: string): boolean {
  const unqualified = text.replace(/^(\s+|--[^\n]*\n|#[^\n]*\n|\/\*[^]*?\*\/)+/, '');
  if (!/^(insert|update|delete|replace)\b/i.test(unqualified)) return false;
  // "delete all posts" is a question. A statement names its table after INTO, SET or FROM.
  return /\b(into|set|from)\b/i.test(unqualified);
}
