import { Project } from '../../platform-db/entities/project.js';
import type { PlatformDb } from '../../platform-db/platform-db.js';

/**
 * Returns the ids of all projects, deleted ones included, of the account that created a project. Limits per
 * account use this list. For an unknown project, returns only its id.
 */
export async function listProjectsOfCreator(db: PlatformDb, projectId: string): Promise<string[]> {
  const projects = db.global.getRepository(Project);
  const project = await projects.findOneBy({ id: projectId });
  if (project === null) return [projectId];
  const own = await projects.find({ where: { createdBy: project.createdBy }, select: { id: true } });
  return own.map(({ id }) => id);
}
