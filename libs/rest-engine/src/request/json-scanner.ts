import { AppError } from '@rowhouse/errors';

/** JSON text and how far it has been read. */
export interface JsonScanner {
  readonly text: string;
  at: number;
  /** No lone surrogate in all of the text. */
  readonly isWellFormed: boolean;
  /** No escape, no control character and no lone surrogate in all of the text: what is between two quotes is the string. */
  readonly isPlain: boolean;
  /** Where in the value it is, for faults. */
  readonly path: () => (string | number)[];
}

const PLAIN = /^[^\\\u0000-\u001f]*$/;

/** Two passes over the text, which are less than one look at each string. */
export function openScanner(text: string, path: JsonScanner['path']): JsonScanner {
  const isWellFormed = text.isWellFormed();
  return { text, at: 0, isWellFormed, isPlain: isWellFormed && PLAIN.test(text), path };
}

export function malformed(scanner: JsonScanner, expected: string): AppError {
  const found = scanner.at >= scanner.text.length ? 'the text ends' : `${JSON.stringify(scanner.text[scanner.at])} stands`;
  return new AppError('request.malformed_json', { detail: `The body is not valid JSON: ${found} at character ${scanner.at} where ${expected} is due.` });
}
