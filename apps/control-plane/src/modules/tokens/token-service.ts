import { Injectable } from '@nestjs/common';
import { generateToken } from '@rowhouse/credentials';
import type { CreateTokenRequest, TokenResponse, TokenItem } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { IsNull, type EntityManager } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import type { RequestContext } from '../../access/request-context.js';
import { readExpiry, toIso } from '../../http/timestamps.js';
import { Account } from '../../platform-db/entities/account.js';
import { PersonalAccessToken } from '../../platform-db/entities/personal-access-token.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { Secrets } from '../../platform/secrets.js';
import { lockAccount } from '../auth/account-rows.js';

const LAST_USE_STEP_MS = 600_000;
/**
 * The maximum number of tokens of an account, including expired ones. All of them can therefore be listed.
 */
const TOKENS_MAX = 200;

/** Manages personal access tokens, with which programs use the control API. */
@Injectable()
export class TokenService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
    private readonly audit: AuditWriter,
  ) {}

  /** Returns the caller of a bearer token, or null if it is invalid. */
  async findCaller(token: string): Promise<Caller | null> {
    if (token.length > 100) return null;
    const row = await this.#rows.findOneBy({ tokenHash: this.secrets.hash(token), revokedAt: IsNull() });
    const now = this.db.nowMs();
    if (row === null || (row.expiresAt !== null && row.expiresAt.getTime() <= now)) return null;
    const account = await this.db.global
      .getRepository(Account)
      .findOneBy({ id: row.accountId, disabledAt: IsNull() });
    if (account === null) return null;
    if (row.lastUsedAt === null || now - row.lastUsedAt.getTime() > LAST_USE_STEP_MS) {
      await this.#rows.update({ id: row.id }, { lastUsedAt: new Date(now) });
    }
    return { account, via: 'token', sessionId: null, sessionToken: null, tokenId: row.id };
  }

  /**
   * Creates a token. No token is created if the password has changed since the request was admitted, because
   * a new password ends all tokens.
   */
  async create(context: RequestContext, body: CreateTokenRequest): Promise<TokenResponse> {
    const id = createId('pat');
    const token = generateToken('rhp');
    const expiresAt = readExpiry(body.expires_at, this.db.nowMs());
    await this.db.globalTransaction(async (manager) => {
      await lockAccount(
        manager,
        context.caller.account,
        () =>
          new AppError('resource.conflict', {
            detail: 'The password of this account changed during the request.',
          }),
      );
      if (
        (await manager
          .getRepository(PersonalAccessToken)
          .countBy({ accountId: context.accountId, revokedAt: IsNull() })) >= TOKENS_MAX
      ) {
        throw new AppError('resource.conflict', {
          detail: `An account can have at most ${TOKENS_MAX} access tokens.`,
          hint: 'Revoke one you no longer need.',
        });
      }
      await manager.getRepository(PersonalAccessToken).insert({
        id,
        accountId: context.accountId,
        name: body.name,
        tokenHash: this.secrets.hash(token),
        last4: token.slice(-4),
        expiresAt,
        createdAt: new Date(),
      });
      await this.audit.record(manager, context, {
        action: 'token.create',
        target: id,
        detail: { name: body.name },
      });
    });
    return { id, name: body.name, token, expires_at: toIso(expiresAt) };
  }

  async list(accountId: string): Promise<TokenItem[]> {
    const rows = await this.#rows.find({
      where: { accountId, revokedAt: IsNull() },
      order: { createdAt: 'DESC' },
      take: TOKENS_MAX,
    });
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      last4: row.last4,
      created_at: row.createdAt.toISOString(),
      expires_at: toIso(row.expiresAt),
      last_used_at: toIso(row.lastUsedAt),
    }));
  }

  async revoke(context: RequestContext, id: string): Promise<void> {
    await this.audit.changeGlobal(context, { action: 'token.revoke', target: id }, async (manager) => {
      const { affected } = await manager
        .getRepository(PersonalAccessToken)
        .update({ id, accountId: context.accountId, revokedAt: IsNull() }, { revokedAt: new Date() });
      if (affected === 0) throw new AppError('resource.not_found', { detail: 'The token does not exist.' });
    });
  }

  /** Revokes every token of the account. Returns their number. */
  async revokeAll(manager: EntityManager, accountId: string): Promise<number> {
    const result = await manager
      .getRepository(PersonalAccessToken)
      .update({ accountId, revokedAt: IsNull() }, { revokedAt: new Date() });
    return result.affected ?? 0;
  }

  get #rows() {
    return this.db.global.getRepository(PersonalAccessToken);
  }
}
