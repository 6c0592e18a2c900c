import { AppError } from '@rowhouse/errors';
import { runStatements } from '@rowhouse/mysql';
import { authorizePlan, openRowReader, parseImport, planImport, planImportRow, takeHeader, type ImportPlan, type ImportRow, type RawRecord, type RowsFormat } from '@rowhouse/rest-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { API_PREFIX } from '../../limits.js';
import type { Tenant } from '../../tenant/tenant.js';
import type { Answer, Call } from '../call.js';
import type { Gateway } from '../gateway.js';
import { onLiveSchema } from '../on-live-schema.js';
import { checkPlace, resolveTenant } from '../open-tenant.js';
import { planOptions } from '../plan-options.js';
import { CONNECTION_WAIT_MS, rowsTarget } from '../run-program.js';
import { applyRows } from './apply-rows.js';
import { createImportReport, type ImportReport } from './import-report.js';
import { decodeUtf8 } from './rows-type.js';

/** An import under way. Every part is planned on what the schema and the key's rights are by then. */
export interface ImportJob {
  /** Throws before a byte is read where nothing of it can be allowed. */
  begin(): Promise<void>;
  /** Whether the import is over with this part. */
  store(records: readonly RawRecord[]): Promise<boolean>;
  end(headers: Readonly<Record<string, string>>): Answer;
  toError(error: AppError): AppError;
}

/** What one part came to. */
interface Outcome {
  readonly stored: number;
  readonly failures: readonly { readonly record: RawRecord; readonly error: AppError }[];
}

interface PlannedRow {
  readonly record: RawRecord;
  readonly row: ImportRow;
}

/** More than a part has bytes. */
const JSON_VALUES_MAX = 10_000_000;

export function createImportJob(gateway: Gateway, call: Call, first: Tenant, format: RowsFormat): ImportJob {
  let tenant = first;
  let header: RawRecord | null = null;
  let plan: ImportPlan | null = null;
  let report: ImportReport | null = null;

  function planOn(compiled: CompiledSnapshot): ImportPlan {
    const { method, rawQuery, headers } = call;
    const request = parseImport({ method, rawPath: call.rawPath.slice(API_PREFIX.length), rawQuery, headers }, compiled, { prefix: API_PREFIX });
    const planned = planImport(request, planOptions(gateway, tenant.database, () => null));
    authorizePlan(planned, tenant.view.rights, tenant.key.scopes);
    return planned;
  }

  async function storeOn(compiled: CompiledSnapshot, records: readonly RawRecord[]): Promise<Outcome> {
    const current = planOn(compiled);
    const { planned, failures, isStop } = planRows(current, records);
    const rows = planned.map(({ row }) => row);
    const mode = current.preferences.transaction === 'rollback' ? 'dry_run' : 'transaction';
    const refused = rows.length === 0 ? [] : await runStatements(gateway.pools, rowsTarget(tenant.database), { mode, waitMs: CONNECTION_WAIT_MS }, (run) => applyRows(run, current, rows, isStop));
    const fromDatabase = refused.flatMap(({ at, error }) => (planned[at] === undefined ? [] : [{ record: planned[at].record, error }]));
    const [stopper] = refused;
    if (isStop && stopper !== undefined) return { stored: stopper.at, failures: fromDatabase };
    return { stored: rows.length - refused.length, failures: [...failures, ...fromDatabase].sort((a, b) => a.record.line - b.record.line) };
  }

  /** `stop`: what stands behind the first record that cannot be stored is not looked at. */
  function planRows(current: ImportPlan, records: readonly RawRecord[]): { planned: readonly PlannedRow[]; failures: Outcome['failures']; isStop: boolean } {
    const isStop = current.preferences.onError !== 'continue';
    const options = planOptions(gateway, tenant.database, () => null);
    const reader = openRowReader(current.table, header, { unknownFields: options.unknownFields, decodeUtf8 });
    const planned: PlannedRow[] = [];
    const failures: { record: RawRecord; error: AppError }[] = [];
    const budget = { values: JSON_VALUES_MAX };
    for (const record of records) {
      if (isStop && failures.length > 0) break;
      try {
        const value = reader.read(record, budget);
        if (value !== undefined) planned.push({ record, row: planImportRow(current, value, options) });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        failures.push({ record, error });
      }
    }
    return { planned, failures, isStop };
  }

  function note(records: readonly RawRecord[], { stored, failures }: Outcome): boolean {
    const [stopper] = failures;
    const isOver = plan?.preferences.onError !== 'continue' && stopper !== undefined;
    const seen = isOver ? records.slice(0, records.indexOf(stopper.record)) : records;
    const lastLine = seen.at(-1)?.lastLine;
    if (lastLine !== undefined) report?.stored(stored, lastLine);
    for (const { record, error } of failures) report?.failed(record.line, error);
    return isOver;
  }

  return {
    async begin() {
      plan = await onLiveSchema(gateway, tenant.database, tenant.view, call.trace, async ({ compiled }) => planOn(compiled));
      call.trace.plan(`import_${plan.kind}`);
      report = createImportReport(call.id, plan.preferences.transaction === 'rollback');
    },
    async store(records) {
      const rows = [...records];
      if (format === 'csv' && header === null) {
        header = takeHeader(rows);
        report?.stored(0, header.lastLine);
      }
      tenant = await resolveTenant(gateway, tenant.keyHash, call);
      checkPlace(tenant);
      const outcome = await onLiveSchema(gateway, tenant.database, tenant.view, call.trace, ({ compiled }) => storeOn(compiled, rows));
      call.trace.rows(outcome.stored);
      return note(rows, outcome);
    },
    end(headers) {
      if (format === 'csv' && header === null) takeHeader([]);
      const applied = plan?.preferences.applied.filter(isApplied) ?? [];
      return (report ?? createImportReport(call.id, false)).toAnswer({ 'Preference-Applied': applied.join(', '), ...headers });
    },
    toError: (error) => (report?.hasBegun() === true ? report.toError(error) : error),
  };

  function isApplied(preference: string): boolean {
    return /^(on-error|tx)=/.test(preference) || (preference.startsWith('resolution=') && plan?.kind === 'upsert');
  }
}
