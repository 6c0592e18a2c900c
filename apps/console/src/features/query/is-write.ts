/** Whether text reads as a statement that changes rows: such a one is asked about before it runs. The server decides anyway. */
export function isWrite(text: string): boolean {
  const bare = text.replace(/^(\s+|--[^\n]*\n|#[^\n]*\n|\/\*[^]*?\*\/)+/, '');
  if (!/^(insert|update|delete|replace)\b/i.test(bare)) return false;
  // "delete all posts" is a sentence; a statement names its table by INTO, SET or FROM.
  return /\b(into|set|from)\b/i.test(bare);
}
