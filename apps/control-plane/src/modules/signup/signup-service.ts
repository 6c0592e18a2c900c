import { Inject, Injectable } from '@nestjs/common';
import type { OrganizationResponse, SignupResponse, SignupRequest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import type { RequestContext } from '../../access/request-context.js';
import type { Config } from '../../config.js';
import { Account } from '../../platform-db/entities/account.js';
import { Invitation } from '../../platform-db/entities/invitation.js';
import { Membership } from '../../platform-db/entities/membership.js';
import { Organization } from '../../platform-db/entities/organization.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { CONFIG } from '../../platform/tokens.js';
import { AttemptLimiter } from '../auth/attempt-limiter.js';
import { AccountService } from '../account/account-service.js';
import { toAccountResponse } from '../auth/auth-service.js';
import { hashPassword } from '../auth/password-hasher.js';
import { SessionService } from '../auth/session-service.js';
import { DatabaseService } from '../databases/database-service.js';
import { KeyService } from '../keys/key-service.js';
import { InvitationService } from '../organizations/invitation-service.js';
import { OrganizationService } from '../organizations/organization-service.js';
import { ENVIRONMENTS, ProjectMaker } from '../projects/project-maker.js';

export interface SignedUp {
  readonly sessionToken: string;
  readonly answer: SignupResponse;
  /** Whether the API is live. False when the response has the status 202. */
  readonly isLive: boolean;
}

/** Signs a user up: from an email address to a live API with its first key. */
@Injectable()
export class SignupService {
  constructor(
    private readonly db: PlatformDb,
    private readonly limiter: AttemptLimiter,
    private readonly organizations: OrganizationService,
    private readonly invitations: InvitationService,
    private readonly sessions: SessionService,
    private readonly maker: ProjectMaker,
    private readonly databases: DatabaseService,
    private readonly keys: KeyService,
    private readonly accounts: AccountService,
    private readonly audit: AuditWriter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async signUp(context: RequestContext, body: SignupRequest): Promise<SignedUp> {
    const email = body.email.toLowerCase();
    await this.limiter.countSignUp(context.address);
    const invitation = await this.#checkMode(body, email);
    const starter = body.starter ?? 'blog';
    this.maker.assertPossible(starter);
    await this.databases.assertCapacity(ENVIRONMENTS.length);
    const { account, organization } = await this.#insertAccount(context, body, email, invitation);
    const input = {
      organizationId: organization.id,
      name: body.project ?? 'My project',
      starter,
      accountId: account.id,
    };
    const created = await this.maker.make(input).catch(async (error: unknown) => {
      await this.#takeBack(account.id, organization.id, invitation);
      throw error;
    });
    const rows = await this.databases.listOf(created.project.id);
    const development = rows.find((row) => row.environment === 'development');
    if (development === undefined)
      throw new AppError('internal.defect', { internal: 'a new project has no development database' });
    const key = await this.keys.insert(development, { name: 'First key' }, account.id, (manager, row) =>
      this.audit.record(manager, context, {
        action: 'key.create',
        target: row.id,
        accountId: account.id,
        organizationId: organization.id,
        projectId: created.project.id,
        databaseId: development.id,
      }),
    );
    await this.accounts.postVerification(account);
    const session = await this.sessions.open(account, context);
    const databases = await this.databases.toResponses(rows);
    const answer: SignupResponse = {
      account: toAccountResponse(account),
      organization,
      project: {
        id: created.project.id,
        organization_id: organization.id,
        name: created.project.name,
        created_at: created.project.createdAt.toISOString(),
        databases,
      },
      databases,
      api_key: key.secret,
      csrf_token: session.csrfToken,
      ...(created.isLive ? {} : { migrations: await this.maker.migrationsOf(created) }),
    };
    return { sessionToken: session.token, answer, isLive: created.isLive };
  }

  /**
   * Checks whether the address may sign up. The operator's address always may, because a closed installation
   * could otherwise never be opened.
   */
  async #checkMode(body: SignupRequest, email: string): Promise<Invitation | null> {
    if (body.invitation !== undefined) return this.invitations.find(body.invitation, email);
    if (this.config.signup === 'open' || email === this.config.operatorEmail) return null;
    throw new AppError(
      'auth.signup_closed',
      this.config.signup === 'invite' ? { detail: 'Sign-up requires an invitation.' } : {},
    );
  }

  /** Reverts a sign-up without databases, so that the address and the invitation can be used again. */
  async #takeBack(accountId: string, organizationId: string, invitation: Invitation | null): Promise<void> {
    await this.db.globalTransaction(async (manager) => {
      await manager.getRepository(Membership).delete({ accountId });
      await manager.getRepository(Organization).delete({ id: organizationId });
      await manager.getRepository(Account).delete({ id: accountId });
      if (invitation !== null)
        await manager.getRepository(Invitation).update({ id: invitation.id }, { acceptedAt: null });
    });
  }

  async #insertAccount(
    context: RequestContext,
    body: SignupRequest,
    email: string,
    invitation: Invitation | null,
  ): Promise<{ account: Account; organization: OrganizationResponse }> {
    const account = Object.assign(new Account(), {
      id: createId('acc'),
      email,
      name: body.name ?? '',
      passwordHash: await hashPassword(body.password),
      // Entering an address does not prove that the user owns it. `AccountService` makes the account an
      // operator once the address is confirmed.
      isOperator: false,
      disabledAt: null,
      emailVerifiedAt: null,
      wantsNotices: true,
      createdAt: new Date(),
    });
    const organizationName =
      body.organization ??
      (body.name === undefined || body.name === '' ? (email.split('@')[0] ?? email) : body.name).slice(
        0,
        100,
      );
    try {
      const organization = await this.db.globalTransaction(async (manager) => {
        await manager.getRepository(Account).insert({ ...account });
        if (invitation !== null) await this.invitations.accept(manager, invitation, account.id);
        const inserted = await this.organizations.insert(manager, organizationName, account.id);
        await this.audit.record(manager, context, {
          action: 'auth.signup',
          target: account.id,
          accountId: account.id,
          organizationId: inserted.id,
        });
        return inserted;
      });
      return { account, organization };
    } catch (error) {
      if ((error as { code?: string }).code !== 'ER_DUP_ENTRY') throw error;
      throw new AppError('resource.conflict', {
        detail: 'An account with this email address already exists. Sign in instead.',
      });
    }
  }
}
