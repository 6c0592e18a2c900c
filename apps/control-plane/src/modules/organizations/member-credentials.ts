import { Injectable } from '@nestjs/common';
import type { MemberCredentialsResponse } from '@rowhouse/contracts';
import { In, IsNull, MoreThan, Raw, type FindOptionsWhere } from 'typeorm';
import { ApiKey } from '../../platform-db/entities/api-key.js';
import { ConnectionUser } from '../../platform-db/entities/connection-user.js';
import { Membership } from '../../platform-db/entities/membership.js';
import { Project } from '../../platform-db/entities/project.js';
import { ShareLink } from '../../platform-db/entities/share-link.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { ConnectionService } from '../connections/connection-service.js';
import { SessionKeyService } from '../keys/session-key-service.js';
import { ShareService } from '../shares/share-service.js';

interface Credentials {
  readonly keys: readonly ApiKey[];
  readonly connections: readonly ConnectionUser[];
  readonly links: readonly ShareLink[];
  /** The project of each database of the organization. */
  readonly projectOf: ReadonlyMap<string, string>;
}

/**
 * Finds and revokes the credentials that a former member may still know. These are API keys, connections and
 * share links that the member created or rotated last. They also include connections that another member has
 * since rotated with an overlap. Such a rotation ends no session, and on MariaDB a session can set a password
 * itself.
 */
@Injectable()
export class MemberCredentials {
  constructor(
    private readonly db: PlatformDb,
    private readonly sessionKeys: SessionKeyService,
    private readonly connections: ConnectionService,
    private readonly shares: ShareService,
  ) {}

  async count(accountId: string, organizationId: string): Promise<MemberCredentialsResponse> {
    return toResponse(await this.#find(accountId, organizationId));
  }

  /**
   * Revokes the credentials of a member of an organization, and returns their number. When this resolves,
   * keys and links have ended. Sessions of connections end within the deadline of a revoked connection.
   */
  async revokeAll(accountId: string, organizationId: string): Promise<MemberCredentialsResponse> {
    return this.#revoke(await this.#find(accountId, organizationId));
  }

  async #revoke(found: Credentials): Promise<MemberCredentialsResponse> {
    await this.sessionKeys.endKeys(found.keys);
    for (const link of found.links) await this.shares.end(link);
    const projectOf = (connection: ConnectionUser): string =>
      found.projectOf.get(connection.databaseId) ?? '';
    await this.connections.endAll(found.connections, projectOf);
    await this.connections.endOverlapsOf([...found.projectOf.keys()]);
    return toResponse(found);
  }

  /**
   * Revokes the credentials of a project that users outside of the organization may know. A moved project
   * keeps its credentials, but the users who created them may not be members of the new organization.
   */
  async revokeOfOutsiders(projectId: string, organizationId: string): Promise<MemberCredentialsResponse> {
    const databases = await this.db.cell
      .getRepository(TenantDatabase)
      .find({ where: { projectId }, select: { id: true } });
    const databaseId = In(databases.map(({ id }) => id));
    const [keys, connections, links] = await Promise.all([
      this.db.cell.getRepository(ApiKey).find({ where: this.#live<ApiKey>({ databaseId, kind: 'api' }) }),
      this.db.cell.getRepository(ConnectionUser).find({ where: this.#live<ConnectionUser>({ databaseId }) }),
      this.db.cell.getRepository(ShareLink).find({ where: this.#live<ShareLink>({ projectId }) }),
    ]);
    const knownBy = ({ createdBy, knownBy: others }: ConnectionUser): readonly string[] => [
      createdBy,
      ...(others ?? []),
    ];
    const members = await this.db.global
      .getRepository(Membership)
      .find({ where: { organizationId }, select: { organizationId: true, accountId: true } });
    const inside = new Set(members.map(({ accountId }) => accountId));
    return this.#revoke({
      keys: keys.filter(({ createdBy }) => !inside.has(createdBy)),
      connections: connections.filter((row) => knownBy(row).some((account) => !inside.has(account))),
      links: links.filter(({ createdBy }) => !inside.has(createdBy)),
      projectOf: new Map(databases.map(({ id }) => [id, projectId])),
    });
  }

  async #find(accountId: string, organizationId: string): Promise<Credentials> {
    const projects = await this.db.global
      .getRepository(Project)
      .find({ where: { organizationId }, select: { id: true } });
    const projectIds = projects.map(({ id }) => id);
    if (projectIds.length === 0) return { keys: [], connections: [], links: [], projectOf: new Map() };
    const databases = await this.db.cell
      .getRepository(TenantDatabase)
      .find({ where: { projectId: In(projectIds) }, select: { id: true, projectId: true } });
    const projectOf = new Map(databases.map(({ id, projectId }) => [id, projectId]));
    const ofDatabases = { createdBy: accountId, databaseId: In([...projectOf.keys()]) };
    const knows = Raw((column) => `JSON_CONTAINS(${column}, :account)`, {
      account: JSON.stringify(accountId),
    });
    const known = { knownBy: knows, databaseId: ofDatabases.databaseId } as FindOptionsWhere<ConnectionUser>;
    const [keys, connections, links] = await Promise.all([
      this.db.cell.getRepository(ApiKey).find({ where: this.#live<ApiKey>({ ...ofDatabases, kind: 'api' }) }),
      this.db.cell
        .getRepository(ConnectionUser)
        .find({ where: [...this.#live<ConnectionUser>(ofDatabases), ...this.#live<ConnectionUser>(known)] }),
      this.db.cell
        .getRepository(ShareLink)
        .find({ where: this.#live<ShareLink>({ createdBy: accountId, projectId: In(projectIds) }) }),
    ]);
    return { keys, connections, links, projectOf };
  }

  /** Matches rows that are neither revoked nor expired. */
  #live<Row extends ApiKey | ConnectionUser | ShareLink>(
    which: FindOptionsWhere<Row>,
  ): FindOptionsWhere<Row>[] {
    const live = { ...which, cellId: this.db.cellId, revokedAt: IsNull() };
    return [
      { ...live, expiresAt: IsNull() },
      { ...live, expiresAt: MoreThan(new Date(this.db.nowMs())) },
    ] as FindOptionsWhere<Row>[];
  }
}

function toResponse({ keys, connections, links }: Credentials): MemberCredentialsResponse {
  return { api_keys: keys.length, connections: connections.length, share_links: links.length };
}
