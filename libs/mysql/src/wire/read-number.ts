/** A position in the bytes of a packet. Reading advances it. */
export interface Cursor {
  at: number;
}

/** Reads a length-encoded integer of at most 48 bits. Null is the marker for NULL. */
export function readLength(bytes: Buffer, cursor: Cursor): number | null {
  const first = bytes[cursor.at++] ?? 0;
  if (first < 0xfb) return first;
  if (first === 0xfb) return null;
  const size = first === 0xfc ? 2 : first === 0xfd ? 3 : 8;
  const value = size === 8 ? bytes.readUIntLE(cursor.at, 6) : bytes.readUIntLE(cursor.at, size);
  cursor.at += size;
  return value;
}

/** Reads a length-encoded integer of full width as digits. */
export function readDigits(bytes: Buffer, cursor: Cursor): string {
  if (bytes[cursor.at] !== 0xfe) return String(readLength(bytes, cursor) ?? 0);
  const value = bytes.readBigUInt64LE(cursor.at + 1);
  cursor.at += 9;
  return String(value);
}
