import { AppError, faultAt, validationError } from '@rowhouse/errors';
import { positionAt } from './sql-fault.js';

/** Creates 422 `schema.invalid_sql` for a position in schema text. `line` and `column` start at 1. */
export function schemaFault(detail: string, text: string, offset: number): AppError {
  const { line, column } = positionAt(text, offset);
  return new AppError('schema.invalid_sql', {
    detail,
    faults: [faultAt(['body', 'sql'], `${detail} (line ${line}, column ${column})`, 'sql.syntax')],
    extra: { line, column },
  });
}

/** Creates 422 `schema.too_large`. */
export function schemaTooLarge(detail: string): AppError {
  return validationError('schema.too_large', [faultAt(['body', 'sql'], detail, 'sql.too_large')]);
}
