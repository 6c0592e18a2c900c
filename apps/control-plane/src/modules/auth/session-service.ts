import { Injectable } from '@nestjs/common';
import { generateToken } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { IsNull, Not, type EntityManager } from 'typeorm';
import { SESSION_DAYS } from '../../access/session-cookie.js';
import type { RequestContext } from '../../access/request-context.js';
import { Account } from '../../platform-db/entities/account.js';
import { SessionRow } from '../../platform-db/entities/session-row.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { Secrets } from '../../platform/secrets.js';
import { lockAccount } from './account-rows.js';

const SESSION_MS = SESSION_DAYS * 86_400_000;
const RENEW_AFTER_MS = 600_000;

export interface OpenedSession {
  readonly token: string;
  readonly csrfToken: string;
}
export interface FoundSession {
  readonly session: SessionRow;
  readonly account: Account;
  readonly isRenewed: boolean;
}

/**
 * Browser sessions. They are stored as hashes, expire 30 days after their last use, and can be revoked
 * individually.
 */
@Injectable()
export class SessionService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Opens a session for an account whose password was checked. Throws `auth.bad_credentials` if the password
   * has changed since. `record` writes the audit event in the same transaction.
   */
  async open(
    account: Pick<Account, 'id' | 'passwordHash'>,
    context: RequestContext,
    record: (manager: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<OpenedSession> {
    const token = generateToken('rhs');
    const csrfToken = this.secrets.csrfTokenOf(token);
    const now = new Date(this.db.nowMs());
    await this.db.globalTransaction(async (manager) => {
      await lockAccount(manager, account);
      await manager.getRepository(SessionRow).insert({
        id: createId('ses'),
        accountId: account.id,
        tokenHash: this.secrets.hash(token),
        csrfHash: this.secrets.hash(csrfToken),
        userAgent: context.userAgent,
        address: context.address.slice(0, 64),
        createdAt: now,
        lastSeenAt: now,
        expiresAt: new Date(now.getTime() + SESSION_MS),
      });
      await record(manager);
    });
    return { token, csrfToken };
  }

  /** Returns the active session of a cookie and renews it when its last use is old enough. */
  async findSession(token: string): Promise<FoundSession | null> {
    const session = await this.#rows.findOneBy({ tokenHash: this.secrets.hash(token), revokedAt: IsNull() });
    const now = this.db.nowMs();
    if (session === null || session.expiresAt.getTime() <= now) return null;
    const account = await this.db.global
      .getRepository(Account)
      .findOneBy({ id: session.accountId, disabledAt: IsNull() });
    if (account === null) return null;
    const isRenewed = now - session.lastSeenAt.getTime() > RENEW_AFTER_MS;
    if (isRenewed)
      await this.#rows.update(
        { id: session.id },
        { lastSeenAt: new Date(now), expiresAt: new Date(now + SESSION_MS) },
      );
    return { session, account, isRenewed };
  }

  /** Throws `auth.csrf` unless the header contains this session's token. */
  checkCsrf(session: SessionRow, header: string | string[] | undefined): void {
    if (typeof header !== 'string' || !this.secrets.isHashOf(header, session.csrfHash))
      throw new AppError('auth.csrf');
  }

  async list(accountId: string): Promise<SessionRow[]> {
    const rows = await this.#rows.find({
      where: { accountId, revokedAt: IsNull() },
      order: { lastSeenAt: 'DESC' },
      take: 200,
    });
    return rows.filter((row) => row.expiresAt.getTime() > this.db.nowMs());
  }

  /** Revokes a session. Returns whether it was an active session of the account. */
  async revoke(manager: EntityManager, accountId: string, sessionId: string): Promise<boolean> {
    const result = await manager
      .getRepository(SessionRow)
      .update({ id: sessionId, accountId, revokedAt: IsNull() }, { revokedAt: new Date() });
    return (result.affected ?? 0) > 0;
  }

  /** Ends all sessions of the account except `currentId`. Returns their number. */
  async revokeOthers(manager: EntityManager, accountId: string, currentId: string | null): Promise<number> {
    const others = { accountId, revokedAt: IsNull(), ...(currentId === null ? {} : { id: Not(currentId) }) };
    const { affected } = await manager.getRepository(SessionRow).update(others, { revokedAt: new Date() });
    return affected ?? 0;
  }

  get #rows() {
    return this.db.global.getRepository(SessionRow);
  }
}
