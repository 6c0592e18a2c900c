import { AppError } from '@rowhouse/errors';

/** JSON text and how far it has been read. */
export interface JsonScanner {
  readonly text: string;
  at: number;
  /** Where in the value it is, for faults. */
  readonly path: () => (string | number)[];
}

export function malformed(scanner: JsonScanner, expected: string): AppError {
  const found = scanner.at >= scanner.text.length ? 'the text ends' : `${JSON.stringify(scanner.text[scanner.at])} stands`;
  return new AppError('request.malformed_json', { detail: `The body is not valid JSON: ${found} at character ${scanner.at} where ${expected} is due.` });
}
