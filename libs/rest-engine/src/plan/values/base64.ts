const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Uint8Array.from(ALPHABET, (char) => char.charCodeAt(0));
/** By character code; NONE: no digit of base64. */
const NONE = 0xff;
const VALUES = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = ALPHABET.indexOf(String.fromCharCode(code));
  return value < 0 ? NONE : value;
});
/** Codes that one call makes a text of: a rope of single characters would cost the collector seconds. */
const CODES_PER_CALL = 8_192;

/** Standard base64, padded or not; null for anything else, unused bits that are not zero included. */
export function decodeBase64(text: string): Uint8Array | null {
  const body = text.replace(/={1,2}$/, '');
  const rest = body.length % 4;
  if (rest === 1 || (body.length !== text.length && text.length % 4 !== 0)) return null;
  const bytes = new Uint8Array(Math.floor((body.length * 3) / 4));
  const whole = body.length - rest;
  let out = 0;
  for (let at = 0; at < whole; at += 4) {
    const a = valueAt(body, at);
    const b = valueAt(body, at + 1);
    const c = valueAt(body, at + 2);
    const d = valueAt(body, at + 3);
    // A digit has six bits.
    if ((a | b | c | d) > 63) return null;
    bytes[out++] = (a << 2) | (b >> 4);
    bytes[out++] = ((b & 15) << 4) | (c >> 2);
    bytes[out++] = ((c & 3) << 6) | d;
  }
  return rest === 0 || decodeRest(body, whole, bytes, out) ? bytes : null;
}

/** The last one or two bytes. */
function decodeRest(body: string, at: number, bytes: Uint8Array, out: number): boolean {
  const [a, b] = [valueAt(body, at), valueAt(body, at + 1)];
  const isLong = body.length - at === 3;
  const c = isLong ? valueAt(body, at + 2) : 0;
  if ((a | b | c) > 63 || (isLong ? (c & 3) !== 0 : (b & 15) !== 0)) return false;
  bytes[out] = (a << 2) | (b >> 4);
  if (isLong) bytes[out + 1] = ((b & 15) << 4) | (c >> 2);
  return true;
}

function valueAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 256 ? (VALUES[code] as number) : NONE;
}

/** Padded standard base64. */
export function encodeBase64(bytes: Uint8Array): string {
  const texts: string[] = [];
  const codes = new Uint8Array(CODES_PER_CALL);
  const bytesPerCall = (CODES_PER_CALL / 4) * 3;
  for (let at = 0; at < bytes.length; at += bytesPerCall) {
    const length = encodePart(bytes.subarray(at, at + bytesPerCall), codes);
    texts.push(String.fromCharCode(...codes.subarray(0, length)));
  }
  const padding = (3 - (bytes.length % 3)) % 3;
  const text = texts.join('');
  return padding === 0 ? text : `${text.slice(0, -padding)}${'='.repeat(padding)}`;
}

/** Gives how many codes were written, zeros for the bytes that the last group lacks. */
function encodePart(bytes: Uint8Array, codes: Uint8Array): number {
  let out = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] as number) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    codes[out++] = CODES[group >> 18] as number;
    codes[out++] = CODES[(group >> 12) & 63] as number;
    codes[out++] = CODES[(group >> 6) & 63] as number;
    codes[out++] = CODES[group & 63] as number;
  }
  return out;
}
