import { Injectable } from '@nestjs/common';
import { DEFAULT_SCOPES, isRoleAtLeast, keyRecordKey, type ChangeEntry, type MintSessionKeyRequest, type Role, type Scope, type SessionKeyAnswer } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { In, IsNull, LessThan, MoreThan, Not, type FindOptionsWhere } from 'typeorm';
import type { CallContext } from '../../access/call-context.js';
import { ReachFinder } from '../../access/reach-finder.js';
import { ApiKey } from '../../platform-db/entities/api-key.js';
import { Project } from '../../platform-db/entities/project.js';
import { SessionRow } from '../../platform-db/entities/session-row.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { ChangeLog } from '../../platform/change-log.js';
import { Secrets } from '../../platform/secrets.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { grantSqlWrites } from './grant-sql-writes.js';
import { makeKeyRow } from './key-row.js';

const LIFE_MS = 15 * 60_000;
/** Live ones of a session for a database: the console asks for one each time that a tab is opened, and again before its time is over. */
const LIVE_OF_SESSION_MAX = 200;
/** Ended in one transaction. */
const ENDED_AT_ONCE = 500;
/** Rows of keys that have ended stay this long, so that what they did can still be told apart. */
const KEPT_MS = 86_400_000;

/** What a member may do through the console with rows. */
function scopesOf(role: Role, { sql_writes: writesSql = false }: MintSessionKeyRequest): Scope[] {
  const isDeveloper = isRoleAtLeast(role, 'developer');
  if (writesSql && !isDeveloper) throw new AppError('auth.role', { detail: 'SQL that writes needs the role developer in this organization.' });
  if (writesSql) return [...DEFAULT_SCOPES, 'query:write'];
  return isDeveloper ? [...DEFAULT_SCOPES] : ['read', 'query', 'schema'];
}

