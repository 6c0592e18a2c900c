import { Injectable } from '@nestjs/common';
import type { AccountAnswer, LoginRequest, OrganizationAnswer, SessionAnswer } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { CallContext } from '../../access/call-context.js';
import type { Account } from '../../platform-db/entities/account.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { Secrets } from '../../platform/secrets.js';
import { SessionKeyService } from '../keys/session-key-service.js';
import { OrganizationService } from '../organizations/organization-service.js';
import { AttemptLimiter } from './attempt-limiter.js';
import { findAccount } from './find-account.js';
import { isPassword } from './password-hasher.js';
import { SessionService } from './session-service.js';

export interface SignedIn {
  readonly sessionToken: string;
  readonly answer: SessionAnswer;
}

/** Signs people in and out, and describes the caller. */
@Injectable()
export class AuthService {
  constructor(
    private readonly db: PlatformDb,
    private readonly sessions: SessionService,
    private readonly sessionKeys: SessionKeyService,
    private readonly organizations: OrganizationService,
    private readonly limiter: AttemptLimiter,
    private readonly secrets: Secrets,
    private readonly audit: AuditWriter,
  ) {}

  async logIn(call: CallContext, body: LoginRequest): Promise<SignedIn> {
    const email = body.email.trim().toLowerCase();
    await this.limiter.countSignIn(call.address, email);
    const account = await findAccount(this.db, email);
    const isRight = await isPassword(account?.passwordHash ?? null, body.password);
    if (!isRight || account === null || account.disabledAt !== null) {
      await this.audit.write(call, { action: 'auth.refused', target: account?.id ?? '', accountId: account?.id ?? null });
      throw new AppError('auth.bad_credentials');
    }
    await this.limiter.forgiveSignIn(call.address, email);
    const session = await this.sessions.open(account, call);
    await this.audit.write(call, { action: 'auth.login', target: account.id, accountId: account.id });
    return {
      sessionToken: session.token,
      answer: { account: toAccountAnswer(account), organizations: await this.organizations.listOf(account.id), csrf_token: session.csrfToken },
    };
  }

  async logOut(call: CallContext): Promise<void> {
    const sessionId = call.caller.sessionId;
    if (sessionId === null) return;
    await this.sessions.revoke(call.accountId, sessionId);
    await this.sessionKeys.endSession(sessionId);
    await this.audit.write(call, { action: 'auth.logout', target: sessionId });
  }

  /** `csrf_token` is empty for callers with a token, who need none. */
  async describe(call: CallContext): Promise<SessionAnswer> {
    const { account, sessionToken } = call.caller;
    const organizations: OrganizationAnswer[] = await this.organizations.listOf(account.id);
    return { account: toAccountAnswer(account), organizations, csrf_token: sessionToken === null ? '' : this.secrets.csrfTokenOf(sessionToken) };
  }
}

export function toAccountAnswer(account: Account): AccountAnswer {
  return { id: account.id, email: account.email, name: account.name, is_operator: account.isOperator, email_verified: account.emailVerifiedAt !== null, wants_notices: account.wantsNotices };
}
