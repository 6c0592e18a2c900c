import { HOUR_MS } from '@rowhouse/contracts';
import { Injectable } from '@nestjs/common';
import { generateToken } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { IsNull, LessThan, MoreThan, type EntityManager } from 'typeorm';
import type { Account } from '../../platform-db/entities/account.js';
import { EmailToken, type EmailTokenPurpose } from '../../platform-db/entities/email-token.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { Secrets } from '../../platform/secrets.js';

const LIFE_MS: Readonly<Record<EmailTokenPurpose, number>> = { verify: 24 * HOUR_MS, reset: HOUR_MS };

/**
 * Tokens that are sent by email. They are stored as hashes, and each is valid once, for one purpose and a
 * limited time.
 */
@Injectable()
export class EmailTokenService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Creates a token and invalidates earlier ones of the same purpose. `record` writes the audit event in the
   * same transaction.
   */
  async issue(
    account: Pick<Account, 'id' | 'email'>,
    purpose: EmailTokenPurpose,
    record: (manager: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<string> {
    const token = generateToken('rhm');
    const now = new Date(this.db.nowMs());
    await this.db.globalTransaction(async (manager) => {
      await manager
        .getRepository(EmailToken)
        .update({ accountId: account.id, purpose, usedAt: IsNull() }, { usedAt: now });
      await manager.getRepository(EmailToken).insert({
        id: createId('emt'),
        accountId: account.id,
        purpose,
        email: account.email,
        tokenHash: this.secrets.hash(token),
        expiresAt: new Date(now.getTime() + LIFE_MS[purpose]),
        usedAt: null,
        createdAt: now,
      });
      await record(manager);
    });
    return token;
  }

  /** Returns the row of a valid token. */
  async find(token: string, purpose: EmailTokenPurpose): Promise<EmailToken> {
    const row = await this.#rows.findOneBy({
      tokenHash: this.secrets.hash(token),
      purpose,
      usedAt: IsNull(),
      expiresAt: MoreThan(new Date(this.db.nowMs())),
    });
    if (row === null) throw new AppError('auth.bad_token');
    return row;
  }

  /**
   * Uses up the token in the same transaction as its effect. If two requests use it at the same time, only
   * one succeeds.
   */
  async spend(manager: EntityManager, { id }: EmailToken): Promise<void> {
    const now = new Date(this.db.nowMs());
    const { affected } = await manager
      .getRepository(EmailToken)
      .update({ id, usedAt: IsNull(), expiresAt: MoreThan(now) }, { usedAt: now });
    if (affected === 0) throw new AppError('auth.bad_token');
  }

  /** Deletes tokens that expired a day ago. */
  async sweep(): Promise<void> {
    await this.#rows.delete({ expiresAt: LessThan(new Date(this.db.nowMs() - 24 * HOUR_MS)) });
  }

  get #rows() {
    return this.db.global.getRepository(EmailToken);
  }
}
