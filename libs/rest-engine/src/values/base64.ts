const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Uint8Array.from(ALPHABET, (char) => char.charCodeAt(0));
/** Marks a character code that is not a base64 digit. */
const NONE = 0xff;
const VALUES = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = ALPHABET.indexOf(String.fromCharCode(code));
  return value < 0 ? NONE : value;
});
/**
 * The number of character codes that one call converts. A string built from single characters would take the
 * garbage collector seconds.
 */
const CODES_PER_CALL = 8_192;

/**
 * Decodes standard base64, with or without padding. Returns null for any other text, including one whose
 * unused bits are not zero.
 */
export function decodeBase64(text: string): Uint8Array | null {
  const body = text.replace(/={1,2}$/, '');
  const rest = body.length % 4;
  if (rest === 1 || (body.length !== text.length && text.length % 4 !== 0)) return null;
  const bytes = new Uint8Array(Math.floor((body.length * 3) / 4));
  const whole = body.length - rest;
  let out = 0;
  for (let index = 0; index < whole; index += 4) {
    const a = valueAt(body, index);
    const b = valueAt(body, index + 1);
    const c = valueAt(body, index + 2);
    const d = valueAt(body, index + 3);
    // A value above 63 is not a base64 digit, which has six bits.
    if ((a | b | c | d) > 63) return null;
    bytes[out++] = (a << 2) | (b >> 4);
    bytes[out++] = ((b & 15) << 4) | (c >> 2);
    bytes[out++] = ((c & 3) << 6) | d;
  }
  return rest === 0 || decodeRest(body, whole, bytes, out) ? bytes : null;
}

/** Decodes the last one or two bytes. Returns false if the text is invalid. */
function decodeRest(body: string, index: number, bytes: Uint8Array, out: number): boolean {
  const [a, b] = [valueAt(body, index), valueAt(body, index + 1)];
  const isLong = body.length - index === 3;
  const c = isLong ? valueAt(body, index + 2) : 0;
  if ((a | b | c) > 63 || (isLong ? (c & 3) !== 0 : (b & 15) !== 0)) return false;
  bytes[out] = (a << 2) | (b >> 4);
  if (isLong) bytes[out + 1] = ((b & 15) << 4) | (c >> 2);
  return true;
}

function valueAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < 256 ? (VALUES[code] as number) : NONE;
}

/** Encodes bytes as standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const texts: string[] = [];
  const codes = new Uint8Array(CODES_PER_CALL);
  const bytesPerCall = (CODES_PER_CALL / 4) * 3;
  for (let index = 0; index < bytes.length; index += bytesPerCall) {
    const length = encodePart(bytes.subarray(index, index + bytesPerCall), codes);
    texts.push(String.fromCharCode(...codes.subarray(0, length)));
  }
  const padding = (3 - (bytes.length % 3)) % 3;
  const text = texts.join('');
  return padding === 0 ? text : `${text.slice(0, -padding)}${'='.repeat(padding)}`;
}

/**
 * Encodes groups of three bytes and returns the number of codes written. Missing bytes of the last group are
 * treated as zero.
 */
function encodePart(bytes: Uint8Array, codes: Uint8Array): number {
  let out = 0;
  for (let index = 0; index < bytes.length; index += 3) {
    const group = ((bytes[index] as number) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    codes[out++] = CODES[group >> 18] as number;
    codes[out++] = CODES[(group >> 12) & 63] as number;
    codes[out++] = CODES[(group >> 6) & 63] as number;
    codes[out++] = CODES[group & 63] as number;
  }
  return out;
}
