import { AppError } from '@rowhouse/errors';
import { nameLine, planImport, planImportRow, readImport } from '@rowhouse/rest-engine';
import { API_PREFIX } from '../../limits.js';
import type { Call } from '../call.js';
import type { Gateway } from '../gateway.js';
import { planOptions } from '../plan-options.js';
import { runAtPlace } from '../run-at-place.js';
import { CONNECTION_WAIT_MS, rowsTarget } from '../run-program.js';
import { applyRows } from './apply-rows.js';
import type { ReadRows } from './serve-rows.js';

const ROW_CODES = new Set(['record.duplicate', 'record.foreign_key', 'record.check_failed', 'record.rejected', 'body.invalid']);

/** Which line the database refused: the rows are tried once more, in a transaction that is rolled back. The same error where that does not tell. */
export async function findRefusedLine(gateway: Gateway, call: Call, { body, compiled, database }: ReadRows, error: AppError): Promise<AppError> {
  const isNamed = error.faults?.some((fault) => typeof fault.loc[1] === 'number') ?? false;
  if (isNamed || !ROW_CODES.has(error.code) || body.rows.length === 0) return error;
  try {
    const { method, rawQuery, headers } = call;
    const options = planOptions(gateway, database, () => null);
    const plan = planImport(readImport({ method, rawPath: call.rawPath.slice(API_PREFIX.length), rawQuery, headers }, compiled, { prefix: API_PREFIX }), options);
    const rows = body.rows.map((row) => planImportRow(plan, row, options));
    const [refused] = await runAtPlace(gateway, database, rowsTarget, { mode: 'dry_run', waitMs: CONNECTION_WAIT_MS }, (run) => applyRows(run, plan, rows, true));
    const line = refused?.error.code === error.code ? body.lines[refused.at] : undefined;
    return line === undefined ? error : nameLine(error, line);
  } catch {
    return error;
  }
}
