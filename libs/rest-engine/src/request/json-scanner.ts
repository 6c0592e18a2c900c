import { AppError } from '@rowhouse/errors';

export const ZERO = 0x30;

const NINE = 0x39;

/** The characters `.`, `E` and `e`, which can continue a number after its first digits. */
const NUMBER_GOES_ON = new Set([0x2e, 0x45, 0x65]);

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** A JSON text and the position up to which it was read. */
export interface JsonScanner {
  readonly text: string;
  position: number;
  /** Whether the whole text contains no lone surrogate. */
  readonly isWellFormed: boolean;
  /**
   * Whether the whole text contains no escape, no control character and no lone surrogate. Each JSON string
   * is then exactly the text between its quotes.
   */
  readonly isPlain: boolean;
  /** Returns the path of the current value, which faults report. */
  readonly path: () => (string | number)[];
}

const PLAIN = /^[^\\\u0000-\u001f]*$/;

/** Creates a scanner. Its two passes over the whole text cost less than checking each string. */
export function openScanner(text: string, path: JsonScanner['path']): JsonScanner {
  const isWellFormed = text.isWellFormed();
  return { text, position: 0, isWellFormed, isPlain: isWellFormed && PLAIN.test(text), path };
}

export function malformed(scanner: JsonScanner, expected: string): AppError {
  const found =
    scanner.position >= scanner.text.length
      ? 'the end of the text'
      : JSON.stringify(scanner.text[scanner.position]);
  return new AppError('request.malformed_json', {
    detail: `The body is not valid JSON. Expected ${expected} at character ${scanner.position}, but found ${found}.`,
  });
}

/** Returns the position after the number that begins at `position`, or -1 if no number begins there. */
export function findNumberEnd(text: string, position: number): number {
  let end = position;
  while (isDigit(text.charCodeAt(end))) end += 1;
  // The fast path for the most common numbers: digits without a leading zero, sign, decimal point or
  // exponent.
  if (end > position && text.charCodeAt(position) !== ZERO && !NUMBER_GOES_ON.has(text.charCodeAt(end)))
    return end;
  NUMBER.lastIndex = position;
  return NUMBER.test(text) ? NUMBER.lastIndex : -1;
}

/** Reports whether a UTF-16 code unit, as returned by `charCodeAt`, is an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
