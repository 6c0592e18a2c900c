import { AppError, type AppErrorOptions, type FieldFault } from '@rowhouse/errors';

/** The same error about a record of a body, told with the line it stands on. */
export function nameLine(error: AppError, line: number): AppError {
  const faults = error.faults?.map((fault) => ({ ...fault, msg: withLine(fault.msg, line) }));
  return retell(error, { detail: withLine(error.detail, line), faults, extra: { ...error.extra, line } });
}

/** The faults of a plan over an array (`["body", 3, "age"]`), told with the lines of its records. */
export function nameLines(error: AppError, lines: readonly number[]): AppError {
  return error.faults === undefined ? error : retell(error, { faults: error.faults.map((fault) => nameFault(fault, lines)) });
}

function retell(error: AppError, changes: AppErrorOptions): AppError {
  const { code, detail, hint, faults, retryAfterSeconds, headers, extra, internal, cause } = error;
  return new AppError(code, { detail, hint, faults, retryAfterSeconds, headers, extra, internal, cause, ...changes });
}

function nameFault(fault: FieldFault, lines: readonly number[]): FieldFault {
  const [area, at] = fault.loc;
  const line = area === 'body' && typeof at === 'number' ? lines[at] : undefined;
  return line === undefined ? fault : { ...fault, msg: withLine(fault.msg, line) };
}

export function withLine(text: string, line: number): string {
  return /^Line \d+: /.test(text) ? text : `Line ${line}: ${text}`;
}
