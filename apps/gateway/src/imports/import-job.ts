import type { KeyObject } from 'node:crypto';
import { API_PREFIX } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import {
  authorizePlan,
  createHintBudget,
  openRowReader,
  parseImport,
  planImport,
  planImportRow,
  RECORD_VALUES_MAX,
  takeHeader,
  type ImportPlan,
  type ImportRow,
  type RawRecord,
  type RowsFormat,
} from '@rowhouse/rest-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { assertStorageQuota } from '../limits/assert-storage-quota.js';
import type { LargeBodies } from '../limits/large-bodies.js';
import { planOptions } from '../rest/plan-options.js';
import { onLiveSchema, type LiveSchemaServices } from '../schema/on-live-schema.js';
import { toPlanError } from '../statements/plan-error.js';
import { runAtPlacement } from '../statements/run-at-placement.js';
import { CONNECTION_WAIT_MS, rowsTarget, type StatementServices } from '../statements/run-program.js';
import type { Streams } from '../streams/streams.js';
import { assertPlacementReady, resolveTenant, type RequestServices } from '../tenant/open-tenant.js';
import type { Tenant } from '../tenant/tenant.js';
import { applyRows, type RejectedRow } from './apply-rows.js';
import { createImportReport, type ImportReport } from './import-report.js';

export interface ImportServices extends RequestServices, LiveSchemaServices, StatementServices {
  readonly cursorKey: KeyObject;
  readonly streams: Streams;
  readonly largeBodies: LargeBodies;
}

/**
 * A running import. Each part is planned with the schema, and with the key's rights, at the time when it is
 * stored.
 */
export interface ImportJob {
  /** Rejects before a byte is read when the import is not allowed at all. */
  begin(): Promise<void>;
  /** Stores a part, and resolves to whether the import ends with it. */
  store(records: readonly RawRecord[]): Promise<boolean>;
  end(headers: Readonly<Record<string, string>>): GatewayResponse;
  toError(error: AppError): AppError;
}

interface Failure {
  readonly record: RawRecord;
  readonly error: AppError;
}

/** The schema at the start of an import: its number, and how often the database was paused until then. */
interface StartSchema {
  readonly number: number;
  readonly pauses: number;
}

/** The result of storing one part. */
interface PartOutcome {
  readonly stored: number;
  readonly failures: readonly Failure[];
}

interface PlannedRow {
  readonly record: RawRecord;
  readonly row: ImportRow;
}

interface PlannedSlice {
  readonly planned: readonly PlannedRow[];
  readonly failures: readonly Failure[];
}

/** The bytes of records that are parsed in one slice of the event loop. A slice has at least one record. */
const PARSED_BYTES = 64 * 1024;
/**
 * The number of rows of one INSERT. It is small, so that the next garbage collection of the young generation
 * can free the rows.
 */
const SLICE_ROWS = 128;

function toFailure(planned: readonly PlannedRow[], { index, error }: RejectedRow): Failure[] {
  const row = planned[index];
  return row === undefined ? [] : [{ record: row.record, error }];
}

