import {
  TABLE_DEFINITION_CHANGED,
  STATEMENT_NEEDS_REPREPARE,
  NESTED_CASCADE,
  TABLE_ACCESS_DENIED,
  COLUMN_ACCESS_DENIED,
} from '@rowhouse/errors';
import { setTimeout as pause } from 'node:timers/promises';
import type { GatewayDirectory } from '@rowhouse/platform-store';
import type { RightsView, SchemaUse, LiveSchemas, PreparedSchemas } from '@rowhouse/snapshot-store';
import type { TenantDirectory } from '../tenant/tenant-directory.js';
import type { TenantDatabase } from '../tenant/tenant.js';

/**
 * Work on a schema. `view` is the set of rights under which the schema is seen. These are the current rights,
 * if they changed after the request arrived.
 */
export type SchemaWork<T> = (use: SchemaUse, view: RightsView) => Promise<T>;

/** The reason why a plan does not match the database any more: an error of the server, or changed rights. */
export type StaleReason =
  | { readonly kind: 'server'; readonly errno: number; readonly message: string }
  | { readonly kind: 'rights_changed' };

/** Thrown when the database does not match the snapshot of a plan. Everything was rolled back. */
export class StaleSchemaError extends Error {
  /** `rejection` is the error to report when the schema turns out to be unchanged. */
  constructor(
    readonly reason: StaleReason,
    readonly rejection: Error | null = null,
  ) {
    super(
      reason.kind === 'server' ? `errno ${reason.errno}: ${reason.message}` : 'the rights of the key changed',
    );
    this.name = 'StaleSchemaError';
  }
}

export interface SchemaRetryServices {
  readonly tenants: TenantDirectory;
  readonly schemas: LiveSchemas;
  /** The schemas that workers send ahead of a change. */
  readonly prepared: PreparedSchemas;
  readonly directory: GatewayDirectory;
}

/**
 * The server errors after which the same plan can succeed. A definition changed during a transaction (1412),
 * a statement must be prepared again (1615), or MySQL met a nested cascade while foreign keys were replaced
 * (6575).
 */
const PASSING_NUMBERS = new Set([TABLE_DEFINITION_CHANGED, STATEMENT_NEEDS_REPREPARE, NESTED_CASCADE]);

/**
 * The pauses before each attempt, 1.5 seconds in total. Most renames take milliseconds. On MariaDB, a table
 * with triggers is unavailable until the rename is complete, which takes longer on a busy disk.
 */
const PAUSES_MS = [0, 5, 10, 20, 40, 75, 100, 150, 250, 350, 500];

/**
 * The server errors for a missing privilege on a table (1142) or a column (1143). A server cannot replace a
 * privilege on a table by privileges on its columns atomically, so both occur during such a change.
 */
const RIGHT_NUMBERS = new Set([TABLE_ACCESS_DENIED, COLUMN_ACCESS_DENIED]);
const RIGHT_PAUSES_MS = [0, 5, 10, 20, 40, 75, 100];

/**
 * Tries the prepared and the live schema in turn until `work` succeeds with one of them, because a migration
 * changes the database at an unknown moment. Returns null if no change is in progress or none of the attempts
 * succeeds.
 */
export async function retryThroughSchemaChange<T>(
  services: SchemaRetryServices,
  database: TenantDatabase,
  readView: () => Promise<RightsView>,
  { reason }: StaleSchemaError,
  work: SchemaWork<T>,
): Promise<{ readonly result: T } | null> {
  const { id } = database.record;
  const pausesMs = await listPauses(services, id, reason);
  for (const [iteration, pauseMs] of pausesMs.entries()) {
    if (pauseMs > 0) await pause(pauseMs);
    const view = await readView();
    const use = pickSchema(services, id, view, iteration);
    if (use === null) return null;
    try {
      return { result: await work(use, view) };
    } catch (error) {
      if (!(error instanceof StaleSchemaError)) throw error;
    } finally {
      use.release();
    }
  }
  return null;
}

/** Returns the pauses before each attempt, or nothing when no change of the database is known. */
async function listPauses(
  services: SchemaRetryServices,
  databaseId: string,
  reason: StaleReason,
): Promise<readonly number[]> {
  const isPassing = reason.kind === 'server' && PASSING_NUMBERS.has(reason.errno);
  if (isPassing || (await isChanging(services, databaseId))) return PAUSES_MS;
  const isRightsChange =
    reason.kind === 'rights_changed' || mayBeRightsChange(services, databaseId, reason.errno);
  return isRightsChange ? RIGHT_PAUSES_MS : [];
}

/**
 * Returns whether a server error may come from privileges that are being changed, so that a retry may
 * succeed.
 */
export function mayBeRightsChange(
  { tenants }: Pick<SchemaRetryServices, 'tenants'>,
  databaseId: string,
  errno: number,
): boolean {
  return RIGHT_NUMBERS.has(errno) && tenants.hasChangedLately(databaseId);
}

/**
 * Returns whether a migration is running, and loads the schema that it sent ahead. Returns false when the
 * platform database is unavailable.
 */
async function isChanging(services: SchemaRetryServices, databaseId: string): Promise<boolean> {
  try {
    if (!(await services.directory.isChanging(databaseId))) return false;
    await services.prepared.load(databaseId);
    return true;
  } catch {
    return false;
  }
}

function pickSchema(
  services: SchemaRetryServices,
  databaseId: string,
  view: RightsView,
  iteration: number,
): SchemaUse | null {
  const live = services.schemas.use(databaseId, view);
  if (live === null || iteration % 2 === 1) return live;
  const ahead = services.prepared.use(databaseId, view, live.number);
  if (ahead === null) return live;
  live.release();
  return ahead;
}
