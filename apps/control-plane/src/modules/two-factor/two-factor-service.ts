import { Injectable } from '@nestjs/common';
import type {
  ProvenPasswordRequest,
  ProvenTwoFactorRequest,
  RecoveryCodesResponse,
  TotpSetupResponse,
  TwoFactorResponse,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { generateSecret, generateURI } from 'otplib';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { toIso } from '../../http/timestamps.js';
import { Account } from '../../platform-db/entities/account.js';
import { RecoveryCode } from '../../platform-db/entities/recovery-code.js';
import { TotpSecret } from '../../platform-db/entities/totp-secret.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter, type AuditNote } from '../../platform/audit-writer.js';
import { Secrets } from '../../platform/secrets.js';
import { AccountService } from '../account/account-service.js';
import { AttemptLimiter } from '../auth/attempt-limiter.js';
import { lockAccount } from '../auth/account-rows.js';
import { SessionKeyService } from '../keys/session-key-service.js';
import { recoveryCodesMail, twoFactorMail } from '../mail/mail-texts.js';
import { Mailer } from '../mail/mailer.js';
import { generateRecoveryCodes } from './recovery-codes.js';
import { SecondFactorCheck } from './second-factor-check.js';

const ISSUER = 'Rowhouse';

/** Turns two-factor authentication of one's own account on and off, and replaces its recovery codes. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly db: PlatformDb,
    private readonly accounts: AccountService,
    private readonly check: SecondFactorCheck,
    private readonly limiter: AttemptLimiter,
    private readonly secrets: Secrets,
    private readonly sessionKeys: SessionKeyService,
    private readonly mailer: Mailer,
    private readonly audit: AuditWriter,
  ) {}

  async describe({ caller: { account } }: RequestContext): Promise<TwoFactorResponse> {
    return {
      enabled_at: toIso(account.twoFactorAt),
      recovery_codes_left: await this.db.global
        .getRepository(RecoveryCode)
        .countBy({ accountId: account.id }),
    };
  }

  /** Creates a secret for an authenticator app. It has no effect until a code confirms it. */
  async begin(context: RequestContext, { password }: ProvenPasswordRequest): Promise<TotpSetupResponse> {
    const { account } = context.caller;
    await this.accounts.assertPassword(context, password);
    const secret = generateSecret();
    await this.db.globalTransaction(async (manager) => {
      await lockWhileOff(manager, account);
      await manager.getRepository(TotpSecret).delete({ accountId: account.id });
      await manager.getRepository(TotpSecret).insert({
        accountId: account.id,
        secretSealed: this.secrets.sealTotpSecret(secret, account.id),
        lastStep: null,
        createdAt: new Date(this.db.nowMs()),
      });
    });
    return { secret, uri: generateURI({ issuer: ISSUER, label: account.email, secret }) };
  }

  /** Turns two-factor authentication on with the first code of the app. Returns the recovery codes once. */
  async confirm(context: RequestContext, code: string): Promise<RecoveryCodesResponse> {
    const { account } = context.caller;
    const codes = await this.#change(context, 'account.two_factor_on', async (manager) => {
      await lockWhileOff(manager, account);
      await this.check.spendTotp(manager, account.id, code.replaceAll(/\s+/g, ''));
      await manager
        .getRepository(Account)
        .update({ id: account.id }, { twoFactorAt: new Date(this.db.nowMs()) });
      return this.#replaceCodes(manager, account.id);
    });
    this.mailer.post(twoFactorMail(account.email, true));
    return { recovery_codes: codes };
  }

  /** Turns two-factor authentication off. The request proves the password and the second factor. */
  async turnOff(context: RequestContext, { password, code }: ProvenTwoFactorRequest): Promise<void> {
    const { account } = context.caller;
    await this.accounts.assertPassword(context, password);
    await this.#change(context, 'account.two_factor_off', async (manager) => {
      await lockAccount(manager, account, changedAccount);
      await this.check.spend(manager, account.id, code);
      for (const entity of [TotpSecret, RecoveryCode])
        await manager.getRepository(entity).delete({ accountId: account.id });
      await manager.getRepository(Account).update({ id: account.id }, { twoFactorAt: null });
    });
    // Organizations may require what the account no longer has. The console gets new keys where it may.
    await this.sessionKeys.endOthers(account.id, null);
    this.mailer.post(twoFactorMail(account.email, false));
  }

  /** Replaces all recovery codes. The request proves the password and the second factor. */
  async renewCodes(
    context: RequestContext,
    { password, code }: ProvenTwoFactorRequest,
  ): Promise<RecoveryCodesResponse> {
    const { account } = context.caller;
    await this.accounts.assertPassword(context, password);
    const codes = await this.#change(context, 'account.recovery_codes', async (manager) => {
      await lockAccount(manager, account, changedAccount);
      await this.check.spend(manager, account.id, code);
      return this.#replaceCodes(manager, account.id);
    });
    this.mailer.post(recoveryCodesMail(account.email));
    return { recovery_codes: codes };
  }

  /** Counts the guess, then makes the change and its audit event in one transaction. */
  async #change<T>(
    context: RequestContext,
    action: AuditNote['action'],
    change: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    await this.limiter.countCode(context.address, context.accountId);
    const result = await this.audit.changeGlobal(context, { action, target: context.accountId }, change);
    await this.limiter.forgiveCode(context.address, context.accountId);
    return result;
  }

  async #replaceCodes(manager: EntityManager, accountId: string): Promise<string[]> {
    const codes = generateRecoveryCodes();
    await manager.getRepository(RecoveryCode).delete({ accountId });
    await manager
      .getRepository(RecoveryCode)
      .insert(codes.map((code) => ({ accountId, codeHash: this.check.hashRecoveryCode(accountId, code) })));
    return codes;
  }
}

/** Locks the account. Throws `resource.conflict` if two-factor authentication is already on. */
async function lockWhileOff(manager: EntityManager, account: Account): Promise<void> {
  await lockAccount(manager, account, changedAccount);
  const { twoFactorAt } = await manager.getRepository(Account).findOneByOrFail({ id: account.id });
  if (twoFactorAt !== null)
    throw new AppError('resource.conflict', {
      detail: 'Two-factor authentication is already on.',
      hint: 'Turn it off first to use another authenticator app.',
    });
}

function changedAccount(): AppError {
  return new AppError('resource.conflict', { detail: 'The account changed during the request.' });
}
