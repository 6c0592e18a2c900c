import { AppError } from '@rowhouse/errors';

/** A JSON text and the position up to which it was read. */
export interface JsonScanner {
  readonly text: string;
  at: number;
  /** Whether the whole text has no lone surrogate. */
  readonly isWellFormed: boolean;
  /**
   * Whether the whole text has no escape, no control character and no lone surrogate. The characters between
   * two quotes are then the string itself.
   */
  readonly isPlain: boolean;
  /** Returns the path of the current value, for faults. */
  readonly path: () => (string | number)[];
}

const PLAIN = /^[^\\\u0000-\u001f]*$/;

/** Opens a scanner. Two passes over the text cost less than a check of each string. */
export function openScanner(text: string, path: JsonScanner['path']): JsonScanner {
  const isWellFormed = text.isWellFormed();
  return { text, at: 0, isWellFormed, isPlain: isWellFormed && PLAIN.test(text), path };
}

export function malformed(scanner: JsonScanner, expected: string): AppError {
  const found =
    scanner.at >= scanner.text.length
      ? 'the text ends'
      : `${JSON.stringify(scanner.text[scanner.at])} stands`;
  return new AppError('request.malformed_json', {
    detail: `The body is not valid JSON: ${found} at character ${scanner.at} where ${expected} is due.`,
  });
}