/** The console's own keys: short-lived, of a session and a role, and gone with either. No list shows them. */
@Injectable()
export class SessionKeyService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
    private readonly changes: ChangeLog,
    private readonly tasks: TaskRunner,
    private readonly reachFinder: ReachFinder,
  ) {}

  /** The one before is not ended: requests under way keep it until its time is over. */
  async mint(call: CallContext, request: MintSessionKeyRequest): Promise<SessionKeyAnswer> {
    const { database, caller, reach } = call;
    if (caller.sessionId === null) throw new AppError('auth.missing_session', { detail: 'Session keys are for sessions of the console.', hint: 'Programs use an API key: POST /api/databases/{id}/keys.' });
    if (database.provisionState !== 'ready') throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
    const scopes = scopesOf(reach.role, request);
    await this.#assertRoom(caller.sessionId, database.id);
    await grantSqlWrites(this.tasks, database, scopes, null);
    const expiresAt = new Date(this.db.nowMs() + LIFE_MS);
    const { row, secret } = makeKeyRow(database, this.secrets, {
      kind: 'session', lineageId: createId('lin'), name: 'Console', scopes, tables: null, rightsHash: '', origins: null, rate: null, rowsExaminedMax: null,
      createdBy: call.accountId, expiresAt, sessionId: caller.sessionId,
    });
    // No gateway has asked for it yet: nothing has to be told.
    await this.#rows.insert(row as never);
    if (!(await this.#holds(call))) {
      await this.#end({ id: row.id });
      throw new AppError('auth.missing_session', { detail: 'The session or the role has ended meanwhile.' });
    }
    return { id: row.id, secret, scopes: row.scopes, expires_at: expiresAt.toISOString() };
  }

  /** They are in no list: who makes them by the thousand would keep those who take a role away from ending them all. Several calls at once may go a little beyond. */
  async #assertRoom(sessionId: string, databaseId: string): Promise<void> {
    if ((await this.#rows.countBy({ databaseId, sessionId, kind: 'session', revokedAt: IsNull(), expiresAt: MoreThan(new Date(this.db.nowMs())) })) < LIVE_OF_SESSION_MAX) return;
    throw new AppError('limit.rate', { retryAfterSeconds: 60, detail: `A session has at most ${LIVE_OF_SESSION_MAX} keys of the console for a database, each for a quarter of an hour.`, hint: 'Use those that it has, or an API key: POST /api/databases/{id}/keys.' });
  }

  /** Whether the session and all that `ReachFinder.holds` looks at are still those that the call was let in with. */
  async #holds(call: CallContext): Promise<boolean> {
    if (!(await this.db.global.getRepository(SessionRow).existsBy({ id: call.caller.sessionId ?? '', revokedAt: IsNull() }))) return false;
    return this.reachFinder.holds(call);
  }

  /** The session has ended, and so have its keys. */
  async endSession(sessionId: string): Promise<void> {
    await this.#end({ sessionId });
  }

  /** All of the account but those of the session `keptId`. */
  async endOthers(accountId: string, keptId: string | null): Promise<void> {
    await this.#end({ createdBy: accountId, ...(keptId === null ? {} : { sessionId: Not(keptId) }) });
  }

  /** The member's role in the organization has changed or ended: keys with the rights of before are none any longer. */
  async endMember(accountId: string, organizationId: string): Promise<void> {
    const projects = await this.db.global.getRepository(Project).find({ where: { organizationId }, select: { id: true } });
    const databases = await this.db.cell.getRepository(TenantDatabase).find({ where: { projectId: In(projects.map((project) => project.id)) }, select: { id: true } });
    if (databases.length > 0) await this.#end({ createdBy: accountId, databaseId: In(databases.map((database) => database.id)) });
  }

  /** The project belongs to another organization now: whoever may use it there gets new ones. */
  async endProject(projectId: string): Promise<void> {
    const databases = await this.db.cell.getRepository(TenantDatabase).find({ where: { projectId }, select: { id: true } });
    if (databases.length > 0) await this.#end({ databaseId: In(databases.map((database) => database.id)) });
  }

  /** Removes rows of keys that ended a day ago; answers how many. */
  async sweep(): Promise<number> {
    const { affected } = await this.#rows.delete({ kind: 'session', cellId: this.db.cellId, expiresAt: LessThan(new Date(this.db.nowMs() - KEPT_MS)) });
    return affected ?? 0;
  }

  /** Some hundred at a time: one statement must not take longer than its caller waits. */
  async #end(which: FindOptionsWhere<ApiKey>): Promise<void> {
    const live = { ...which, kind: 'session', cellId: this.db.cellId, revokedAt: IsNull(), expiresAt: MoreThan(new Date(this.db.nowMs())) } as const;
    for (;;) {
      const keys = await this.#rows.find({ where: live, select: { id: true, databaseId: true, keyHash: true }, take: ENDED_AT_ONCE });
      if (keys.length > 0) await this.#endAll(keys);
      if (keys.length < ENDED_AT_ONCE) return;
    }
  }

  /** Ends keys of any kind. When this resolves, their shared copies are gone and the gateways have been told. */
  async endKeys(keys: readonly ApiKey[]): Promise<void> {
    for (let at = 0; at < keys.length; at += ENDED_AT_ONCE) await this.#endAll(keys.slice(at, at + ENDED_AT_ONCE));
  }

  async #endAll(keys: readonly Pick<ApiKey, 'id' | 'databaseId' | 'keyHash'>[]): Promise<void> {
    const entries = await this.db.cellTransaction(async (manager) => {
      await manager.getRepository(ApiKey).update({ id: In(keys.map((key) => key.id)), revokedAt: IsNull() }, { revokedAt: new Date() });
      const logged: ChangeEntry[] = [];
      for (const databaseId of new Set(keys.map((key) => key.databaseId))) logged.push(await this.changes.append(manager, databaseId, 'key', 0));
      return logged;
    });
    const stale = keys.map((key) => keyRecordKey(this.db.cellId, key.keyHash.toString('hex')));
    for (const entry of entries) await this.changes.announce(entry, stale);
  }

  get #rows() {
    return this.db.cell.getRepository(ApiKey);
  }
}
