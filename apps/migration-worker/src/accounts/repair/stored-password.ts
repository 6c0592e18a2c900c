import { createHash } from 'node:crypto';

/** The stored form of an account's password. */
export interface StoredPassword {
  readonly plugin: string;
  readonly stored: Buffer;
}

/**
 * Matches the prefix of a stored password. Its digits are the number of hash rounds in thousands, in
 * hexadecimal: 5 before MySQL 9, and 10 since then.
 */
const CACHING_SHA2_PREFIX = /^\$A\$([0-9A-F]{3})\$/;
const PREFIX_BYTES = 7;
const SALT_BYTES = 20;

/**
 * Returns whether the server stores this password. Returns null for unknown plugins. `caching_sha2_password`
 * blocks this thread for a few milliseconds.
 */
export function isStoredPassword(
  password: string,
  { plugin, stored }: StoredPassword,
  saltBytes = SALT_BYTES,
): boolean | null {
  if (plugin === 'mysql_native_password')
    return stored.toString('latin1').toUpperCase() === toNativeHash(password);
  if (plugin !== 'caching_sha2_password') return null;
  const text = stored.toString('latin1');
  const rounds = Number.parseInt(CACHING_SHA2_PREFIX.exec(text)?.[1] ?? '0', 16) * 1_000;
  if (rounds === 0) return false;
  const saltEnd = PREFIX_BYTES + saltBytes;
  return (
    text.slice(saltEnd) === cryptSha256(Buffer.from(password), stored.subarray(PREFIX_BYTES, saltEnd), rounds)
  );
}

function toNativeHash(password: string): string {
  const first = createHash('sha1').update(password).digest();
  return `*${createHash('sha1').update(first).digest('hex').toUpperCase()}`;
}

const sha256 = (...parts: readonly Buffer[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** Returns the SHA-256 variant of `crypt(3)`, without its prefix. */
function cryptSha256(password: Buffer, salt: Buffer, rounds: number): string {
  const inner = sha256(password, salt, password);
  const first: Buffer[] = [password, salt, repeatTo(inner, password.length)];
  for (let bits = password.length; bits > 0; bits >>= 1) first.push((bits & 1) === 1 ? inner : password);
  let digest = sha256(...first);
  const p = repeatTo(sha256(...Array.from({ length: password.length }, () => password)), password.length);
  const s = repeatTo(sha256(...Array.from({ length: 16 + (digest[0] ?? 0) }, () => salt)), salt.length);
  for (let round = 0; round < rounds; round += 1) {
    const parts = [round % 2 === 1 ? p : digest];
    if (round % 3 !== 0) parts.push(s);
    if (round % 7 !== 0) parts.push(p);
    parts.push(round % 2 === 1 ? digest : p);
    digest = sha256(...parts);
  }
  return toCryptText(digest);
}

function repeatTo(bytes: Buffer, length: number): Buffer {
  const repeated = Buffer.alloc(length);
  for (let index = 0; index < length; index += bytes.length)
    bytes.copy(repeated, index, 0, Math.min(bytes.length, length - index));
  return repeated;
}

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function toCryptText(digest: Buffer): string {
  let text = '';
  const put = (a: number, b: number, c: number, letters: number): void => {
    let word = (a << 16) | (b << 8) | c;
    for (let index = 0; index < letters; index += 1, word >>= 6) text += ALPHABET[word & 63];
  };
  const byte = (index: number): number => digest[index] ?? 0;
  for (let index = 0; index < 10; index += 1) {
    const group = [index, index + 10, index + 20];
    // The order of the three bytes rotates from one group to the next.
    const [a, b, c] = [
      group[index % 3 === 0 ? 0 : index % 3 === 1 ? 2 : 1],
      group[index % 3 === 0 ? 1 : index % 3 === 1 ? 0 : 2],
      group[index % 3 === 0 ? 2 : index % 3 === 1 ? 1 : 0],
    ];
    put(byte(a ?? 0), byte(b ?? 0), byte(c ?? 0), 4);
  }
  put(0, byte(31), byte(30), 3);
  return text;
}
