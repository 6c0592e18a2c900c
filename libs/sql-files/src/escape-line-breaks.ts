/**
 * Escapes carriage returns, line feeds, NUL and Ctrl-Z in the values of a row. Clients turn CR LF into LF and
 * stop at NUL unless they run with `--binary-mode`.
 *
 * @param values literals separated by commas, read by a session without NO_BACKSLASH_ESCAPES
 */
export function escapeLineBreaks(values: string): string {
  if (!/[\r\n\0\x1a]/.test(values)) return values;
  return values.replaceAll(/\\[\s\S]|[\r\n\0\x1a]/g, (found) => ESCAPES[found.at(-1) ?? ''] ?? found);
}

const ESCAPES: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\0': '\\0', '\x1a': '\\Z' };
