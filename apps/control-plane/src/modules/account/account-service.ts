import { Inject, Injectable } from '@nestjs/common';
import { findPasswordFault, type AccountAnswer, type ChangePasswordRequest, type EndedAnswer, type MailAnswer, type ResetPasswordRequest, type UpdateAccountRequest } from '@rowhouse/contracts';
import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type { Logger } from '@rowhouse/runtime';
import { IsNull, type EntityManager } from 'typeorm';
import type { CallContext } from '../../access/call-context.js';
import type { Config } from '../../config.js';
import { Account } from '../../platform-db/entities/account.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { CONFIG, LOGGER } from '../../platform/tokens.js';
import { AttemptLimiter } from '../auth/attempt-limiter.js';
import { toAccountAnswer } from '../auth/auth-service.js';
import { findAccount } from '../auth/find-account.js';
import { lockAccount } from '../auth/lock-account.js';
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

  async update(call: CallContext, body: UpdateAccountRequest): Promise<AccountAnswer> {
    const changes = { ...(body.name === undefined ? {} : { name: body.name }), ...(body.wants_notices === undefined ? {} : { wantsNotices: body.wants_notices }) };
    if (Object.keys(changes).length > 0) await this.#accounts.update({ id: call.accountId }, changes);
    await this.audit.write(call, { action: 'account.update', target: call.accountId, detail: { changed: Object.keys(body) } });
    return toAccountAnswer(await this.#accounts.findOneByOrFail({ id: call.accountId }));
  }

  /**
   * Throws `auth.bad_credentials` unless the password is correct. Guesses are limited like sign-in attempts,
   * because a session may have been left open.
   */
  async assertPassword(call: CallContext, password: string): Promise<void> {
    const { account } = call.caller;
    await this.limiter.countSignIn(call.address, account.email);
    if (!(await isPassword(account.passwordHash, password))) throw new AppError('auth.bad_credentials', { detail: 'The current password is not right.' });
    await this.limiter.forgiveSignIn(call.address, account.email);
  }

  /** Requires the current password. The caller's session stays. */
  async changePassword(call: CallContext, body: ChangePasswordRequest): Promise<EndedAnswer> {
    const { account } = call.caller;
    refuseOwnAddress(account, body.new_password, 'new_password');
    await this.assertPassword(call, body.current_password);
    const ended = await this.#setPassword(account, body.new_password, { sessionId: call.caller.sessionId, tokens: body.keep_tokens === true }, (manager) => lockAccount(manager, account));
    await this.audit.write(call, { action: 'auth.password_change', target: account.id, detail: { ...ended } });
    return ended;
  }

  /** Reveals neither by response nor by timing whether the account exists. */
  async forget(call: CallContext, wanted: string): Promise<MailAnswer> {
    const email = wanted.trim().toLowerCase();
    await this.limiter.countMail(call.address, email);
    this.#postReset(call, email).catch((error: unknown) => this.logger.error({ err: error }, 'a mail for a new password was not made'));
    return { is_mailed: this.mailer.isSending };
  }

  async #postReset(call: CallContext, email: string): Promise<void> {
    const account = await findAccount(this.db, email);
    if (account === null || account.disabledAt !== null) return;
    const token = await this.mailed.issue(account, 'reset');
    this.mailer.post(resetMail(account.email, `${this.config.publicUrl}/reset/${token}`));
    await this.audit.write(call, { action: 'auth.password_forgotten', target: account.id, accountId: account.id });
  }

  /**
   * Ends every session and token, so a stranger who signed up with the address is locked out. Receiving the
   * email also confirms the address.
   */
  async reset(call: CallContext, body: ResetPasswordRequest): Promise<EndedAnswer> {
    await this.limiter.countToken(call.address);
    const mailed = await this.mailed.find(body.token, 'reset');
    refuseOwnAddress(mailed, body.password, 'password');
    const account = await this.#accounts.findOneBy({ id: mailed.accountId, disabledAt: IsNull() });
    if (account === null) throw new AppError('auth.bad_token');
    const ended = await this.#setPassword(account, body.password, { sessionId: null, tokens: false }, async (manager) => {
      await this.mailed.spend(manager, mailed);
      if (account.email === mailed.email) await manager.getRepository(Account).update({ id: account.id, emailVerifiedAt: IsNull() }, { emailVerifiedAt: new Date() });
    });
    await this.audit.write(call, { action: 'auth.password_reset', target: account.id, accountId: account.id, detail: { ...ended } });
    await this.#makeOperator(call, account);
    return ended;
  }

  async sendVerification(call: CallContext): Promise<MailAnswer> {
    const { account } = call.caller;
    if (account.emailVerifiedAt !== null) throw new AppError('resource.conflict', { detail: 'The address is confirmed already.' });
    await this.limiter.countMail(call.address, account.email);
    await this.postVerification(account);
    return { is_mailed: this.mailer.isSending };
  }

  async postVerification(account: Pick<Account, 'id' | 'email'>): Promise<void> {
    const token = await this.mailed.issue(account, 'verify');
    this.mailer.post(verificationMail(account.email, `${this.config.publicUrl}/verify/${token}`));
  }

  /**
   * Confirms an address. Becoming an operator also requires a signed-in session of that account, so an
   * accidental click on the link does not promote a stranger who signed up with the operator's address.
   */
  async verify(call: CallContext, token: string): Promise<void> {
    await this.limiter.countToken(call.address);
    const mailed = await this.mailed.find(token, 'verify');
    const { accountId, email } = mailed;
    await this.db.globalTransaction(async (manager) => {
      await this.mailed.spend(manager, mailed);
      const { affected } = await manager.getRepository(Account).update({ id: accountId, email }, { emailVerifiedAt: new Date() });
      if (affected === 0) throw new AppError('auth.bad_token');
    });
    await this.audit.write(call, { action: 'account.verify', target: accountId, accountId });
    if (call.callerOrNone?.account.id === accountId) await this.#makeOperator(call, { id: accountId, email });
  }

  /** Makes the account an operator if its confirmed address is the operator's. */
  async #makeOperator(call: CallContext, account: Pick<Account, 'id' | 'email'>): Promise<void> {
    if (account.email !== this.config.operatorEmail) return;
    const { affected } = await this.#accounts.update({ id: account.id, isOperator: false }, { isOperator: true });
    if (affected === 1) await this.audit.write(call, { action: 'account.operator', target: account.id, accountId: account.id });
  }

  /**
   * Sets the password in one transaction with `first`, so that nothing stays valid after a partial failure.
   */
  async #setPassword(account: Pick<Account, 'id' | 'email'>, password: string, kept: { readonly sessionId: string | null; readonly tokens: boolean }, first: (manager: EntityManager) => Promise<void>): Promise<EndedAnswer> {
    const passwordHash = await hashPassword(password);
    const ended = await this.db.globalTransaction(async (manager) => {
      await first(manager);
      await manager.getRepository(Account).update({ id: account.id }, { passwordHash });
      const sessionsEnded = await this.sessions.revokeOthers(manager, account.id, kept.sessionId);
      return { sessions_ended: sessionsEnded, tokens_ended: kept.tokens ? 0 : await this.tokens.revokeAll(manager, account.id) };
    });
    // Session keys are in the cell database. If this fails, setting a password again ends them, or they
    // expire within 15 minutes.
    await this.sessionKeys.endOthers(account.id, kept.sessionId);
    this.mailer.post(passwordChangedMail(account.email, kept.tokens));
    return ended;
  }

  get #accounts() {
    return this.db.global.getRepository(Account);
  }
}

/** The other password rules were checked with the body, which does not know the account. */
function refuseOwnAddress(account: { readonly email: string }, password: string, field: string): void {
  const fault = findPasswordFault(password, account.email);
  if (fault !== null) throw validationError('body.invalid', [faultAt(['body', field], fault, 'custom')]);
}
