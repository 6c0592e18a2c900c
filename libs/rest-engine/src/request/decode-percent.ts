import { AppError } from '@rowhouse/errors';

/**
 * The lowest code point that needs a UTF-8 sequence of each length. A lower code point in such a sequence is
 * an overlong encoding.
 */
const LOWEST = [0, 0, 0x80, 0x800, 0x10000];
/**
 * Decodes the percent escapes in a part of a URL. Throws `request.bad_escape` (400) for an invalid escape or
 * invalid UTF-8. Node delivers raw bytes of the URL as the characters U+0080 to U+00FF. Set `plusIsSpace` for
 * queries.
 */
export function decodePercent(raw: string, plusIsSpace: boolean): string {
  if (!/[%+\u0080-\uffff]/.test(raw)) return raw;
  if (!/[\u0080-\uffff]/.test(raw)) {
    try {
      return decodeURIComponent(plusIsSpace ? raw.replaceAll('+', ' ') : raw);
    } catch {
      // The code after this block finds the invalid escape, so that the error can name it.
    }
  }
  return decodeBytes(raw, plusIsSpace);
}

function decodeBytes(raw: string, plusIsSpace: boolean): string {
  const bytes: number[] = [];
  for (let position = 0; position < raw.length; position += 1) {
    const code = raw.charCodeAt(position);
    if (code === 0x25) {
      const digits = raw.slice(position + 1, position + 3);
      if (!/^[0-9A-Fa-f]{2}$/.test(digits)) throw badEscape(raw.slice(position, position + 3));
      bytes.push(Number.parseInt(digits, 16));
      position += 2;
    } else if (code === 0x2b && plusIsSpace) bytes.push(0x20);
    else if (code > 0xff) throw badEscape(raw.slice(position, position + 1));
    else bytes.push(code);
  }
  const text = decodeUtf8(bytes);
  if (text === null)
    throw new AppError('request.bad_escape', {
      detail: 'The URL contains bytes that are not valid UTF-8.',
    });
  return text;
}

function badEscape(found: string): AppError {
  return new AppError('request.bad_escape', {
    detail: `"${found}" is not a percent escape.`,
    hint: 'Write a percent sign as %25, for example name__like=a%25.',
  });
}

/**
 * Decodes strict UTF-8. Returns null for overlong forms, surrogates, values above U+10FFFF and truncated
 * sequences.
 */
function decodeUtf8(bytes: readonly number[]): string | null {
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
