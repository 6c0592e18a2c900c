import { Injectable } from '@nestjs/common';
import { isRoleAtLeast, type Role } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { IsNull, type EntityManager } from 'typeorm';
import { Account } from '../platform-db/entities/account.js';
import { ApiKey } from '../platform-db/entities/api-key.js';
import { ConnectionUser } from '../platform-db/entities/connection-user.js';
import { Membership } from '../platform-db/entities/membership.js';
import { MigrationRow } from '../platform-db/entities/migration-row.js';
import { Organization } from '../platform-db/entities/organization.js';
import { PersonalAccessToken } from '../platform-db/entities/personal-access-token.js';
import { Project } from '../platform-db/entities/project.js';
import { SessionRow } from '../platform-db/entities/session-row.js';
import { TenantDatabase } from '../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../platform-db/platform-db.js';
import type { ResourceKind } from './access-rule.js';
import type { Caller, Reach } from './caller.js';
import type { RequestContext } from './request-context.js';

type Found = Omit<Reach, 'role'>;

interface Member {
  readonly role: Role;
  /** Whether the organization requires two-factor authentication, and the account does not have it. */
  readonly lacksTwoFactor: boolean;
}

/** Finds the organization of a resource and the caller's role in it. */
@Injectable()
export class ReachFinder {
  constructor(private readonly db: PlatformDb) {}

  /** Returns null when the resource does not exist or the account is not a member of its organization. */
  async find(on: ResourceKind, id: string, accountId: string, withDeleted: boolean): Promise<Reach | null> {
    const found = await this.#load(on, id, withDeleted);
    if (found === null || idIn(on, found) !== id) return null;
    const role = await this.findRole(found.organizationId, accountId);
    return role === null ? null : { ...found, role };
  }

  /**
   * Returns the account's role in the organization, or null. With `manager`, the membership is locked until
   * the transaction ends.
   *
   * @throws AppError `auth.two_factor_required` if the organization requires what the account lacks
   */
  async findRole(organizationId: string, accountId: string, manager?: EntityManager): Promise<Role | null> {
    const found = await this.#findMember(organizationId, accountId, manager);
    if (found?.lacksTwoFactor === true)
      throw new AppError('auth.two_factor_required', {
        hint: 'Set it up for your account. Your access tokens work again after that.',
      });
    return found?.role ?? null;
  }

