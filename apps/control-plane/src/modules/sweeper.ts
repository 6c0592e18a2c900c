import { HOUR_MS } from '@rowhouse/contracts';
import type { INestApplication } from '@nestjs/common';
import type { Logger } from '@rowhouse/runtime';
import { In, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import { ConnectionUser } from '../platform-db/entities/connection-user.js';
import { Project } from '../platform-db/entities/project.js';
import { TenantDatabase } from '../platform-db/entities/tenant-database.js';
import { WorkingSchema } from '../platform-db/entities/working-schema.js';
import { PlatformDb } from '../platform-db/platform-db.js';
import { startPeriodicJobs } from '../platform/periodic-jobs.js';
import { TaskRunner } from '../platform/task-runner.js';
import { AuditOutbox } from '../platform/audit-outbox.js';
import { ConnectionService } from './connections/connection-service.js';
import { EmailTokenService } from './account/email-token-service.js';
import { SessionKeyService } from './keys/session-key-service.js';
import { FailureNotices } from './mail/failure-notices.js';
import { BackupSchedule } from './transfers/backup-schedule.js';
import { SignInStates } from './two-factor/sign-in-states.js';
import { TransferFiles } from './transfers/transfer-files.js';
import { ProjectMaker } from './projects/project-maker.js';
import { GRACE_MS } from './databases/database-locks.js';

const EXPIRY_MS = 10_000;
const RESUME_WITHIN_MS = 86_400_000;
const BACKUP_MS = 300_000;

/** Runs the periodic work of a control plane. Returns a function that stops it. */
export function startSweeper(app: INestApplication, logger: Logger): () => void {
  const db = app.get(PlatformDb);
  const connections = app.get(ConnectionService);
  resumeUnfinished(db, app.get(ProjectMaker), logger).catch((error: unknown) =>
    logger.warn({ err: error }, 'unfinished projects were not resumed'),
  );
  const hourly = { everyMs: HOUR_MS, startsNow: true };
  return startPeriodicJobs(
    [
      { name: 'sweep files', ...hourly, run: () => app.get(TransferFiles).sweep() },
      { name: 'sweep key use', ...hourly, run: () => deleteOldKeyUse(db) },
      { name: 'sweep questions', ...hourly, run: () => deleteOldQuestions(db) },
      { name: 'sweep email tokens', ...hourly, run: () => app.get(EmailTokenService).sweep() },
      { name: 'sweep pending sign-ins', ...hourly, run: () => app.get(SignInStates).sweep() },
      { name: 'sweep session keys', ...hourly, run: () => app.get(SessionKeyService).sweep() },
      { name: 'drop databases', ...hourly, run: () => dropExpired(db, app.get(TaskRunner)) },
      { name: 'expire connections', everyMs: EXPIRY_MS, run: () => endExpiredConnections(db, connections) },
      { name: 'end overlaps', everyMs: EXPIRY_MS, run: () => connections.endOverlaps() },
      { name: 'move audit events', everyMs: EXPIRY_MS, run: () => app.get(AuditOutbox).flush() },
      { name: 'mail failures', everyMs: EXPIRY_MS, run: () => app.get(FailureNotices).sendAll() },
      { name: 'back up', everyMs: BACKUP_MS, run: () => app.get(BackupSchedule).run() },
    ],
    logger,
  );
}

/** Revokes expired connections. Two control planes may create one task too many, which is harmless. */
export async function endExpiredConnections(
  db: PlatformDb,
  connections: ConnectionService,
): Promise<string[]> {
  const expired = await db.cell.getRepository(ConnectionUser).find({
    where: { cellId: db.cellId, revokedAt: IsNull(), expiresAt: LessThan(new Date(db.nowMs())) },
    take: 100,
  });
  const databases = await db.cell
    .getRepository(TenantDatabase)
    .findBy({ id: In(expired.map((connectionUser) => connectionUser.databaseId)) });
  for (const connection of expired) {
    const projectId = databases.find((row) => row.id === connection.databaseId)?.projectId;
    if (projectId !== undefined) await connections.end(connection, projectId);
  }
  return expired.map((connectionUser) => connectionUser.id);
}

/** Creates a `drop_database` task for each database whose grace period is over, unless it has one. */
export async function dropExpired(db: PlatformDb, tasks: TaskRunner): Promise<string[]> {
  const expired = await db.cell.query<{ id: string; project_id: string }[]>(
    `SELECT d.id, d.project_id FROM tenant_database d
     WHERE d.cell_id = ? AND d.deleted_at < ? AND NOT EXISTS (SELECT 1 FROM task t WHERE t.kind = 'drop_database' AND t.database_id = d.id) LIMIT 100`,
    [db.cellId, new Date(db.nowMs() - GRACE_MS)],
  );
  for (const { id, project_id: projectId } of expired)
    await tasks.enqueue('drop_database', { database_id: id }, { databaseId: id, projectId });
  return expired.map((row) => row.id);
}

/** Deletes key use older than the 30 days that schema changes consider. */
export async function deleteOldKeyUse(db: PlatformDb): Promise<void> {
  await db.cell.query(
    'DELETE FROM key_use_day WHERE cell_id = ? AND day < UTC_DATE() - INTERVAL 40 DAY LIMIT 50000',
    [db.cellId],
  );
}

/**
 * Deletes questions after 30 days. Accepted and saved questions are deleted with their database, and a
 * language model with the last database of its project.
 */
export async function deleteOldQuestions(db: PlatformDb): Promise<void> {
  await db.cell.query(
    'DELETE FROM question_log WHERE cell_id = ? AND at < UTC_TIMESTAMP() - INTERVAL 30 DAY LIMIT 50000',
    [db.cellId],
  );
  await db.cell.query(
    'DELETE FROM model_use_day WHERE cell_id = ? AND day < UTC_DATE() - INTERVAL 400 DAY LIMIT 50000',
    [db.cellId],
  );
  const ended = new Date(db.nowMs() - GRACE_MS);
  for (const table of ['question_log', 'accepted_question', 'saved_query']) {
    await db.cell.query(
      `DELETE FROM ${table} WHERE cell_id = ? AND database_id IN (SELECT id FROM tenant_database WHERE cell_id = ? AND deleted_at < ?) LIMIT 50000`,
      [db.cellId, db.cellId, ended],
    );
  }
  await db.cell.query(
    'DELETE FROM project_model WHERE cell_id = ? AND project_id NOT IN (SELECT project_id FROM tenant_database WHERE cell_id = ? AND (deleted_at IS NULL OR deleted_at >= ?))',
    [db.cellId, db.cellId, ended],
  );
}

/** Deploys the starter of each project of the last day that has ready databases but no schema. */
async function resumeUnfinished(db: PlatformDb, maker: ProjectMaker, logger: Logger): Promise<void> {
  const recent = await db.global.getRepository(Project).find({
    where: {
      cellId: db.cellId,
      deletedAt: IsNull(),
      starter: Not('empty'),
      createdAt: MoreThan(new Date(db.nowMs() - RESUME_WITHIN_MS)),
    },
    take: 1_000,
  });
  const started = await db.cell.getRepository(WorkingSchema).find({
    where: { projectId: In(recent.map((project) => project.id)) },
    select: { projectId: true, revision: true },
  });
  const hasSchema = new Set(started.map((row) => row.projectId));
  for (const project of recent.filter((project) => !hasSchema.has(project.id))) {
    const isPending = await db.cell
      .getRepository(TenantDatabase)
      .existsBy({ projectId: project.id, provisionState: Not('ready') });
    if (!isPending)
      await maker
        .resume(project)
        .catch((error: unknown) =>
          logger.warn({ err: error, project: project.id }, 'a starter was not deployed'),
        );
  }
}
