/** Returns the shortest digits that parse to the same 32-bit value: 1.1, not 1.100000023841858. */
export function writeFloat(value: number): string {
  if (Object.is(value, -0)) return '-0';
  for (let digits = 6; digits < 9; digits += 1) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(Number(value.toPrecision(9)));
}
