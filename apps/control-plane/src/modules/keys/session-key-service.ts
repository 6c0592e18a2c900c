import { Injectable } from '@nestjs/common';
import {
  DEFAULT_SCOPES,
  isRoleAtLeast,
  keyRecordKey,
  type ChangeEntry,
  type MintSessionKeyRequest,
  type Role,
  type Scope,
  type SessionKeyResponse,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { In, IsNull, LessThan, MoreThan, Not, type FindOptionsWhere } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { ReachFinder } from '../../access/reach-finder.js';
import { ApiKey } from '../../platform-db/entities/api-key.js';
import { Project } from '../../platform-db/entities/project.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { insertRow } from '../../platform-db/typed-rows.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { ChangeLog } from '../../platform/change-log.js';
import { Secrets } from '../../platform/secrets.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { makeKeyRow, grantSqlWrites } from './key-row.js';

const LIFE_MS = 15 * 60_000;
/**
 * The maximum number of active keys per session and database. The console requests a key for each tab, and
 * again before the key expires.
 */
const LIVE_OF_SESSION_MAX = 200;
/** The number of keys that one transaction ends. */
const ENDED_AT_ONCE = 500;
/**
 * How long rows of ended keys are retained, in milliseconds, so that their requests can still be attributed.
 */
const RETENTION_MS = 86_400_000;

/** Returns the scopes of a member's role in the console. */
function scopesOf(role: Role, { sql_writes: writesSql = false }: MintSessionKeyRequest): Scope[] {
  const isDeveloper = isRoleAtLeast(role, 'developer');
  if (writesSql && !isDeveloper)
    throw new AppError('auth.role', {
      detail: 'The scope `query:write` requires the role developer in this organization.',
    });
  if (writesSql) return [...DEFAULT_SCOPES, 'query:write'];
  return isDeveloper ? [...DEFAULT_SCOPES] : ['read', 'query', 'schema'];
}

/**
 * Manages the console's own short-lived keys. A key belongs to a session and a role, and ends with either of
 * them. These keys are not listed.
 */
@Injectable()
export class SessionKeyService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
    private readonly changes: ChangeLog,
    private readonly tasks: TaskRunner,
    private readonly reachFinder: ReachFinder,
  ) {}

  /**
   * Creates a key for the console. The previous key stays valid until it expires, because running requests
   * use it.
   */
  async mint(context: RequestContext, request: MintSessionKeyRequest): Promise<SessionKeyResponse> {
    const { database, caller, reach } = context;
    if (caller.sessionId === null)
      throw new AppError('auth.missing_session', {
        detail: 'Only a console session can create session keys.',
        hint: 'Programs use an API key: POST /api/databases/{id}/keys.',
      });
    if (database.provisionState !== 'ready') throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
    const scopes = scopesOf(reach.role, request);
    await this.#assertCapacity(caller.sessionId, database.id);
    await grantSqlWrites(this.tasks, database, scopes, null);
    const expiresAt = new Date(this.db.nowMs() + LIFE_MS);
    const { row, secret } = makeKeyRow(database, this.secrets, {
      kind: 'session',
      lineageId: createId('lin'),
      name: 'Console',
      scopes,
      tables: null,
      rightsHash: '',
      origins: null,
      rate: null,
      rowsExaminedMax: null,
      createdBy: context.accountId,
      expiresAt,
      sessionId: caller.sessionId,
    });
    // No gateway has seen the new key yet, so no gateway needs a notification.
    await insertRow(this.#rows, row);
    if (!(await this.reachFinder.isAccessUnchanged(context))) {
      await this.#end({ id: row.id });
      throw new AppError('auth.missing_session', {
        detail: 'Your session or role ended during the request.',
      });
    }
    return { id: row.id, secret, scopes: row.scopes, expires_at: expiresAt.toISOString() };
  }

  /**
   * Throws when the session has too many keys. Users cannot see these keys in a list. Without a limit,
   * thousands of them would delay ending a member's access. Concurrent requests may slightly exceed the
   * limit.
   */
  async #assertCapacity(sessionId: string, databaseId: string): Promise<void> {
    if (
      (await this.#rows.countBy({
        databaseId,
        sessionId,
        kind: 'session',
        revokedAt: IsNull(),
        expiresAt: MoreThan(new Date(this.db.nowMs())),
      })) < LIVE_OF_SESSION_MAX
    )
      return;
    throw new AppError('limit.rate', {
      retryAfterSeconds: 60,
      detail:
        `A session can have at most ${LIVE_OF_SESSION_MAX} console keys for a database. Each is ` +
        'valid for 15 minutes.',
      hint: 'Use an existing one, or create an API key with POST /api/databases/{id}/keys.',
    });
  }

  /** Ends the keys of an ended session. */
  async endSession(sessionId: string): Promise<void> {
    await this.#end({ sessionId });
  }

  /** Ends all keys of the account except those of the session `currentId`. */
  async endOthers(accountId: string, currentId: string | null): Promise<void> {
    await this.#end({ createdBy: accountId, ...(currentId === null ? {} : { sessionId: Not(currentId) }) });
  }

  /** Ends the keys of a member whose role in the organization changed or ended. */
  async endMember(accountId: string, organizationId: string): Promise<void> {
    const projects = await this.db.global
      .getRepository(Project)
      .find({ where: { organizationId }, select: { id: true } });
    const databases = await this.db.cell
      .getRepository(TenantDatabase)
      .find({ where: { projectId: In(projects.map((project) => project.id)) }, select: { id: true } });
    if (databases.length > 0)
      await this.#end({ createdBy: accountId, databaseId: In(databases.map((database) => database.id)) });
  }

  /**
   * Ends the keys of a project that moved to another organization. Members of that organization get new keys.
   */
  async endProject(projectId: string): Promise<void> {
    const databases = await this.db.cell
      .getRepository(TenantDatabase)
      .find({ where: { projectId }, select: { id: true } });
    if (databases.length > 0) await this.#end({ databaseId: In(databases.map((database) => database.id)) });
  }

  /** Deletes rows of keys that ended a day ago. Returns their number. */
  async sweep(): Promise<number> {
    const { affected } = await this.#rows.delete({
      kind: 'session',
      cellId: this.db.cellId,
      expiresAt: LessThan(new Date(this.db.nowMs() - RETENTION_MS)),
    });
    return affected ?? 0;
  }

  /** Keys are ended in batches, because one statement must not exceed the caller's time limit. */
  async #end(which: FindOptionsWhere<ApiKey>): Promise<void> {
    const live = {
      ...which,
      kind: 'session',
      cellId: this.db.cellId,
      revokedAt: IsNull(),
      expiresAt: MoreThan(new Date(this.db.nowMs())),
    } as const;
    for (;;) {
      const keys = await this.#rows.find({
        where: live,
        select: { id: true, databaseId: true, keyHash: true },
        take: ENDED_AT_ONCE,
      });
      if (keys.length > 0) await this.#endAll(keys);
      if (keys.length < ENDED_AT_ONCE) return;
    }
  }

  /**
   * Ends keys of any kind. When this resolves, their shared copies are deleted and the gateways are notified.
   */
  async endKeys(keys: readonly ApiKey[]): Promise<void> {
    for (let index = 0; index < keys.length; index += ENDED_AT_ONCE)
      await this.#endAll(keys.slice(index, index + ENDED_AT_ONCE));
  }

  async #endAll(keys: readonly Pick<ApiKey, 'id' | 'databaseId' | 'keyHash'>[]): Promise<void> {
    const entries = await this.db.cellTransaction(async (manager) => {
      await manager
        .getRepository(ApiKey)
        .update({ id: In(keys.map((key) => key.id)), revokedAt: IsNull() }, { revokedAt: new Date() });
      const logged: ChangeEntry[] = [];
      for (const databaseId of new Set(keys.map((key) => key.databaseId)))
        logged.push(await this.changes.append(manager, databaseId, 'key', 0));
      return logged;
    });
    const stale = keys.map((key) => keyRecordKey(this.db.cellId, key.keyHash.toString('hex')));
    for (const entry of entries) await this.changes.announce(entry, stale);
  }

  get #rows() {
    return this.db.cell.getRepository(ApiKey);
  }
}
