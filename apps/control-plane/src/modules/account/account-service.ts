import { Inject, Injectable } from '@nestjs/common';
import {
  findPasswordFault,
  type AccountResponse,
  type ChangePasswordRequest,
  type EndedResponse,
  type MailResponse,
  type ResetPasswordRequest,
  type UpdateAccountRequest,
} from '@rowhouse/contracts';
import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type { Logger } from '@rowhouse/runtime';
import { IsNull, type EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import type { Config } from '../../config.js';
import { Account } from '../../platform-db/entities/account.js';
import { Passkey } from '../../platform-db/entities/passkey.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { CONFIG, LOGGER } from '../../platform/tokens.js';
import { AttemptLimiter } from '../auth/attempt-limiter.js';
import { toAccountResponse } from '../auth/auth-service.js';
import { lockAccount, findAccount } from '../auth/account-rows.js';
import { hashPassword, isPassword } from '../auth/password-hasher.js';
import { SessionService } from '../auth/session-service.js';
import { SessionKeyService } from '../keys/session-key-service.js';
import { TokenService } from '../tokens/token-service.js';
import { passwordChangedMail, resetMail, verificationMail } from '../mail/mail-texts.js';
import { Mailer } from '../mail/mailer.js';
import { EmailTokenService } from './email-token-service.js';

/** Changes to one's own account, and password recovery. */
@Injectable()
export class AccountService {
  constructor(
    private readonly db: PlatformDb,
    private readonly mailed: EmailTokenService,
    private readonly tokens: TokenService,
    private readonly sessions: SessionService,
    private readonly sessionKeys: SessionKeyService,
    private readonly limiter: AttemptLimiter,
    private readonly mailer: Mailer,
    private readonly audit: AuditWriter,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async update(context: RequestContext, body: UpdateAccountRequest): Promise<AccountResponse> {
    const changes = {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.wants_notices === undefined ? {} : { wantsNotices: body.wants_notices }),
    };
    await this.audit.changeGlobal(
      context,
      { action: 'account.update', target: context.accountId, detail: { changed: Object.keys(body) } },
      async (manager) => {
        if (Object.keys(changes).length > 0)
          await manager.getRepository(Account).update({ id: context.accountId }, changes);
      },
    );
    return toAccountResponse(await this.#accounts.findOneByOrFail({ id: context.accountId }));
  }

  /**
   * Throws `auth.bad_credentials` unless the password is correct. Guesses are limited like sign-in attempts,
   * because a session may have been left open.
   */
  async assertPassword(context: RequestContext, password: string): Promise<void> {
    const { account } = context.caller;
    await this.limiter.countSignIn(context.address, account.email);
    if (!(await isPassword(account.passwordHash, password)))
      throw new AppError('auth.bad_credentials', { detail: 'The current password is wrong.' });
    await this.limiter.forgiveSignIn(context.address, account.email);
  }

  /**
   * Changes the password. The request must contain the current password. The caller's session stays valid.
   */
  async changePassword(context: RequestContext, body: ChangePasswordRequest): Promise<EndedResponse> {
    const { account } = context.caller;
    rejectOwnAddress(account, body.new_password, 'new_password');
    await this.assertPassword(context, body.current_password);
    const ended = await this.#setPassword(
      account,
      body.new_password,
      { sessionId: context.caller.sessionId, tokens: body.keep_tokens === true },
      (manager) => lockAccount(manager, account),
      (manager, counts) =>
        this.audit.record(manager, context, {
          action: 'auth.password_change',
          target: account.id,
          detail: { ...counts },
        }),
    );
    return ended;
  }

  /**
   * Sends a recovery email if the account exists. Neither the response nor its timing reveals whether the
   * account exists.
   */
  async forget(context: RequestContext, requested: string): Promise<MailResponse> {
    const email = requested.trim().toLowerCase();
    await this.limiter.countMail(context.address, email);
    this.#postReset(context, email).catch((error: unknown) =>
      this.logger.error({ err: error }, 'the email for a new password could not be created'),
    );
    return { is_mailed: this.mailer.isSending };
  }

  async #postReset(context: RequestContext, email: string): Promise<void> {
    const account = await findAccount(this.db, email);
    if (account === null || account.disabledAt !== null) return;
    const token = await this.mailed.issue(account, 'reset', (manager) =>
      this.audit.record(manager, context, {
        action: 'auth.password_forgotten',
        target: account.id,
        accountId: account.id,
      }),
    );
    this.mailer.post(resetMail(account.email, `${this.config.publicUrl}/reset/${token}`));
  }

  /**
   * Sets a new password by a recovery token. Ends every session, token and passkey, so that an outsider who signed up
   * with the address is locked out. Receiving the email also confirms the address.
   */
  async reset(context: RequestContext, body: ResetPasswordRequest): Promise<EndedResponse> {
    await this.limiter.countToken(context.address);
    const mailed = await this.mailed.find(body.token, 'reset');
    rejectOwnAddress(mailed, body.password, 'password');
    const account = await this.#accounts.findOneBy({ id: mailed.accountId, disabledAt: IsNull() });
    if (account === null) throw new AppError('auth.bad_token');
    const ended = await this.#setPassword(
      account,
      body.password,
      { sessionId: null, tokens: false },
      async (manager) => {
        await this.mailed.spend(manager, mailed);
        await manager.getRepository(Passkey).delete({ accountId: account.id });
        if (account.email === mailed.email)
          await manager
            .getRepository(Account)
            .update({ id: account.id, emailVerifiedAt: IsNull() }, { emailVerifiedAt: new Date() });
      },
      (manager, counts) =>
        this.audit.record(manager, context, {
          action: 'auth.password_reset',
          target: account.id,
          accountId: account.id,
          detail: { ...counts },
        }),
    );
    await this.#makeOperator(context, account);
    return ended;
  }

  async sendVerification(context: RequestContext): Promise<MailResponse> {
    const { account } = context.caller;
    if (account.emailVerifiedAt !== null)
      throw new AppError('resource.conflict', { detail: 'The address is already confirmed.' });
    await this.limiter.countMail(context.address, account.email);
    await this.postVerification(account);
    return { is_mailed: this.mailer.isSending };
  }

  async postVerification(account: Pick<Account, 'id' | 'email'>): Promise<void> {
    const token = await this.mailed.issue(account, 'verify');
    this.mailer.post(verificationMail(account.email, `${this.config.publicUrl}/verify/${token}`));
  }

  /**
   * Confirms an address. To become an operator, the account must also be signed in. An accidental click on
   * the link therefore does not promote an outsider who signed up with the operator's address.
   */
  async verify(context: RequestContext, token: string): Promise<void> {
    await this.limiter.countToken(context.address);
    const mailed = await this.mailed.find(token, 'verify');
    const { accountId, email } = mailed;
    await this.db.globalTransaction(async (manager) => {
      await this.mailed.spend(manager, mailed);
      const { affected } = await manager
        .getRepository(Account)
        .update({ id: accountId, email }, { emailVerifiedAt: new Date() });
      if (affected === 0) throw new AppError('auth.bad_token');
      await this.audit.record(manager, context, { action: 'account.verify', target: accountId, accountId });
    });
    if (context.callerOrNone?.account.id === accountId)
      await this.#makeOperator(context, { id: accountId, email });
  }

  /** Makes the account an operator if its confirmed address is the operator's. */
  async #makeOperator(context: RequestContext, account: Pick<Account, 'id' | 'email'>): Promise<void> {
    if (account.email !== this.config.operatorEmail) return;
    await this.db.globalTransaction(async (manager) => {
      const { affected } = await manager
        .getRepository(Account)
        .update({ id: account.id, isOperator: false }, { isOperator: true });
      if (affected === 1)
        await this.audit.record(manager, context, {
          action: 'account.operator',
          target: account.id,
          accountId: account.id,
        });
    });
  }

  /**
   * Sets the password in the same transaction as `first` and `record`, so that no old credential stays valid
   * after a partial failure.
   */
  async #setPassword(
    account: Pick<Account, 'id' | 'email'>,
    password: string,
    retained: { readonly sessionId: string | null; readonly tokens: boolean },
    first: (manager: EntityManager) => Promise<void>,
    record: (manager: EntityManager, ended: EndedResponse) => Promise<void>,
  ): Promise<EndedResponse> {
    const passwordHash = await hashPassword(password);
    const ended = await this.db.globalTransaction(async (manager) => {
      await first(manager);
      await manager.getRepository(Account).update({ id: account.id }, { passwordHash });
      const sessionsEnded = await this.sessions.revokeOthers(manager, account.id, retained.sessionId);
      const counts = {
        sessions_ended: sessionsEnded,
        tokens_ended: retained.tokens ? 0 : await this.tokens.revokeAll(manager, account.id),
      };
      await record(manager, counts);
      return counts;
    });
    // Session keys are in the cell database. If ending them fails, setting a password again ends them, or
    // they expire within 15 minutes.
    await this.sessionKeys.endOthers(account.id, retained.sessionId);
    this.mailer.post(passwordChangedMail(account.email, retained.tokens));
    return ended;
  }

  get #accounts() {
    return this.db.global.getRepository(Account);
  }
}

/**
 * Rejects a password that equals the account's address. The other rules were checked with the body, which
 * does not contain the account.
 */
function rejectOwnAddress(account: { readonly email: string }, password: string, field: string): void {
  const fault = findPasswordFault(password, account.email);
  if (fault !== null) throw validationError('body.invalid', [faultAt(['body', field], fault, 'custom')]);
}
