import { AppError } from '@rowhouse/errors';
import { decodeUtf8 } from './decode-utf8.js';

/**
 * Decodes a part of an address strictly. Throws `request.bad_escape` (400) for an invalid escape or invalid
 * UTF-8. Characters U+0080 to U+00FF are raw bytes, as Node delivers them. Set `plusIsSpace` for queries.
 */
export function decodePercent(raw: string, plusIsSpace: boolean): string {
  if (!/[%+\u0080-\uffff]/.test(raw)) return raw;
  return decodeAscii(raw, plusIsSpace) ?? decodeBytes(raw, plusIsSpace);
}

/** Returns null for unescaped bytes or invalid input. The slow path then decodes them or names the fault. */
function decodeAscii(raw: string, plusIsSpace: boolean): string | null {
  if (/[\u0080-\uffff]/.test(raw)) return null;
  try {
    return decodeURIComponent(plusIsSpace ? raw.replaceAll('+', ' ') : raw);
  } catch {
    return null;
  }
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
    throw new AppError('request.bad_escape', { detail: 'The address holds bytes that are not valid UTF-8.' });
  return text;
}

function badEscape(found: string): AppError {
  return new AppError('request.bad_escape', {
    detail: `"${found}" is no percent escape.`,
    hint: 'A percent sign itself is written %25: name__like=a%25.',
  });
}