export function createImportJob(
  services: ImportServices,
  gatewayRequest: GatewayRequest,
  first: Tenant,
  format: RowsFormat,
): ImportJob {
  let tenant = first;
  let header: RawRecord | null = null;
  let plan: ImportPlan | null = null;
  let report: ImportReport | null = null;
  let startedOn: StartSchema | null = null;

  function planOn(compiled: CompiledSnapshot): ImportPlan {
    const { method, rawQuery, headers } = gatewayRequest;
    const request = parseImport(
      { method, rawPath: gatewayRequest.rawPath.slice(API_PREFIX.length), rawQuery, headers },
      compiled,
      { prefix: API_PREFIX },
    );
    const planned = planImport(
      request,
      planOptions(services.cursorKey, tenant.database, () => null),
    );
    authorizePlan(planned, tenant.view.rights, tenant.key.scopes);
    assertStorageQuota(tenant.database, 'create');
    return planned;
  }

  /**
   * Stores a part in slices of a few rows. Most of the part therefore stays in the form of received bytes.
   * `onLiveSchema` may call this function again for the whole part.
   */
  async function storeOn(compiled: CompiledSnapshot, records: readonly RawRecord[]): Promise<PartOutcome> {
    const current = planOn(compiled);
    const isStop = current.preferences.onError !== 'continue';
    const mode = current.preferences.transaction === 'rollback' ? 'dry_run' : 'transaction';
    const planSlice = createPlanner(current, isStop);
    if (records.length === 0) return { stored: 0, failures: [] };
    return runAtPlacement(
      services,
      tenant.database,
      rowsTarget,
      { mode, waitMs: CONNECTION_WAIT_MS },
      async (run) => {
        const failures: Failure[] = [];
        let stored = 0;
        for (let index = 0; index < records.length && !(isStop && failures.length > 0); index += SLICE_ROWS) {
          const slice = await planSlice(records.slice(index, index + SLICE_ROWS));
          const rejected = await applyRows(
            run,
            current,
            slice.planned.map(({ row }) => row),
            isStop,
          );
          const found = [...slice.failures, ...rejected.flatMap((row) => toFailure(slice.planned, row))].sort(
            (a, b) => a.record.line - b.record.line,
          );
          // Records after the first rejected one were not tried.
          failures.push(...(isStop ? found.slice(0, 1) : found));
          stored += isStop
            ? (rejected[0]?.index ?? slice.planned.length)
            : slice.planned.length - rejected.length;
        }
        return { stored, failures };
      },
    ).catch((error: unknown) => {
      throw toPlanError(error, current);
    });
  }

  /**
   * Creates a planner of slices. With `isStop`, records after the first unreadable one are not parsed.
   *
   * @throws AppError when the header of CSV does not match the table
   */
  function createPlanner(
    current: ImportPlan,
    isStop: boolean,
  ): (records: readonly RawRecord[]) => Promise<PlannedSlice> {
    const options = planOptions(services.cursorKey, tenant.database, () => null);
    const reader = openRowReader(current.table, header, { unknownFields: options.unknownFields });
    const hints = createHintBudget();
    return async (records) => {
      const planned: PlannedRow[] = [];
      const failures: Failure[] = [];
      let bytes = 0;
      for (const record of records) {
        if (isStop && failures.length > 0) break;
        bytes += record.bytes;
        if (bytes > PARSED_BYTES) {
          bytes = record.bytes;
          await services.scheduler.nextSlice(tenant.database.record.schemaName);
        }
        try {
          const value = reader.read(record, { values: RECORD_VALUES_MAX, max: RECORD_VALUES_MAX });
          if (value !== undefined)
            planned.push({ record, row: planImportRow(current, value, options, hints) });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          failures.push({ record, error });
        }
      }
      return { planned, failures };
    };
  }

  /** Reports a stored part. Returns whether the import ends with it. */
  function reportPart(records: readonly RawRecord[], { stored, failures }: PartOutcome): boolean {
    const [stopper] = failures;
    const isFinished = plan?.preferences.onError !== 'continue' && stopper !== undefined;
    const seen = isFinished ? records.slice(0, records.indexOf(stopper.record)) : records;
    const lastLine = seen.at(-1)?.lastLine;
    if (lastLine !== undefined) report?.stored(stored, lastLine);
    for (const { record, error } of failures) report?.failed(record.line, error);
    return isFinished;
  }

  /**
   * Checks that the database was not paused since the import began. During a pause, an existing name gets
   * another meaning, so the remaining values could be stored in the wrong columns.
   */
  function assertNotPaused(number: number): void {
    if (
      startedOn === null ||
      startedOn.number === number ||
      startedOn.pauses === services.schemas.pauses(tenant.database.record.id)
    )
      return;
    throw new AppError('db.schema_changing', {
      retryAfterSeconds: 1,
      detail: 'A schema change during the import gave a table or column name another meaning.',
      hint: 'Import the remaining records with the current names.',
    });
  }

  return {
    async begin() {
      plan = await onLiveSchema(
        services,
        tenant.database,
        tenant.view,
        gatewayRequest.trace,
        async ({ compiled, number }) => {
          startedOn = { number, pauses: services.schemas.pauses(tenant.database.record.id) };
          return planOn(compiled);
        },
      );
      gatewayRequest.trace.plan(`import_${plan.kind}`);
      gatewayRequest.trace.route(`${gatewayRequest.method} /${plan.table.path}`);
      report = createImportReport(gatewayRequest.id, plan.preferences.transaction === 'rollback');
    },
    async store(records) {
      const rows = [...records];
      if (format === 'csv' && header === null) {
        header = takeHeader(rows);
        report?.stored(0, header.lastLine);
      }
      tenant = await resolveTenant(services, tenant.keyHash, gatewayRequest);
      assertPlacementReady(tenant);
      const outcome = await onLiveSchema(
        services,
        tenant.database,
        tenant.view,
        gatewayRequest.trace,
        ({ compiled, number }) => {
          assertNotPaused(number);
          return storeOn(compiled, rows);
        },
      );
      gatewayRequest.trace.rows(outcome.stored);
      return reportPart(rows, outcome);
    },
    end(headers) {
      if (format === 'csv' && header === null) takeHeader([]);
      const applied = plan?.preferences.applied.filter(isApplied) ?? [];
      return (report ?? createImportReport(gatewayRequest.id, false)).toResponse({
        'Preference-Applied': applied.join(', '),
        ...headers,
      });
    },
    toError: (error) => (report?.hasStarted() === true ? report.toError(error) : error),
  };

  function isApplied(preference: string): boolean {
    return (
      /^(on-error|tx)=/.test(preference) || (preference.startsWith('resolution=') && plan?.kind === 'upsert')
    );
  }
}
