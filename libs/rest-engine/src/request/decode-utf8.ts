/**
 * Decodes strict UTF-8. Returns null for overlong forms, surrogates, values above U+10FFFF and truncated
 * sequences.
 */
export function decodeUtf8(bytes: readonly number[]): string | null {
  let text = '';
  let position = 0;
  while (position < bytes.length) {
    const lead = bytes[position] ?? 0;
    if (lead < 0x80) {
      text += String.fromCharCode(lead);
      position += 1;
      continue;
    }
    const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    const code = lead < 0xc2 || lead > 0xf4 ? null : readSequence(bytes, position, size);
    if (code === null) return null;
    text += String.fromCodePoint(code);
    position += size;
  }
  return text;
}

/** The lowest value that needs a sequence of each size. Lower values are overlong forms. */
const LOWEST = [0, 0, 0x80, 0x800, 0x10000];

function readSequence(bytes: readonly number[], start: number, size: number): number | null {
  let code = (bytes[start] ?? 0) & (0x7f >> size);
  for (let position = start + 1; position < start + size; position += 1) {
    const next = bytes[position];
    if (next === undefined || (next & 0xc0) !== 0x80) return null;
    code = (code << 6) | (next & 0x3f);
  }
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code < (LOWEST[size] ?? 0) || code > 0x10ffff || isSurrogate ? null : code;
}
