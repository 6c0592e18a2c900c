export const ZERO = 0x30;
const NINE = 0x39;

/** Reports whether a UTF-16 code unit, as returned by `charCodeAt`, is an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
