import { isDigit, ZERO } from './digits.js';

/** Characters that continue a number after its first digits. */
const NUMBER_GOES_ON = new Set([0x2e, 0x45, 0x65]);
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Returns the position after the number that begins at `position`, or -1 if no number begins there. */
export function findNumberEnd(text: string, position: number): number {
  let end = position;
  while (isDigit(text.charCodeAt(end))) end += 1;
  // The usual case: digits without a leading zero, and no sign, point or exponent.
  if (end > position && text.charCodeAt(position) !== ZERO && !NUMBER_GOES_ON.has(text.charCodeAt(end)))
    return end;
  NUMBER.lastIndex = position;
  return NUMBER.test(text) ? NUMBER.lastIndex : -1;
}