  async #findMember(
    organizationId: string,
    accountId: string,
    manager: EntityManager | undefined,
  ): Promise<Member | null> {
    return manager === undefined
      ? this.#readMember(organizationId, accountId)
      : this.#lockMember(manager, organizationId, accountId);
  }

  /** Reads the role and the requirement in one query, because nearly every request needs them. */
  async #readMember(organizationId: string, accountId: string): Promise<Member | null> {
    const [row] = await this.db.global.query<
      { organization_id: string; role: Role; lacks_two_factor: number | string }[]
    >(
      `SELECT m.organization_id, m.role, o.requires_two_factor = 1 AND a.two_factor_at IS NULL AS lacks_two_factor
       FROM membership m JOIN organization o ON o.id = m.organization_id JOIN account a ON a.id = m.account_id
       WHERE m.organization_id = ? AND m.account_id = ?`,
      [organizationId, accountId],
    );
    return row?.organization_id === organizationId
      ? { role: row.role, lacksTwoFactor: Number(row.lacks_two_factor) === 1 }
      : null;
  }

  /** Locks only the membership. A lock on the organization or account would block other requests. */
  async #lockMember(
    manager: EntityManager,
    organizationId: string,
    accountId: string,
  ): Promise<Member | null> {
    const membership = await manager
      .getRepository(Membership)
      .findOne({ where: { organizationId, accountId }, lock: { mode: 'pessimistic_write' } });
    if (membership?.organizationId !== organizationId) return null;
    const lacksTwoFactor =
      (await manager.getRepository(Organization).existsBy({ id: organizationId, requiresTwoFactor: true })) &&
      (await manager.getRepository(Account).existsBy({ id: accountId, twoFactorAt: IsNull() }));
    return { role: membership.role, lacksTwoFactor };
  }

  /**
   * Throws `resource.conflict` unless `isAccessUnchanged` returns true. Call it after a wait and before a
   * change. With `manager`, the membership is locked until the transaction ends.
   */
  async assertAccessUnchanged(context: RequestContext, manager?: EntityManager): Promise<void> {
    if (!(await this.isAccessUnchanged(context, manager))) throw changedConcurrently();
  }

  /**
   * Returns whether the caller still has the access with which the request was admitted. The credential must
   * be valid, and the role and the location of project and database must be unchanged. Call it after creating
   * an object. Code that removes access first changes the row and then looks for existing objects, so at
   * least one of the two detects the other.
   */
  async isAccessUnchanged(
    { caller, accountId, reach: { organizationId, role, project, database } }: RequestContext,
    manager?: EntityManager,
  ): Promise<boolean> {
    const global = manager ?? this.db.global;
    if (!(await isValid(global, caller))) return false;
    if (
      project !== null &&
      !(await global.getRepository(Project).existsBy({ id: project.id, organizationId, deletedAt: IsNull() }))
    )
      return false;
    if (
      database !== null &&
      !(await this.db.cell.getRepository(TenantDatabase).existsBy({ id: database.id, deletedAt: IsNull() }))
    )
      return false;
    const now = await this.#findMember(organizationId, accountId, manager);
    return now !== null && isRoleAtLeast(now.role, role) && !now.lacksTwoFactor;
  }

  async #load(on: ResourceKind, id: string, withDeleted: boolean): Promise<Found | null> {
    if (on === 'organization') return { ...NOTHING, organizationId: id };
    if (on === 'project') return this.#loadProject(id, withDeleted);
    if (on === 'database') return this.#loadDatabase(id);
    if (on === 'key') {
      const key = await this.db.cell.getRepository(ApiKey).findOneBy({ id, cellId: this.db.cellId });
      return key === null ? null : this.#extend(await this.#loadDatabase(key.databaseId), { key });
    }
    if (on === 'connection') {
      const connection = await this.db.cell
        .getRepository(ConnectionUser)
        .findOneBy({ id, cellId: this.db.cellId });
      return connection === null
        ? null
        : this.#extend(await this.#loadDatabase(connection.databaseId), { connection });
    }
    const migration = await this.db.cell
      .getRepository(MigrationRow)
      .findOneBy({ id, cellId: this.db.cellId });
    return migration === null
      ? null
      : this.#extend(await this.#loadDatabase(migration.databaseId), { migration });
  }

  async #loadProject(id: string, withDeleted: boolean): Promise<Found | null> {
    const project = await this.db.global.getRepository(Project).findOneBy({ id });
    if (project === null || (project.deletedAt !== null && !withDeleted)) return null;
    return { ...NOTHING, organizationId: project.organizationId, project };
  }

  async #loadDatabase(id: string): Promise<Found | null> {
    const database = await this.db.cell
      .getRepository(TenantDatabase)
      .findOneBy({ id, cellId: this.db.cellId });
    if (database === null || database.deletedAt !== null) return null;
    return this.#extend(await this.#loadProject(database.projectId, false), { database });
  }

  #extend(found: Found | null, more: Partial<Found>): Found | null {
    return found === null ? null : { ...found, ...more };
  }
}

/** Returns whether the session or token of the request is neither ended nor revoked. */
async function isValid(
  global: Pick<EntityManager, 'getRepository'>,
  { sessionId, tokenId }: Caller,
): Promise<boolean> {
  if (sessionId !== null)
    return global.getRepository(SessionRow).existsBy({ id: sessionId, revokedAt: IsNull() });
  return (
    tokenId === null ||
    global.getRepository(PersonalAccessToken).existsBy({ id: tokenId, revokedAt: IsNull() })
  );
}

/** Ids are compared exactly, because some collations ignore trailing spaces or case (ADR 35). */
function idIn(on: ResourceKind, found: Found): string | undefined {
  return on === 'organization' ? found.organizationId : found[on]?.id;
}

const NOTHING: Omit<Found, 'organizationId'> = {
  project: null,
  database: null,
  key: null,
  connection: null,
  migration: null,
};

/**
 * Creates the error for a call whose access ended while it ran. Objects that the call created are removed.
 */
export function changedConcurrently(): AppError {
  return new AppError('resource.conflict', {
    detail: 'Your role, the project or the database changed during the request.',
  });
}
