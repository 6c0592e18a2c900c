import { AppError, type FieldFault } from '@rowhouse/errors';

/** The same error about a record of a body, told with the line it stands on. */
export function nameLine(error: AppError, line: number): AppError {
  const { code, hint, faults, extra, internal, cause } = error;
  return new AppError(code, { detail: withLine(error.detail, line), hint, faults: faults?.map((fault) => ({ ...fault, msg: withLine(fault.msg, line) })), extra: { ...extra, line }, internal, cause });
}

/** The faults of a plan over an array (`["body", 3, "age"]`), told with the lines of its records. */
export function nameLines(error: AppError, lines: readonly number[]): AppError {
  const { code, detail, hint, faults, extra, internal, cause } = error;
  return new AppError(code, { detail, hint, faults: faults?.map((fault) => nameFault(fault, lines)), extra, internal, cause });
}

function nameFault(fault: FieldFault, lines: readonly number[]): FieldFault {
  const [area, at] = fault.loc;
  const line = area === 'body' && typeof at === 'number' ? lines[at] : undefined;
  return line === undefined ? fault : { ...fault, msg: withLine(fault.msg, line) };
}

export function withLine(text: string, line: number): string {
  return /^Line \d+: /.test(text) ? text : `Line ${line}: ${text}`;
}
