import type { TaskPayload } from '@rowhouse/contracts';
import type { PlannedStep } from '@rowhouse/ddl-plan';
import { quoteName } from '@rowhouse/mysql';
import type { WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { findCounters, type CounterSetting } from '@rowhouse/query-engine';
import type { Snapshot } from '@rowhouse/schema-model';
import { withConnection } from '../servers/server-access.js';
import { readNextNumber } from '../snapshots/read-next-number.js';
import type { WorkerContext } from '../worker-context.js';

/** The largest revision there may be. */
const REVISION_MAX = 4_294_967_295;

/** Returns what texts since the revision that the database runs, and this text, set AUTO_INCREMENT to. Nothing on the way back. */
export async function collectCounters(ctx: WorkerContext, databaseId: string, server: WorkerServer, payload: TaskPayload<'plan_schema'>): Promise<CounterSetting[]> {
  const deployed = await ctx.directory.readDeployedRevision(databaseId);
  const { revision = REVISION_MAX } = payload;
  if (revision < deployed) return [];
  const rows = (await ctx.directory.listRevisions(payload.project_id, deployed, revision)).filter((row) => row.revision > deployed && row.restores === null);
  return [...rows.map((row) => row.statements), payload.sql].flatMap((text) => findCounters(text, { engine: server.engine, version: server.engineVersion }));
}

interface CounterSteps {
  readonly steps: readonly PlannedStep[];
  /** Settings that have no table, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Plans the steps that raise AUTO_INCREMENT to the last number set for each table. A number is never lowered: ids of
 * deleted rows would come back.
 */
export async function planCounters(ctx: WorkerContext, database: WorkerDatabase, server: WorkerServer, target: Snapshot, settings: readonly CounterSetting[]): Promise<CounterSteps> {
  if (settings.length === 0) return { steps: [], notes: [] };
  const accounts = await ctx.directory.listAccounts(database.id);
  const steps: PlannedStep[] = [];
  const notes: string[] = [];
  await withConnection(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    for (const { table, next } of new Map(settings.map((setting) => [setting.table.toLowerCase(), setting])).values()) {
      const found = target.tables.find((entry) => entry.name === table) ?? target.tables.find((entry) => entry.name.toLowerCase() === table.toLowerCase());
      if (found === undefined || !found.columns.some((column) => column.autoIncrement)) {
        notes.push(`AUTO_INCREMENT of ${table} was not set to ${next}: the schema has no table ${table} with such a column.`);
        continue;
      }
      const standing = await connection.rows('SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?', [database.schemaName, found.name]);
      const current = standing.length === 0 ? null : await readNextNumber(connection, quoteName(found.name));
      if (BigInt(next) > BigInt(current ?? '1')) steps.push(counterStep(found.name, next));
    }
  });
  return { steps, notes };
}

function counterStep(table: string, next: string): PlannedStep {
  const sql = `ALTER TABLE ${quoteName(table)} AUTO_INCREMENT = ${next}`;
  return { kind: 'alter_table', table, sql, class: 'widen', reversible: true, loss: [], beforePublish: sql, afterPublish: null, rowChecks: [], wish: { kind: 'alter', rebuild: null } };
}
