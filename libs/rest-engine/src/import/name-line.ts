import { changeError, type AppError, type FieldFault } from '@rowhouse/errors';

/** The same error about a record of a body, told with the line it stands on. */
export function nameLine(error: AppError, line: number): AppError {
  const faults = error.faults?.map((fault) => ({ ...fault, msg: withLine(fault.msg, line) }));
  return changeError(error, { detail: withLine(error.detail, line), faults, extra: { ...error.extra, line } });
}

/** The faults of a plan over an array (`["body", 3, "age"]`), told with the lines of its records. */
function nameLines(error: AppError, lines: readonly number[]): AppError {
  return error.faults === undefined ? error : changeError(error, { faults: error.faults.map((fault) => nameFault(fault, lines)) });
}

/** The same error about the member of the body at `loc`: `["body", 3]` is the fourth element of an array. */
export function withElement(error: AppError, loc: readonly (string | number)[]): AppError {
  const faults = error.faults?.map((fault) => (fault.loc[0] === 'body' ? { ...fault, loc: [...loc, ...fault.loc.slice(1)] } : fault));
  if (faults !== undefined) return changeError(error, { faults });
  const [, at] = loc;
  return changeError(error, { detail: typeof at === 'number' ? `Element ${at}: ${error.detail}` : error.detail, extra: { ...error.extra, loc } });
}

/** The same error told with the line of the element that it is about. */
export function nameElementLine(error: AppError, lines: readonly number[]): AppError {
  const loc: unknown = error.extra?.['loc'] ?? error.faults?.find((fault) => fault.loc[0] === 'body')?.loc;
  const at: unknown = Array.isArray(loc) ? loc[1] : undefined;
  const line = typeof at === 'number' ? lines[at] : undefined;
  if (line === undefined) return error;
  // What the database refuses is one record; of those that cannot be read all are told.
  return error.internal === undefined ? nameLines(error, lines) : nameLine(changeError(error, { detail: error.detail.replace(/^Element \d+: /, '') }), line);
}

function nameFault(fault: FieldFault, lines: readonly number[]): FieldFault {
  const [area, at] = fault.loc;
  const line = area === 'body' && typeof at === 'number' ? lines[at] : undefined;
  return line === undefined ? fault : { ...fault, msg: withLine(fault.msg, line) };
}

export function withLine(text: string, line: number): string {
  return /^Line \d+: /.test(text) ? text : `Line ${line}: ${text}`;
}
