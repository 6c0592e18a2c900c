import { AppError } from '@rowhouse/errors';
import { findRowsTable, nameLines, readRowsBodySteps, type RowsBody, type RowsFormat } from '@rowhouse/rest-engine';
import { doStepsInTurns, type CompiledSnapshot } from '@rowhouse/schema-model';
import { API_PREFIX } from '../../limits.js';
import type { TenantDatabase } from '../../tenant/tenant.js';
import type { Answer, Call } from '../call.js';
import type { Gateway } from '../gateway.js';
import { serveRest } from '../serve-rest.js';
import { findRefusedLine } from './find-refused-line.js';
import { checkRowsType, decodeUtf8, isImport, openUtf8 } from './rows-type.js';
import { serveImport } from './serve-import.js';

/** What a body of records was read as. */
export interface ReadRows {
  readonly body: RowsBody;
  readonly compiled: CompiledSnapshot;
  readonly database: TenantDatabase;
}

/** `POST /{table}` with NDJSON or CSV: an import in parts where that is asked for, else what an array of JSON would be. */
export async function serveRows(gateway: Gateway, call: Call, format: RowsFormat): Promise<Answer> {
  checkRowsType(call.headers);
  if (isImport(call.headers)) return serveImport(gateway, call, format);
  let read: ReadRows | null = null;
  try {
    return await serveRest(gateway, call, async (_call, compiled, database) => {
      const table = findRowsTable(call.rawPath.slice(API_PREFIX.length), compiled);
      const { schemaName, settings } = database.record;
      const steps = readRowsBodySteps(call.body ?? new Uint8Array(0), table, { format, unknownFields: settings.unknown_fields, decodeUtf8, openUtf8 });
      const body = await doStepsInTurns(steps, () => gateway.turns.turn(schemaName));
      read = { body, compiled, database };
      return body.rows;
    });
  } catch (error) {
    if (!(error instanceof AppError) || read === null) throw error;
    throw await findRefusedLine(gateway, call, read, nameLines(error, (read as ReadRows).body.lines));
  }
}
