import type { MigrationPlan } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { SoftDeletedObject, KeyUse, RenameHint } from '@rowhouse/ddl-plan';
import type { AdminPool } from '@rowhouse/mysql';
import { parseDdlCheckpoint, type DdlCheckpoint } from '../journal/step-checkpoint.js';
import { readJson } from '../sql-values.js';

/** The change that created one revision of a draft, or the earlier revision that it restored. */
export interface RevisionText {
  readonly revision: number;
  readonly statements: string;
  readonly restores: number | null;
  /**
   * Whether the text is the complete schema or a change of it. Null for revisions that older versions
   * created.
   */
  readonly mode: 'replace' | 'apply' | null;
  /** The renames that the author declared in addition to the text. */
  readonly renames: readonly RenameHint[];
}

/** A deploy or a revert that ended before all of its steps were done. */
export interface BrokenRun {
  readonly migrationId: string;
  readonly revertsId: string | null;
  readonly plan: MigrationPlan;
  /** The statements that were started, in order. */
  readonly steps: readonly {
    readonly isDone: boolean;
    readonly statement: string;
    readonly checkpoint: DdlCheckpoint;
  }[];
}

/** Reads drafts, deployed schemas, and the migrations between them. */
export interface SchemaReads {
  /** Returns the stored snapshot with this content hash. Returns null if it does not exist. */
  readSnapshotBody(contentHash: string): Promise<Buffer | null>;
  /** Returns the content hash of the snapshot with this number. Returns null if it does not exist. */
  readSnapshotHash(databaseId: string, number: number): Promise<string | null>;
  /**
   * Returns the content hash of the newest snapshot that a deploy published. Returns null before the first
   * deploy.
   */
  readLastDeployHash(databaseId: string): Promise<string | null>;
  readMigrationPlan(
    migrationId: string,
  ): Promise<{ databaseId: string; baseNumber: number; plan: MigrationPlan }>;
  /** Returns the objects that a migration dropped and that can still be restored, with the newest first. */
  listSoftDeleted(migrationId: string): Promise<SoftDeletedObject[]>;
  /** Returns the stored text of a draft's revision. Returns null if the revision does not exist. */
  readWorkingSnapshot(projectId: string, revision: number): Promise<string | null>;
  /**
   * Returns the newest revision after `after` and before `before`, with its stored text. Returns null if no
   * revision is in this range. The text may have several megabytes.
   */
  readNewestBetween(
    projectId: string,
    after: number,
    before: number,
  ): Promise<{ revision: number; snapshot: string } | null>;
  /**
   * Returns the revisions after `afterRevision`, up to and including `throughRevision`, with the oldest
   * first.
   */
  listRevisions(projectId: string, afterRevision: number, throughRevision: number): Promise<RevisionText[]>;
  /** Returns the routes that the API keys of the database have called in the last 30 days. */
  listKeyUse(databaseId: string): Promise<KeyUse[]>;
  /**
   * Returns the revision that was last published to the database by a migration. Returns 0 before the first
   * one.
   */
  readDeployedRevision(databaseId: string): Promise<number>;
  /** Returns the interrupted deploys and reverts since the last published one, with the oldest first. */
  listBrokenRuns(databaseId: string): Promise<BrokenRun[]>;
  /** Returns the started statements of a migration. */
  listStartedSteps(migrationId: string): Promise<BrokenRun['steps']>;
}

