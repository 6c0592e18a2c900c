export const ZERO = 0x30;
const NINE = 0x39;

/** `code`: of a UTF-16 unit, as `charCodeAt` gives it. */
export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
