import { Inject, Injectable } from '@nestjs/common';
import { generateToken } from '@rowhouse/credentials';
import {
  isRoleAtLeast,
  type CreatedInvitationResponse,
  type InvitationResponse,
  type OpenInvitationResponse,
  type Role,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { In, IsNull, MoreThan, type EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import type { Config } from '../../config.js';
import { Account } from '../../platform-db/entities/account.js';
import { Invitation } from '../../platform-db/entities/invitation.js';
import { Membership } from '../../platform-db/entities/membership.js';
import { Organization } from '../../platform-db/entities/organization.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { Secrets } from '../../platform/secrets.js';
import { CONFIG } from '../../platform/tokens.js';
import { AttemptLimiter } from '../auth/attempt-limiter.js';
import { invitationMail } from '../mail/mail-texts.js';
import { Mailer } from '../mail/mailer.js';
import { lockOrganization, assertCapacityForOne } from './organization-locks.js';

const INVITATION_MS = 7 * 86_400_000;
/**
 * The maximum number of open invitations and of members. It is low enough that a list can show all of them.
 */
const OPEN_MAX = 200;
/**
 * The maximum number of stored invitations: 200 a day for a week. The number includes invitations whose
 * creator may no longer invite.
 */
const LISTED_MAX = 2_000;
export const MEMBERS_MAX = 1_000;

/**
 * Manages invitations to organizations. Invitations are sent by email. In an installation without email, the
 * creator passes the link on.
 */
@Injectable()
export class InvitationService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
    private readonly audit: AuditWriter,
    private readonly mailer: Mailer,
    private readonly limiter: AttemptLimiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async create(
    context: RequestContext,
    body: { email: string; role: Role },
  ): Promise<CreatedInvitationResponse> {
    const { organizationId, role: own } = context.reach;
    if (!isRoleAtLeast(own, body.role))
      throw new AppError('auth.role', { detail: 'You cannot give or change a role higher than yours.' });
    await this.limiter.countInvitation(context.accountId, organizationId);
    await this.#assertCapacity(organizationId);
    const id = createId('inv');
    const token = generateToken('rhi');
    const expiresAt = new Date(this.db.nowMs() + INVITATION_MS);
    const email = body.email.toLowerCase();
    const organization = await this.db.globalTransaction(async (manager) => {
      const found = await lockOrganization(manager, organizationId);
      await manager.getRepository(Invitation).insert({
        id,
        organizationId,
        email,
        role: body.role,
        tokenHash: this.secrets.hash(token),
        invitedBy: context.accountId,
        expiresAt,
        createdAt: new Date(),
      });
      await this.audit.record(manager, context, {
        action: 'invitation.create',
        target: id,
        detail: { email, role: body.role },
      });
      return found;
    });
    const url = `${this.config.publicUrl}/invitations/${token}`;
    const { account } = context.caller;
    // The number of emails per recipient is limited. The invitation is created in any case, because its link
    // can be passed on.
    const isMailed = await this.limiter.mayMailInvitation(email);
    if (isMailed)
      this.mailer.post(
        invitationMail(email, {
          organization: organization.name,
          by: { name: account.name, email: account.email },
          role: body.role,
          url,
        }),
      );
    return {
      id,
      email,
      role: body.role,
      expires_at: expiresAt.toISOString(),
      token,
      url,
      is_mailed: isMailed && this.mailer.isSending,
    };
  }

  async #assertCapacity(organizationId: string): Promise<void> {
    if ((await this.list(organizationId)).length < OPEN_MAX) return;
    throw new AppError('resource.conflict', {
      detail: `An organization can have at most ${OPEN_MAX} open invitations.`,
      hint: 'Revoke one you no longer need.',
    });
  }

  async list(organizationId: string): Promise<InvitationResponse[]> {
    const open = { organizationId, acceptedAt: IsNull(), expiresAt: MoreThan(new Date(this.db.nowMs())) };
    const rows = await this.db.global
      .getRepository(Invitation)
      .find({ where: open, order: { createdAt: 'DESC' }, take: LISTED_MAX });
    const members = await this.db.global
      .getRepository(Membership)
      .findBy({ organizationId, accountId: In(rows.map((row) => row.invitedBy)) });
    const byAccount = new Map(members.map((member) => [member.accountId, member]));
    return rows
      .filter((row) => mayInvite(byAccount.get(row.invitedBy), row.role))
      .map((row) => ({
        id: row.id,
        email: row.email,
        role: row.role,
        expires_at: row.expiresAt.toISOString(),
      }));
  }

  async withdraw(context: RequestContext, id: string): Promise<void> {
    const { organizationId } = context.reach;
    await this.audit.changeGlobal(context, { action: 'invitation.withdraw', target: id }, async (manager) => {
      const { affected } = await manager
        .getRepository(Invitation)
        .delete({ id, organizationId, acceptedAt: IsNull() });
      if ((affected ?? 0) === 0)
        throw new AppError('resource.not_found', { detail: 'The invitation does not exist.' });
    });
  }

  /**
   * Returns the open invitation of a token for this email address. It is only valid while its creator may
   * invite. Otherwise an admin could keep an invitation and use it after losing the role.
   */
  async find(token: string, email: string): Promise<Invitation> {
    const row = await this.db.global
      .getRepository(Invitation)
      .findOneBy({ tokenHash: this.secrets.hash(token), acceptedAt: IsNull() });
    const inviter =
      row === null
        ? null
        : await this.db.global
            .getRepository(Membership)
            .findOneBy({ organizationId: row.organizationId, accountId: row.invitedBy });
    if (
      row === null ||
      row.expiresAt.getTime() <= this.db.nowMs() ||
      row.email !== email ||
      !mayInvite(inviter, row.role)
    ) {
      throw new AppError('resource.not_found', {
        detail: 'This invitation does not exist, has expired, or is for another email address.',
      });
    }
    return row;
  }

  /** Makes the account a member. An invitation works once and never lowers a role. */
  async accept(manager: EntityManager, invitation: Invitation, accountId: string): Promise<void> {
    // The locks make concurrent acceptances count each other, and exclude deletions of the account and the
    // organization.
    const account = await manager
      .getRepository(Account)
      .findOne({ where: { id: accountId }, lock: { mode: 'pessimistic_write' } });
    if (account === null) throw new AppError('auth.missing_session');
    await lockOrganization(manager, invitation.organizationId);
    const taken = await manager
      .getRepository(Invitation)
      .update({ id: invitation.id, acceptedAt: IsNull() }, { acceptedAt: new Date() });
    if ((taken.affected ?? 0) === 0)
      throw new AppError('resource.conflict', { detail: 'This invitation has been used.' });
    const memberships = manager.getRepository(Membership);
    const { organizationId, role } = invitation;
    const present = await memberships.findOneBy({ organizationId, accountId });
    if (present === null && (await memberships.countBy({ organizationId })) >= MEMBERS_MAX) {
      throw new AppError('resource.conflict', {
        detail: `An organization can have at most ${MEMBERS_MAX.toLocaleString('en')} members.`,
      });
    }
    if (present === null) await assertCapacityForOne(manager, accountId);
    if (present === null)
      await memberships.insert({ organizationId, accountId, role, createdAt: new Date() });
    else if (!isRoleAtLeast(present.role, role))
      await memberships.update({ organizationId, accountId }, { role });
  }

  /** Describes the organization that the caller would join. */
  async describe(context: RequestContext, token: string): Promise<OpenInvitationResponse> {
    const row = await this.find(token, context.caller.account.email);
    const organization = await this.db.global
      .getRepository(Organization)
      .findOneBy({ id: row.organizationId });
    if (organization === null)
      throw new AppError('resource.not_found', { detail: 'The organization does not exist.' });
    return {
      id: row.id,
      email: row.email,
      role: row.role,
      expires_at: row.expiresAt.toISOString(),
      organization: { id: organization.id, name: organization.name },
    };
  }

  async acceptAs(context: RequestContext, token: string): Promise<string> {
    const invitation = await this.find(token, context.caller.account.email);
    await this.audit.changeGlobal(
      context,
      {
        action: 'invitation.accept',
        target: invitation.id,
        organizationId: invitation.organizationId,
      },
      (manager) => this.accept(manager, invitation, context.accountId),
    );
    return invitation.organizationId;
  }
}

function mayInvite(member: Membership | null | undefined, role: Role): boolean {
  return (
    member !== null &&
    member !== undefined &&
    isRoleAtLeast(member.role, 'admin') &&
    isRoleAtLeast(member.role, role)
  );
}
