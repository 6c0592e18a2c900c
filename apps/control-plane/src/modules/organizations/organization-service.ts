import { Injectable } from '@nestjs/common';
import {
  isRoleAtLeast,
  type MemberResponse,
  type MemberCredentialsResponse,
  type OrganizationResponse,
  type Role,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { In, type EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { Account } from '../../platform-db/entities/account.js';
import { Membership } from '../../platform-db/entities/membership.js';
import { Organization } from '../../platform-db/entities/organization.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { lockAccount } from '../auth/account-rows.js';
import { SessionKeyService } from '../keys/session-key-service.js';
import { MEMBERS_MAX } from './invitation-service.js';
import { MemberCredentials } from './member-credentials.js';
import { lockOrganization, assertCapacityForOne } from './organization-locks.js';
import { nameProjects, removeOrganization } from './remove-organization.js';

/** Manages organizations and their members. An organization always has at least one owner. */
@Injectable()
export class OrganizationService {
  constructor(
    private readonly db: PlatformDb,
    private readonly sessionKeys: SessionKeyService,
    private readonly credentials: MemberCredentials,
    private readonly audit: AuditWriter,
  ) {}

  async listOf(accountId: string): Promise<OrganizationResponse[]> {
    const memberships = await this.db.global
      .getRepository(Membership)
      .find({ where: { accountId }, order: { createdAt: 'ASC' } });
    const organizations = await this.db.global
      .getRepository(Organization)
      .findBy({ id: In(memberships.map((membership) => membership.organizationId)) });
    const byId = new Map(organizations.map((organization) => [organization.id, organization]));
    return memberships.flatMap(({ organizationId, role }) => {
      const found = byId.get(organizationId);
      return found === undefined ? [] : [toOrganizationResponse(found, role)];
    });
  }

  /** Inserts an organization with its first owner. */
  async insert(manager: EntityManager, name: string, ownerId: string): Promise<OrganizationResponse> {
    const id = createId('org');
    const row = { id, name, requiresTwoFactor: false, createdAt: new Date() };
    await manager.getRepository(Organization).insert(row);
    await manager
      .getRepository(Membership)
      .insert({ organizationId: id, accountId: ownerId, role: 'owner', createdAt: new Date() });
    return toOrganizationResponse(row, 'owner');
  }

  async create(context: RequestContext, name: string): Promise<OrganizationResponse> {
    return this.db.globalTransaction(async (manager) => {
      // The account is locked. If it were deleted at the same time, the organization would have no owner.
      await lockAccount(
        manager,
        context.caller.account,
        () => new AppError('resource.conflict', { detail: 'The account changed during the request.' }),
      );
      await assertCapacityForOne(manager, context.accountId);
      const created = await this.insert(manager, name, context.accountId);
      await this.audit.record(manager, context, {
        action: 'organization.create',
        target: created.id,
        organizationId: created.id,
      });
      return created;
    });
  }

  async find(context: RequestContext): Promise<OrganizationResponse> {
    const { organizationId, role } = context.reach;
    const found = await this.db.global.getRepository(Organization).findOneBy({ id: organizationId });
    // The organization was deleted after the request was admitted.
    if (found === null)
      throw new AppError('resource.not_found', { detail: 'The organization does not exist.' });
    return toOrganizationResponse(found, role);
  }

  async rename(context: RequestContext, name: string): Promise<OrganizationResponse> {
    const { organizationId: id } = context.reach;
    await this.audit.changeGlobal(context, { action: 'organization.rename', target: id }, (manager) =>
      manager.getRepository(Organization).update({ id }, { name }),
    );
    return this.find(context);
  }

  /**
   * Decides whether members need two-factor authentication. The caller must have it, so that no owner is
   * locked out. The console keys of members without it end; their other access ends with the next request.
   */
  async requireTwoFactor(context: RequestContext, isRequired: boolean): Promise<OrganizationResponse> {
    const { organizationId: id } = context.reach;
    if (isRequired && context.caller.account.twoFactorAt === null)
      throw new AppError('resource.conflict', {
        detail: 'Your own account has no two-factor authentication.',
        hint: 'Set it up first, so that you keep your access.',
      });
    await this.audit.changeGlobal(
      context,
      { action: 'organization.two_factor', target: id, detail: { required: isRequired } },
      (manager) => manager.getRepository(Organization).update({ id }, { requiresTwoFactor: isRequired }),
    );
    if (isRequired)
      for (const member of await this.listMembers(id, 'owner'))
        if (member.has_two_factor === false) await this.sessionKeys.endMember(member.account_id, id);
    return this.find(context);
  }

  /**
   * Deletes the organization immediately and permanently. Its deleted projects can no longer be restored.
   * Throws `resource.conflict` with the names of remaining projects.
   */
  async delete(context: RequestContext, confirm: string): Promise<void> {
    const { organizationId } = context.reach;
    await this.db.globalTransaction(async (manager) => {
      const organization = await lockOrganization(manager, organizationId);
      if (confirm !== organization.name)
        throw new AppError('resource.confirmation', { hint: 'confirm must be the name of the organization' });
      const projects = await nameProjects(manager, organizationId);
      if (projects !== null)
        throw new AppError('resource.conflict', {
          detail: `${organization.name} still has these projects: ${projects}.`,
          hint: 'Delete them first, or move them to another organization.',
        });
      await removeOrganization(manager, organizationId);
      await this.audit.record(manager, context, {
        action: 'organization.delete',
        target: organizationId,
        detail: { name: organization.name },
      });
    });
  }

  /** Lists the members. Only owners and admins see who has two-factor authentication. */
  async listMembers(organizationId: string, reader: Role): Promise<MemberResponse[]> {
    const memberships = await this.db.global
      .getRepository(Membership)
      .find({ where: { organizationId }, order: { createdAt: 'ASC' }, take: MEMBERS_MAX });
    const accounts = await this.db.global
      .getRepository(Account)
      .findBy({ id: In(memberships.map((membership) => membership.accountId)) });
    const byId = new Map(accounts.map((account) => [account.id, account]));
    return memberships.flatMap((membership) => {
      const account = byId.get(membership.accountId);
      if (account === undefined) return [];
      return [
        {
          account_id: account.id,
          email: account.email,
          name: account.name,
          role: membership.role,
          has_two_factor: isRoleAtLeast(reader, 'admin') ? account.twoFactorAt !== null : null,
          created_at: membership.createdAt.toISOString(),
        },
      ];
    });
  }

  /**
   * Changes a member's role. No caller can grant a role above the caller's own, or change a member with a
   * higher role. Viewers cannot create credentials, so those of a member who becomes a viewer are revoked,
   * unless `keepsCredentials` is true.
   */
  async changeMember(
    context: RequestContext,
    accountId: string,
    role: Role,
    keepsCredentials: boolean,
  ): Promise<MemberResponse> {
    const { organizationId } = context.reach;
    const isRevoking = role === 'viewer' && !keepsCredentials;
    const revoked = isRevoking ? await this.credentials.count(accountId, organizationId) : undefined;
    await this.db.globalTransaction(async (manager) => {
      await this.#assertMayTouch(manager, context, accountId, role);
      await manager.getRepository(Membership).update({ organizationId, accountId }, { role });
      await assertOwnerLeft(manager, organizationId);
      await this.audit.record(manager, context, {
        action: 'member.change',
        target: accountId,
        detail: { role, ...(revoked === undefined ? {} : { revoked }) },
      });
    });
    await this.sessionKeys.endMember(accountId, organizationId);
    if (isRevoking) await this.credentials.revokeAll(accountId, organizationId);
    const members = await this.listMembers(organizationId, context.reach.role);
    return members.find((member) => member.account_id === accountId) as MemberResponse;
  }

  /**
   * Counts the credentials that removing a member would revoke. Members can request their own count, and
   * admins the count of any member.
   */
  async countCredentials(context: RequestContext, accountId: string): Promise<MemberCredentialsResponse> {
    if (accountId !== context.accountId)
      await this.db.globalTransaction((manager) =>
        this.#assertMayTouch(manager, context, accountId, 'viewer'),
      );
    return this.credentials.count(accountId, context.reach.organizationId);
  }

  /**
   * Removes a member, or lets the caller leave. The API keys, connections and share links that the member
   * created or rotated last are revoked, unless `keepsCredentials` is true. Only owners may keep their own
   * credentials. Also revokes what a former member left, after a call that failed midway or kept it.
   */
  async removeMember(context: RequestContext, accountId: string, keepsCredentials: boolean): Promise<void> {
    const { organizationId, role } = context.reach;
    // Without this check, a member could leave before being removed, and keep the credentials.
    if (keepsCredentials && accountId === context.accountId && role !== 'owner')
      throw new AppError('auth.role', {
        detail: `Only owners can keep their credentials when they leave. Your role is ${role}.`,
      });
    const revoked = keepsCredentials ? null : await this.credentials.count(accountId, organizationId);
    await this.db.globalTransaction(async (manager) => {
      const isFormer = hasAny(revoked) && !(await this.#isMember(manager, organizationId, accountId));
      if (isFormer) assertAdmin(role);
      else await this.#deleteMembership(manager, context, accountId);
      await this.audit.record(manager, context, {
        action: 'member.remove',
        target: accountId,
        detail: { revoked },
      });
    });
    await this.sessionKeys.endMember(accountId, organizationId);
    if (!keepsCredentials) await this.credentials.revokeAll(accountId, organizationId);
  }

  async #isMember(manager: EntityManager, organizationId: string, accountId: string): Promise<boolean> {
    const member = await manager.getRepository(Membership).findOneBy({ organizationId, accountId });
    return member?.accountId === accountId;
  }

  async #deleteMembership(manager: EntityManager, context: RequestContext, accountId: string): Promise<void> {
    const { organizationId } = context.reach;
    if (accountId !== context.accountId) await this.#assertMayTouch(manager, context, accountId, 'viewer');
    const result = await manager.getRepository(Membership).delete({ organizationId, accountId });
    if ((result.affected ?? 0) === 0)
      throw new AppError('resource.not_found', { detail: 'The member does not exist.' });
    await assertOwnerLeft(manager, organizationId);
  }

  async #assertMayTouch(
    manager: EntityManager,
    context: RequestContext,
    accountId: string,
    role: Role,
  ): Promise<void> {
    const { organizationId, role: own } = context.reach;
    assertAdmin(own);
    const member = await manager.getRepository(Membership).findOneBy({ organizationId, accountId });
    // Ids are compared exactly here, because the collation of the database may treat different ids as equal
    // (ADR 35).
    if (member?.accountId !== accountId)
      throw new AppError('resource.not_found', { detail: 'The member does not exist.' });
    if (!isRoleAtLeast(own, role) || !isRoleAtLeast(own, member.role))
      throw new AppError('auth.role', { detail: 'You cannot give or change a role higher than yours.' });
  }
}

function toOrganizationResponse(
  { id, name, requiresTwoFactor }: Pick<Organization, 'id' | 'name' | 'requiresTwoFactor'>,
  role: Role,
): OrganizationResponse {
  return { id, name, role, requires_two_factor: requiresTwoFactor };
}

function assertAdmin(role: Role): void {
  if (!isRoleAtLeast(role, 'admin'))
    throw new AppError('auth.role', { detail: `This requires the role admin. Your role is ${role}.` });
}

function hasAny(credentials: MemberCredentialsResponse | null): boolean {
  return credentials !== null && Object.values(credentials).some((count) => count > 0);
}

/**
 * Throws unless an owner remains. The rows of owners are locked, so that two owners cannot leave at the same
 * time.
 */
async function assertOwnerLeft(manager: EntityManager, organizationId: string): Promise<void> {
  const owners = await manager.query<unknown[]>(
    "SELECT account_id FROM membership WHERE organization_id = ? AND role = 'owner' FOR UPDATE",
    [organizationId],
  );
  if (owners.length === 0)
    throw new AppError('resource.conflict', { detail: 'An organization needs at least one owner.' });
}
