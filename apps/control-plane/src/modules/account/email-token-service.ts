import { Injectable } from '@nestjs/common';
import { generateToken } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { IsNull, LessThan, MoreThan, type EntityManager } from 'typeorm';
import type { Account } from '../../platform-db/entities/account.js';
import { EmailToken, type EmailTokenPurpose } from '../../platform-db/entities/email-token.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { Secrets } from '../../platform/secrets.js';

const HOUR_MS = 3_600_000;
const LIFE_MS: Readonly<Record<EmailTokenPurpose, number>> = { verify: 24 * HOUR_MS, reset: HOUR_MS };

/** Tokens that go out by mail: stored as hashes, good once, for their purpose, for a while. */
@Injectable()
export class EmailTokenService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
  ) {}

  /** The ones before it count no longer. */
  async issue(account: Pick<Account, 'id' | 'email'>, purpose: EmailTokenPurpose): Promise<string> {
    const token = generateToken('rhm');
    const now = new Date(this.db.nowMs());
    await this.db.globalTransaction(async (manager) => {
      await manager.getRepository(EmailToken).update({ accountId: account.id, purpose, usedAt: IsNull() }, { usedAt: now });
      await manager.getRepository(EmailToken).insert({
        id: createId('emt'), accountId: account.id, purpose, email: account.email, tokenHash: this.secrets.hash(token), expiresAt: new Date(now.getTime() + LIFE_MS[purpose]), usedAt: null, createdAt: now,
      });
    });
    return token;
  }

  /** The row behind a token that can be spent. */
  async find(token: string, purpose: EmailTokenPurpose): Promise<EmailToken> {
    const row = await this.#rows.findOneBy({ tokenHash: this.secrets.hash(token), purpose, usedAt: IsNull(), expiresAt: MoreThan(new Date(this.db.nowMs())) });
    if (row === null) throw new AppError('auth.bad_token');
    return row;
  }

  /** Spends it together with what it is spent for. Two at once: one gets it. */
  async spend(manager: EntityManager, { id }: EmailToken): Promise<void> {
    const now = new Date(this.db.nowMs());
    const { affected } = await manager.getRepository(EmailToken).update({ id, usedAt: IsNull(), expiresAt: MoreThan(now) }, { usedAt: now });
    if (affected === 0) throw new AppError('auth.bad_token');
  }

  /** Removes tokens that ended a day ago. */
  async sweep(): Promise<void> {
    await this.#rows.delete({ expiresAt: LessThan(new Date(this.db.nowMs() - 24 * HOUR_MS)) });
  }

  get #rows() {
    return this.db.global.getRepository(EmailToken);
  }
}
