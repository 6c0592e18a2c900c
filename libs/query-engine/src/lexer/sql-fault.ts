import { AppError, faultAt, validationError } from '@rowhouse/errors';

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * Creates the error 400 `query.invalid_sql`. Its members `line` and `column` are part of the public response.
 */
export function invalidSql(detail: string, position: TextPosition, hint?: string): AppError {
  return new AppError('query.invalid_sql', {
    detail: `${detail} (line ${position.line}, column ${position.column})`,
    extra: { line: position.line, column: position.column },
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Creates the error 403 `query.not_allowed` with the position of the rejected part. */
export function notAllowed(detail: string, position: TextPosition, hint?: string): AppError {
  return new AppError('query.not_allowed', {
    detail: `${detail} (line ${position.line}, column ${position.column})`,
    extra: { line: position.line, column: position.column },
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Returns the line and the column of an offset. Both begin with 1. */
export function positionAt(text: string, offset: number): TextPosition {
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf('\n'); next !== -1 && next < offset; next = text.indexOf('\n', next + 1)) {
    line += 1;
    lineStart = next + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/**
 * Creates the error 422 `schema.invalid_sql` for a position in schema text. `line` and `column` begin with 1.
 */
export function schemaFault(detail: string, text: string, offset: number): AppError {
  const { line, column } = positionAt(text, offset);
  return new AppError('schema.invalid_sql', {
    detail,
    faults: [faultAt(['body', 'sql'], `${detail} (line ${line}, column ${column})`, 'sql.syntax')],
    extra: { line, column },
  });
}

/** Creates the error 422 `schema.too_large`. */
export function schemaTooLarge(detail: string): AppError {
  return validationError('schema.too_large', [faultAt(['body', 'sql'], detail, 'sql.too_large')]);
}
