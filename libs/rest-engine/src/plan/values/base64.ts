const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES: readonly number[] = Array.from({ length: 128 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)));

/** Standard base64, padded or not; null for anything else, unused bits that are not zero included. */
export function decodeBase64(text: string): Uint8Array | null {
  const body = text.replace(/={1,2}$/, '');
  const rest = body.length % 4;
  if (rest === 1 || (body.length !== text.length && text.length % 4 !== 0)) return null;
  const bytes = new Uint8Array(Math.floor((body.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let out = 0;
  for (let at = 0; at < body.length; at += 1) {
    const value = VALUES[body.charCodeAt(at)] ?? -1;
    if (value < 0) return null;
    bits = ((bits << 6) | value) & 0xffffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[out] = (bits >> held) & 0xff;
    out += 1;
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : null;
}

/** Padded standard base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  let at = 0;
  for (; at + 2 < bytes.length; at += 3) text += encodeGroup(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0);
  const left = bytes.length - at;
  if (left === 1) return `${text}${encodeGroup(bytes[at] ?? 0, 0, 0).slice(0, 2)}==`;
  if (left === 2) return `${text}${encodeGroup(bytes[at] ?? 0, bytes[at + 1] ?? 0, 0).slice(0, 3)}=`;
  return text;
}

function encodeGroup(a: number, b: number, c: number): string {
  const group = (a << 16) | (b << 8) | c;
  return (ALPHABET[group >> 18] ?? '') + (ALPHABET[(group >> 12) & 63] ?? '') + (ALPHABET[(group >> 6) & 63] ?? '') + (ALPHABET[group & 63] ?? '');
}