/** Creates the functions that read drafts, deployed schemas and their migrations. */
export function createSchemaReads(pool: AdminPool): SchemaReads {
  const listStartedSteps = async (migrationId: string): Promise<BrokenRun['steps']> => {
    const rows = await pool.rows<{ state: string; statement: string; checkpoint: unknown }>(
      `SELECT state, statement, checkpoint FROM migration_step WHERE migration_id = ? AND kind = 'ddl' AND state <> 'pending' ORDER BY ordinal`,
      [migrationId],
    );
    return rows.map((row) => ({
      isDone: row.state === 'done',
      statement: row.statement,
      checkpoint: parseDdlCheckpoint(row.checkpoint),
    }));
  };
  return {
    listStartedSteps,
    async listBrokenRuns(databaseId) {
      const rows = await pool.rows<{ id: string; reverts_id: string | null; plan: unknown }>(
        `SELECT m.id, m.reverts_id, m.plan FROM migration m WHERE m.database_id = ?
           AND m.origin IN ('deploy', 'revert')
           AND m.state IN ('failed', 'cancelled', 'needs_attention')
           AND m.created_at > (SELECT COALESCE(MAX(p.created_at), '1970-01-01') FROM migration p
             WHERE p.database_id = ? AND p.origin <> 'direct' AND p.state = 'published')
         ORDER BY m.created_at, m.id`,
        [databaseId, databaseId],
      );
      const runs: BrokenRun[] = [];
      for (const row of rows)
        runs.push({
          migrationId: row.id,
          revertsId: row.reverts_id,
          plan: readJson<MigrationPlan>(row.plan) as MigrationPlan,
          steps: await listStartedSteps(row.id),
        });
      return runs;
    },
    async readSnapshotBody(contentHash) {
      const [row] = await pool.rows<{ body: Buffer }>(
        'SELECT body FROM snapshot_content WHERE content_hash = ?',
        [contentHash],
      );
      return row?.body ?? null;
    },
    async readSnapshotHash(databaseId, number) {
      const [row] = await pool.rows<{ content_hash: string }>(
        'SELECT content_hash FROM snapshot WHERE database_id = ? AND number = ?',
        [databaseId, number],
      );
      return row?.content_hash ?? null;
    },
    async readLastDeployHash(databaseId) {
      const [row] = await pool.rows<{ content_hash: string }>(
        `SELECT content_hash FROM snapshot WHERE database_id = ? AND origin <> 'direct' AND state = 'published' ORDER BY number DESC LIMIT 1`,
        [databaseId],
      );
      return row?.content_hash ?? null;
    },
    async readMigrationPlan(migrationId) {
      const [row] = await pool.rows<{ database_id: string; base_number: number; plan: unknown }>(
        'SELECT database_id, base_number, plan FROM migration WHERE id = ?',
        [migrationId],
      );
      if (row === undefined)
        throw new AppError('resource.not_found', { detail: 'The migration does not exist.' });
      return {
        databaseId: row.database_id,
        baseNumber: Number(row.base_number),
        plan: readJson<MigrationPlan>(row.plan) as MigrationPlan,
      };
    },
    async listSoftDeleted(migrationId) {
      const rows = await pool.rows<SoftDeletedRow>(
        'SELECT * FROM kept_object WHERE migration_id = ? AND outcome IS NULL ORDER BY kept_at DESC, id',
        [migrationId],
      );
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        migrationId: row.migration_id,
        step: row.step,
        table: row.table_name,
        column: row.column_name,
        keptName: row.kept_name,
        definition: JSON.parse(row.definition) as SoftDeletedObject['definition'],
      }));
    },
    async readWorkingSnapshot(projectId, revision) {
      const [row] = await pool.rows<{ snapshot: string }>(
        'SELECT snapshot FROM working_schema WHERE project_id = ? AND revision = ?',
        [projectId, revision],
      );
      return row?.snapshot ?? null;
    },
    async readNewestBetween(projectId, after, before) {
      const [row] = await pool.rows<{ revision: number; snapshot: string }>(
        'SELECT revision, snapshot FROM working_schema WHERE project_id = ? AND revision > ? AND revision < ? ORDER BY revision DESC LIMIT 1',
        [projectId, after, before],
      );
      return row ?? null;
    },
    async listRevisions(projectId, afterRevision, throughRevision) {
      const rows = await pool.rows<Omit<RevisionText, 'renames'> & { readonly renames: string | null }>(
        'SELECT revision, statements, restores, mode, renames FROM working_schema WHERE project_id = ? AND revision > ? AND revision <= ? ORDER BY revision',
        [projectId, afterRevision, throughRevision],
      );
      return rows.map((row) => ({
        ...row,
        renames: row.renames === null ? [] : (JSON.parse(row.renames) as RenameHint[]),
      }));
    },
    async listKeyUse(databaseId) {
      const rows = await pool.rows<{
        key_id: string;
        name: string;
        kind: string;
        route: string;
        requests: string | number;
        last_at: string | Date;
      }>(
        `SELECT u.key_id, k.name, k.kind, u.route, SUM(u.requests) AS requests, MAX(u.last_at) AS last_at
           FROM key_use_day u JOIN api_key k ON k.id = u.key_id
         WHERE u.database_id = ? AND u.day >= UTC_DATE() - INTERVAL 30 DAY AND k.revoked_at IS NULL
         GROUP BY u.key_id, k.name, k.kind, u.route LIMIT 20000`,
        [databaseId],
      );
      return rows.map((row) => ({
        keyId: row.key_id,
        keyName: row.name,
        isConsole: row.kind === 'session',
        route: row.route,
        requests: Number(row.requests),
        lastUsedAt: toIso(row.last_at),
      }));
    },
    async readDeployedRevision(databaseId) {
      const [row] = await pool.rows<{ revision: number | null }>(
        `SELECT revision FROM migration WHERE database_id = ? AND state = 'published' AND origin <> 'direct' ORDER BY published_number DESC LIMIT 1`,
        [databaseId],
      );
      return Number(row?.revision ?? 0);
    },
  };
}

interface SoftDeletedRow {
  id: string;
  kind: SoftDeletedObject['kind'];
  migration_id: string;
  step: number;
  table_name: string;
  column_name: string | null;
  kept_name: string;
  definition: string;
}

function toIso(time: string | Date): string {
  return time instanceof Date ? time.toISOString() : `${time.replace(' ', 'T').slice(0, 19)}.000Z`;
}
