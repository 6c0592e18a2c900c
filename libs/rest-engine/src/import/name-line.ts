import { changeError, type AppError, type FieldFault } from '@rowhouse/errors';

/** Adds a line number to an error about one record of a body. */
export function nameLine(error: AppError, line: number): AppError {
  const faults = error.faults?.map((fault) => ({ ...fault, msg: withLine(fault.msg, line) }));
  return changeError(error, {
    detail: withLine(error.detail, line),
    faults,
    extra: { ...error.extra, line },
  });
}

/** Adds line numbers to the faults of a plan over an array, such as `["body", 3, "age"]`. */
function nameLines(error: AppError, lines: readonly number[]): AppError {
  return error.faults === undefined
    ? error
    : changeError(error, { faults: error.faults.map((fault) => nameFault(fault, lines)) });
}

/**
 * Moves an error to the element of the body at `loc`. For example, `["body", 3]` is the element at index 3 of
 * an array.
 */
export function withElement(error: AppError, loc: readonly (string | number)[]): AppError {
  const faults = error.faults?.map((fault) =>
    fault.loc[0] === 'body' ? { ...fault, loc: [...loc, ...fault.loc.slice(1)] } : fault,
  );
  if (faults !== undefined) return changeError(error, { faults });
  const [, at] = loc;
  return changeError(error, {
    detail: typeof at === 'number' ? `Element ${at}: ${error.detail}` : error.detail,
    extra: { ...error.extra, loc },
  });
}

/** Finds the element that an error refers to, and adds its line number. */
export function nameElementLine(error: AppError, lines: readonly number[]): AppError {
  const loc: unknown = error.extra?.['loc'] ?? error.faults?.find((fault) => fault.loc[0] === 'body')?.loc;
  const at: unknown = Array.isArray(loc) ? loc[1] : undefined;
  const line = typeof at === 'number' ? lines[at] : undefined;
  if (line === undefined) return error;
  // A database error concerns a single record. Parse errors are reported for all records.
  return error.internal === undefined
    ? nameLines(error, lines)
    : nameLine(changeError(error, { detail: error.detail.replace(/^Element \d+: /, '') }), line);
}

function nameFault(fault: FieldFault, lines: readonly number[]): FieldFault {
  const [area, at] = fault.loc;
  const line = area === 'body' && typeof at === 'number' ? lines[at] : undefined;
  return line === undefined ? fault : { ...fault, msg: withLine(fault.msg, line) };
}

export function withLine(text: string, line: number): string {
  return /^Line \d+: /.test(text) ? text : `Line ${line}: ${text}`;
}
