import { Injectable } from '@nestjs/common';
import {
  isRoleAtLeast,
  type CreateProjectRequest,
  type DatabaseResponse,
  type MigrationResponse,
  type ProjectResponse,
  type ProjectItem,
  type Role,
} from '@rowhouse/contracts';
import { AppError, validationError } from '@rowhouse/errors';
import { In, IsNull, type EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { ReachFinder } from '../../access/reach-finder.js';
import { Membership } from '../../platform-db/entities/membership.js';
import { Organization } from '../../platform-db/entities/organization.js';
import { Project } from '../../platform-db/entities/project.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { DatabaseService } from '../databases/database-service.js';
import { DatabaseSettingsService } from '../databases/database-settings.js';
import { DatabaseRemoval } from '../databases/database-removal.js';
import { SessionKeyService } from '../keys/session-key-service.js';
import { MemberCredentials } from '../organizations/member-credentials.js';
import { lockOrganization } from '../organizations/organization-locks.js';
import { GRACE_MS } from '../databases/database-locks.js';
import { ProjectMaker, type CreatedProject } from './project-maker.js';

/** Creates, lists, renames, moves, deletes and restores projects. */
@Injectable()
export class ProjectService {
  constructor(
    private readonly db: PlatformDb,
    private readonly maker: ProjectMaker,
    private readonly databases: DatabaseService,
    private readonly databaseSettings: DatabaseSettingsService,
    private readonly removal: DatabaseRemoval,
    private readonly reachFinder: ReachFinder,
    private readonly sessionKeys: SessionKeyService,
    private readonly credentials: MemberCredentials,
    private readonly audit: AuditWriter,
  ) {}

  /**
   * Creates a project. If the starter is not live yet, the response has the status 202 and contains
   * `migrations`.
   */
  async create(
    context: RequestContext,
    body: CreateProjectRequest,
  ): Promise<ProjectResponse & { migrations?: MigrationResponse[] }> {
    const organizationId = await this.chooseOrganization(context, body.organization_id);
    const created = await this.maker.make({
      organizationId,
      name: body.name,
      starter: body.starter ?? 'empty',
      accountId: context.accountId,
      engine: body.engine,
      record: (manager, project) =>
        this.audit.record(manager, context, {
          action: 'project.create',
          target: project.id,
          organizationId,
          projectId: project.id,
          detail: { starter: project.starter },
        }),
    });
    const answer = await this.toResponse(created.project);
    return created.isLive
      ? answer
      : { ...answer, migrations: await this.maker.migrationsOf(created as CreatedProject) };
  }

  /**
   * Returns the requested organization. Without a request, returns the one in which the caller may create
   * projects and has been a member the longest.
   */
  async chooseOrganization(context: RequestContext, requested: string | undefined): Promise<string> {
    if (requested !== undefined) {
      await this.#assertRole(context, requested, 'developer');
      return requested;
    }
    const memberships = await this.db.global
      .getRepository(Membership)
      .find({ where: { accountId: context.accountId }, order: { createdAt: 'ASC' } });
    const reachable = new Set(await this.#pickReachable(context, memberships));
    const chosen = memberships.find(
      ({ organizationId, role }) => reachable.has(organizationId) && isRoleAtLeast(role, 'developer'),
    );
    if (chosen === undefined)
      throw new AppError('auth.role', { detail: 'You are not a developer in any organization.' });
    return chosen.organizationId;
  }

  /** Checks the caller's role in an organization that a body names. */
  async #assertRole(
    context: RequestContext,
    organizationId: string,
    least: Role,
    manager?: EntityManager,
  ): Promise<void> {
    const role = await this.reachFinder.findRole(organizationId, context.accountId, manager);
    if (role === null)
      throw validationError('body.invalid', [
        {
          loc: ['body', 'organization_id'],
          msg: 'The organization does not exist.',
          type: 'unknown_organization',
        },
      ]);
    if (!isRoleAtLeast(role, least))
      throw new AppError('auth.role', {
        detail: `This requires the role ${least} in that organization. Your role is ${role}.`,
      });
  }

  async list(context: RequestContext): Promise<ProjectItem[]> {
    const memberships = await this.db.global
      .getRepository(Membership)
      .findBy({ accountId: context.accountId });
    const projects = await this.db.global.getRepository(Project).find({
      where: {
        organizationId: In(await this.#pickReachable(context, memberships)),
        deletedAt: IsNull(),
      },
      order: { createdAt: 'ASC' },
      take: 1_000,
    });
    const databases = await this.db.cell.getRepository(TenantDatabase).find({
      where: { projectId: In(projects.map((project) => project.id)), deletedAt: IsNull() },
      order: { createdAt: 'ASC', environment: 'ASC' },
    });
    const lastCalls = await this.#readLastCalls(projects.map((project) => project.id));
    const ofProject = new Map<string, DatabaseResponse[]>(projects.map((project) => [project.id, []]));
    for (const answer of await this.databases.toResponses(databases))
      ofProject.get(answer.project_id)?.push(answer);
    return projects.map((project) => ({
      ...toProjectHead(project),
      databases: ofProject.get(project.id) ?? [],
      last_call_at: lastCalls.get(project.id) ?? null,
    }));
  }

  /** Returns the organizations whose requirement of two-factor authentication the caller meets. */
  async #pickReachable(context: RequestContext, memberships: readonly Membership[]): Promise<string[]> {
    const ids = memberships.map((membership) => membership.organizationId);
    if (context.caller.account.twoFactorAt !== null) return ids;
    const open = await this.db.global
      .getRepository(Organization)
      .findBy({ id: In(ids), requiresTwoFactor: false });
    return open.map(({ id }) => id);
  }

  async toResponse(project: Project): Promise<ProjectResponse> {
    return { ...toProjectHead(project), databases: await this.databases.listResponses(project.id) };
  }

  /**
   * Renames a project. The new name is also stored in its databases, for the documents that gateways serve.
   */
  async rename(context: RequestContext, name: string): Promise<ProjectResponse> {
    const { project } = context;
    await this.audit.changeGlobal(
      context,
      { action: 'project.rename', target: project.id, detail: { from: project.name, to: name } },
      (manager) => manager.getRepository(Project).update({ id: project.id }, { name }),
    );
    for (const database of await this.databases.listOf(project.id))
      await this.databaseSettings.renameProject(database, name);
    return this.toResponse({ ...project, name });
  }

  /**
   * Moves the project to another organization, whose members and roles apply from then on. API keys,
   * connections and share links of its members stay valid. Credentials of other users and console keys end.
   * Earlier audit events stay in the previous organization. Requires the owner role in both.
   */
  async move(context: RequestContext, requested: string): Promise<ProjectResponse> {
    const { project } = context;
    await this.#assertRole(context, requested, 'owner');
    if (requested === project.organizationId) return this.toResponse(project);
    await this.db.globalTransaction(async (manager) => {
      await lockOrganization(manager, requested);
      // The memberships stay locked. Otherwise an owner who is being removed could move the project away.
      await this.reachFinder.assertAccessUnchanged(context, manager);
      await this.#assertRole(context, requested, 'owner', manager);
      const moved = await manager
        .getRepository(Project)
        .update(
          { id: project.id, organizationId: project.organizationId, deletedAt: IsNull() },
          { organizationId: requested },
        );
      if (moved.affected === 0)
        throw new AppError('resource.conflict', {
          detail: 'The project was deleted or moved during the request.',
        });
      for (const organizationId of [project.organizationId, requested]) {
        await this.audit.record(manager, context, {
          action: 'project.move',
          target: project.id,
          organizationId,
          detail: { name: project.name, from: project.organizationId, to: requested },
        });
      }
    });
    await this.sessionKeys.endProject(project.id);
    const revoked = await this.credentials.revokeOfOutsiders(project.id, requested);
    if (Object.values(revoked).some((count) => count > 0))
      await this.audit.write(context, {
        action: 'project.credentials_revoke',
        target: project.id,
        organizationId: requested,
        detail: { ...revoked },
      });
    return this.toResponse({ ...project, organizationId: requested });
  }

  /** Deletes a project. Its keys and connections end immediately. The data is retained for seven days. */
  async delete(context: RequestContext, confirm: string): Promise<void> {
    const { project } = context;
    if (confirm !== project.name)
      throw new AppError('resource.confirmation', { hint: 'confirm must be the name of the project' });
    const now = new Date(this.db.nowMs());
    await this.audit.changeGlobal(
      context,
      { action: 'project.delete', target: project.id, detail: { name: project.name } },
      (manager) => manager.getRepository(Project).update({ id: project.id }, { deletedAt: now }),
    );
    for (const database of await this.databases.listOf(project.id)) await this.removal.remove(database, now);
    // The files of the project expire together with the project.
    const until = new Date(now.getTime() + GRACE_MS);
    await this.db.cell.query(
      'UPDATE transfer_file SET expires_at = ? WHERE project_id = ? AND cell_id = ? AND (expires_at IS NULL OR expires_at > ?)',
      [until, project.id, this.db.cellId, until],
    );
  }

  async restore(context: RequestContext): Promise<ProjectResponse> {
    const { project } = context;
    const { deletedAt } = project;
    if (deletedAt === null) return this.toResponse(project);
    if (deletedAt.getTime() + GRACE_MS <= this.db.nowMs())
      throw new AppError('resource.not_found', { detail: 'This project can no longer be restored.' });
    const databases = await this.db.cell.getRepository(TenantDatabase).findBy({ projectId: project.id });
    // Databases that were deleted separately before the project stay deleted. The project is updated last, so
    // that a failed restore can be repeated.
    const removed = databases.filter(
      (tenantDatabase) =>
        tenantDatabase.deletedAt !== null && tenantDatabase.deletedAt.getTime() >= deletedAt.getTime(),
    );
    await this.removal.restore(removed);
    try {
      await this.db.globalTransaction(async (manager) => {
        await lockOrganization(manager, project.organizationId);
        await manager.getRepository(Project).update({ id: project.id }, { deletedAt: null });
        await this.audit.record(manager, context, { action: 'project.restore', target: project.id });
      });
    } catch (error) {
      // The organization was deleted in the meantime, so no user could reach the databases. They are removed
      // again.
      for (const database of removed) await this.removal.remove(database);
      throw error;
    }
    return this.toResponse({ ...project, deletedAt: null });
  }

  /**
   * Returns the last use of each project's keys, as reported by gateways. Projects without requests are
   * absent. Console keys do not count.
   */
  async #readLastCalls(projectIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (projectIds.length === 0) return new Map();
    const rows = await this.db.cell.query<{ project_id: string; at: string }[]>(
      `SELECT d.project_id, DATE_FORMAT(MAX(k.last_used_at), '%Y-%m-%dT%H:%i:%s.000Z') AS at FROM tenant_database d
       JOIN api_key k ON k.database_id = d.id AND k.kind = 'api' AND k.last_used_at IS NOT NULL
       WHERE d.cell_id = ? AND d.project_id IN (${projectIds.map(() => '?').join(', ')}) GROUP BY d.project_id`,
      [this.db.cellId, ...projectIds],
    );
    return new Map(rows.map((row) => [row.project_id, row.at]));
  }
}

function toProjectHead(project: Project): Omit<ProjectResponse, 'databases'> {
  return {
    id: project.id,
    organization_id: project.organizationId,
    name: project.name,
    created_at: project.createdAt.toISOString(),
  };
}
