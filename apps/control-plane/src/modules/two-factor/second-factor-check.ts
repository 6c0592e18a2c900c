import { Injectable } from '@nestjs/common';
import { AppError } from '@rowhouse/errors';
import { verify } from 'otplib';
import { IsNull, LessThan, type EntityManager } from 'typeorm';
import { Account } from '../../platform-db/entities/account.js';
import { RecoveryCode } from '../../platform-db/entities/recovery-code.js';
import { TotpSecret } from '../../platform-db/entities/totp-secret.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { Secrets } from '../../platform/secrets.js';
import { normalizeRecoveryCode } from './recovery-codes.js';

/** Accepts a code of the previous and the next 30 seconds, because clocks of phones differ. */
const TOLERANCE_SECONDS = 30;

export type SecondFactor = 'totp' | 'recovery_code';

/** Checks codes of authenticator apps and recovery codes. Each code is accepted once. */
@Injectable()
export class SecondFactorCheck {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Uses up a code in the transaction of its effect. Returns the kind of code.
   *
   * @throws AppError `auth.bad_code` for a wrong or used code, or if two-factor authentication is off
   */
  async spend(manager: EntityManager, accountId: string, code: string): Promise<SecondFactor> {
    const account = await manager
      .getRepository(Account)
      .findOne({ where: { id: accountId }, lock: { mode: 'pessimistic_write' } });
    if (account === null || account.twoFactorAt === null) throw new AppError('auth.bad_code');
    const digits = code.replaceAll(/[\s-]+/g, '');
    if (/^\d{6}$/.test(digits)) {
      await this.spendTotp(manager, accountId, digits);
      return 'totp';
    }
    const { affected } = await manager
      .getRepository(RecoveryCode)
      .delete({ accountId, codeHash: this.hashRecoveryCode(accountId, code) });
    if (affected !== 1) throw new AppError('auth.bad_code');
    return 'recovery_code';
  }

  /**
   * Checks a code of the authenticator app, even before it is confirmed. The time step of the code is stored,
   * so that neither this code nor an earlier one is accepted again.
   */
  async spendTotp(manager: EntityManager, accountId: string, digits: string): Promise<void> {
    const rows = manager.getRepository(TotpSecret);
    const row = await rows.findOneBy({ accountId });
    if (row === null || !/^\d{6}$/.test(digits)) throw new AppError('auth.bad_code');
    const result = await verify({
      secret: this.secrets.openTotpSecret(row.secretSealed, accountId),
      token: digits,
      epoch: Math.floor(this.db.nowMs() / 1_000),
      epochTolerance: TOLERANCE_SECONDS,
    });
    if (!result.valid || !('timeStep' in result)) throw new AppError('auth.bad_code');
    const lastStep = result.timeStep;
    const { affected } = await rows.update(
      [
        { accountId, lastStep: IsNull() },
        { accountId, lastStep: LessThan(lastStep) },
      ],
      { lastStep },
    );
    if (affected !== 1) throw new AppError('auth.bad_code');
  }

  hashRecoveryCode(accountId: string, code: string): Buffer {
    return this.secrets.hash(`recovery:${accountId}:${normalizeRecoveryCode(code)}`);
  }
}
