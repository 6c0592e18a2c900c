import { Injectable } from '@nestjs/common';
import { generateToken } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { IsNull, LessThan, MoreThan } from 'typeorm';
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
    const now = new Date();
    await this.db.globalTransaction(async (manager) => {
      await manager.getRepository(EmailToken).update({ accountId: account.id, purpose, usedAt: IsNull() }, { usedAt: now });
      await manager.getRepository(EmailToken).insert({
        id: createId('emt'), accountId: account.id, purpose, email: account.email, tokenHash: this.secrets.hash(token), expiresAt: new Date(now.getTime() + LIFE_MS[purpose]), usedAt: null, createdAt: now,
      });
    });
    return token;
  }

  /** The row behind a token, which is spent by this. Two at once: one gets it. What `judge` throws leaves it unspent. */
  async spend(token: string, purpose: EmailTokenPurpose, judge: (row: EmailToken) => void = () => undefined): Promise<EmailToken> {
    const row = await this.#rows.findOneBy({ tokenHash: this.secrets.hash(token), purpose });
    if (row !== null) judge(row);
    const { affected } = row === null ? { affected: 0 } : await this.#rows.update({ id: row.id, usedAt: IsNull(), expiresAt: MoreThan(new Date()) }, { usedAt: new Date() });
    if (row === null || affected === 0) throw new AppError('auth.bad_token');
    return row;
  }

  /** Removes tokens that ended a day ago. */
  async sweep(): Promise<void> {
    await this.#rows.delete({ expiresAt: LessThan(new Date(Date.now() - 24 * HOUR_MS)) });
  }

  get #rows() {
    return this.db.global.getRepository(EmailToken);
  }
}
