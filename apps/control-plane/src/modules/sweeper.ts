import type { INestApplication } from '@nestjs/common';
import type { Logger } from '@rowhouse/runtime';
import { In, IsNull, MoreThan, Not } from 'typeorm';
import { Project } from '../platform-db/entities/project.js';
import { TenantDatabase } from '../platform-db/entities/tenant-database.js';
import { WorkingSchema } from '../platform-db/entities/working-schema.js';
import { PlatformDb } from '../platform-db/platform-db.js';
import { TaskRunner } from '../platform/task-runner.js';
import { ProjectMaker } from './projects/project-maker.js';
import { GRACE_MS } from './projects/project-service.js';

const HOUR_MS = 3_600_000;
const RESUME_WITHIN_MS = 86_400_000;

/** What has to happen without anyone asking: ended grace periods, and projects whose making a stop cut short. Answers its own end. */
export function startSweeper(app: INestApplication, logger: Logger): () => void {
  const db = app.get(PlatformDb);
  const sweep = (): void => {
    dropExpired(db, app.get(TaskRunner)).catch((error: unknown) => logger.warn({ err: error }, 'sweep of deleted databases failed'));
  };
  resumeUnfinished(db, app.get(ProjectMaker), logger).catch((error: unknown) => logger.warn({ err: error }, 'unfinished projects were not looked at'));
  sweep();
  const timer = setInterval(sweep, HOUR_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** One `drop_database` task per database whose grace period is over. A database that has one already gets no other. */
export async function dropExpired(db: PlatformDb, tasks: TaskRunner): Promise<string[]> {
  const expired = await db.cell.query<{ id: string; project_id: string }[]>(
    `SELECT d.id, d.project_id FROM tenant_database d
     WHERE d.cell_id = ? AND d.deleted_at < ? AND NOT EXISTS (SELECT 1 FROM task t WHERE t.kind = 'drop_database' AND t.database_id = d.id) LIMIT 100`,
    [db.cellId, new Date(Date.now() - GRACE_MS)],
  );
  for (const { id, project_id: projectId } of expired) await tasks.enqueue('drop_database', { database_id: id }, { databaseId: id, projectId });
  return expired.map((row) => row.id);
}

/** Projects of the last day with a starter, ready databases and no schema. */
async function resumeUnfinished(db: PlatformDb, maker: ProjectMaker, logger: Logger): Promise<void> {
  const recent = await db.global.getRepository(Project).find({
    where: { cellId: db.cellId, deletedAt: IsNull(), starter: Not('empty'), createdAt: MoreThan(new Date(Date.now() - RESUME_WITHIN_MS)) },
    take: 1_000,
  });
  const begun = await db.cell.getRepository(WorkingSchema).find({ where: { projectId: In(recent.map((project) => project.id)) }, select: { projectId: true, revision: true } });
  const hasSchema = new Set(begun.map((row) => row.projectId));
  for (const project of recent.filter((one) => !hasSchema.has(one.id))) {
    const isPending = await db.cell.getRepository(TenantDatabase).existsBy({ projectId: project.id, provisionState: Not('ready') });
    if (!isPending) await maker.resume(project).catch((error: unknown) => logger.warn({ err: error, project: project.id }, 'a starter was not deployed'));
  }
}
