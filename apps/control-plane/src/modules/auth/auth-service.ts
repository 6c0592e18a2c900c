import { Injectable } from '@nestjs/common';
import type {
  AccountResponse,
  EndedSessionsResponse,
  LoginRequest,
  OrganizationResponse,
  SessionResponse,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { IsNull, type EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { Account } from '../../platform-db/entities/account.js';
import { RecoveryCode } from '../../platform-db/entities/recovery-code.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { Secrets } from '../../platform/secrets.js';
import { SessionKeyService } from '../keys/session-key-service.js';
import { recoveryCodeUsedMail } from '../mail/mail-texts.js';
import { Mailer } from '../mail/mailer.js';
import { OrganizationService } from '../organizations/organization-service.js';
import { SecondFactorCheck, type SecondFactor } from '../two-factor/second-factor-check.js';
import { expiredSignIn, SignInStates } from '../two-factor/sign-in-states.js';
import { AttemptLimiter } from './attempt-limiter.js';
import { findAccount } from './account-rows.js';
import { isPassword } from './password-hasher.js';
import { SessionService } from './session-service.js';

/** A finished sign-in, or one that waits for a code. `stateToken` is for the cookie of the browser. */
export type LogInResult =
  | ({ readonly kind: 'signed_in' } & SignedIn)
  | { readonly kind: 'second_factor'; readonly stateToken: string };

export interface SignedIn {
  readonly sessionToken: string;
  readonly answer: SessionResponse;
}

/** Signs users in and out, and describes the caller. */
@Injectable()
export class AuthService {
  constructor(
    private readonly db: PlatformDb,
    private readonly sessions: SessionService,
    private readonly sessionKeys: SessionKeyService,
    private readonly organizations: OrganizationService,
    private readonly limiter: AttemptLimiter,
    private readonly secrets: Secrets,
    private readonly states: SignInStates,
    private readonly secondFactor: SecondFactorCheck,
    private readonly mailer: Mailer,
    private readonly audit: AuditWriter,
  ) {}

  async logIn(context: RequestContext, body: LoginRequest): Promise<LogInResult> {
    const email = body.email.trim().toLowerCase();
    await this.limiter.countSignIn(context.address, email);
    const account = await findAccount(this.db, email);
    const isRight = await isPassword(account?.passwordHash ?? null, body.password);
    if (!isRight || account === null || account.disabledAt !== null) {
      await this.audit.write(context, {
        action: 'auth.refused',
        target: account?.id ?? '',
        accountId: account?.id ?? null,
      });
      throw new AppError('auth.bad_credentials');
    }
    await this.limiter.forgiveSignIn(context.address, email);
    if (account.twoFactorAt !== null) {
      const data = { password: this.#fingerprint(account) };
      const stateToken = await this.states.issue({ kind: 'second_factor', accountId: account.id, data });
      return { kind: 'second_factor', stateToken };
    }
    const signedIn = await this.open(context, account, async () => ({}));
    return { kind: 'signed_in', ...signedIn };
  }

  /**
   * Finishes a sign-in with a code. The password must not have changed since the first step. A wrong code
   * leaves the pending sign-in as it is, so that the user can try again.
   */
  async completeLogIn(context: RequestContext, token: string | undefined, code: string): Promise<SignedIn> {
    const state = await this.states.find(token, 'second_factor');
    const account = await this.db.global
      .getRepository(Account)
      .findOneBy({ id: state.accountId ?? '', disabledAt: IsNull() });
    if (account === null || this.#fingerprint(account) !== state.data['password']) throw expiredSignIn();
    await this.limiter.countCode(context.address, account.id);
    let kind = 'totp' as SecondFactor;
    const signedIn = await this.open(context, account, async (manager) => {
      await this.states.spend(manager, state);
      kind = await this.secondFactor.spend(manager, account.id, code);
      return { second_factor: kind };
    }).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'auth.bad_code')
        await this.audit.write(context, {
          action: 'auth.refused',
          target: account.id,
          accountId: account.id,
          detail: { second_factor: true },
        });
      throw error;
    });
    await this.limiter.forgiveCode(context.address, account.id);
    if (kind === 'recovery_code') await this.#mailRecovery(account);
    return signedIn;
  }

  async #mailRecovery(account: Account): Promise<void> {
    const left = await this.db.global.getRepository(RecoveryCode).countBy({ accountId: account.id });
    this.mailer.post(recoveryCodeUsedMail(account.email, left));
  }

  /** Opens a session after all checks. `last` runs in its transaction and returns details for the audit log. */
  async open(
    context: RequestContext,
    account: Account,
    last: (manager: EntityManager) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<SignedIn> {
    const session = await this.sessions.open(account, context, async (manager) =>
      this.audit.record(manager, context, {
        action: 'auth.login',
        target: account.id,
        accountId: account.id,
        detail: await last(manager),
      }),
    );
    return {
      sessionToken: session.token,
      answer: {
        account: toAccountResponse(account),
        organizations: await this.organizations.listOf(account.id),
        csrf_token: session.csrfToken,
      },
    };
  }

  /** Returns a text that changes with the password and does not reveal its hash. */
  #fingerprint({ passwordHash }: Account): string {
    return this.secrets.hash(passwordHash).toString('base64url');
  }

  async logOut(context: RequestContext): Promise<void> {
    const sessionId = context.caller.sessionId;
    if (sessionId === null) return;
    await this.audit.changeGlobal(context, { action: 'auth.logout', target: sessionId }, (manager) =>
      this.sessions.revoke(manager, context.accountId, sessionId),
    );
    await this.sessionKeys.endSession(sessionId);
  }

  /**
   * Ends all sessions of the account except the caller's, with their console keys, and the sign-ins that wait
   * for a code. A caller with a token has no session, so all of them end.
   */
  async endOtherSessions(context: RequestContext): Promise<EndedSessionsResponse> {
    const {
      accountId,
      caller: { sessionId },
    } = context;
    const count = await this.db.globalTransaction(async (manager) => {
      await this.states.dropAll(manager, accountId);
      const ended = await this.sessions.revokeOthers(manager, accountId, sessionId);
      await this.audit.record(manager, context, {
        action: 'session.revoke_others',
        target: accountId,
        detail: { sessions_ended: ended },
      });
      return ended;
    });
    await this.sessionKeys.endOthers(accountId, sessionId);
    return { sessions_ended: count };
  }

  /** Describes the caller. `csrf_token` is empty for callers with a token, because they need none. */
  async describe(context: RequestContext): Promise<SessionResponse> {
    const { account, sessionToken } = context.caller;
    const organizations: OrganizationResponse[] = await this.organizations.listOf(account.id);
    return {
      account: toAccountResponse(account),
      organizations,
      csrf_token: sessionToken === null ? '' : this.secrets.csrfTokenOf(sessionToken),
    };
  }
}

export function toAccountResponse(account: Account): AccountResponse {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    is_operator: account.isOperator,
    email_verified: account.emailVerifiedAt !== null,
    wants_notices: account.wantsNotices,
    has_two_factor: account.twoFactorAt !== null,
  };
}
