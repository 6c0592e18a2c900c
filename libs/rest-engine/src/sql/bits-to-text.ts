/** Returns the bytes of a BIT value, most significant first, as decimal digits. */
export function bitsToText(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value.toString();
}
