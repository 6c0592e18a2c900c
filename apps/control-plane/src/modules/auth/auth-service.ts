import { Injectable } from '@nestjs/common';
import type {
  AccountResponse,
  LoginRequest,
  OrganizationResponse,
  SessionResponse,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { RequestContext } from '../../access/request-context.js';
import type { Account } from '../../platform-db/entities/account.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { Secrets } from '../../platform/secrets.js';
import { SessionKeyService } from '../keys/session-key-service.js';
import { OrganizationService } from '../organizations/organization-service.js';
import { AttemptLimiter } from './attempt-limiter.js';
import { findAccount } from './account-rows.js';
import { isPassword } from './password-hasher.js';
import { SessionService } from './session-service.js';

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
    private readonly audit: AuditWriter,
  ) {}

  async logIn(context: RequestContext, body: LoginRequest): Promise<SignedIn> {
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
    const session = await this.sessions.open(account, context, (manager) =>
      this.audit.record(manager, context, {
        action: 'auth.login',
        target: account.id,
        accountId: account.id,
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

  async logOut(context: RequestContext): Promise<void> {
    const sessionId = context.caller.sessionId;
    if (sessionId === null) return;
    await this.audit.changeGlobal(context, { action: 'auth.logout', target: sessionId }, (manager) =>
      this.sessions.revoke(manager, context.accountId, sessionId),
    );
    await this.sessionKeys.endSession(sessionId);
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
  };
}
