import { Injectable } from '@nestjs/common';
import type { DeleteAccountRequest, Role } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { Account } from '../../platform-db/entities/account.js';
import { EmailToken } from '../../platform-db/entities/email-token.js';
import { Membership } from '../../platform-db/entities/membership.js';
import type { Organization } from '../../platform-db/entities/organization.js';
import { Passkey } from '../../platform-db/entities/passkey.js';
import { PersonalAccessToken } from '../../platform-db/entities/personal-access-token.js';
import { RecoveryCode } from '../../platform-db/entities/recovery-code.js';
import { SessionRow } from '../../platform-db/entities/session-row.js';
import { SignInState } from '../../platform-db/entities/sign-in-state.js';
import { TotpSecret } from '../../platform-db/entities/totp-secret.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { lockAccount } from '../auth/account-rows.js';
import { SessionKeyService } from '../keys/session-key-service.js';
import { accountDeletedMail } from '../mail/mail-texts.js';
import { Mailer } from '../mail/mailer.js';
import { lockOrganization } from '../organizations/organization-locks.js';
import { MemberCredentials } from '../organizations/member-credentials.js';
import { nameProjects, removeOrganization } from '../organizations/remove-organization.js';
import { AccountService } from './account-service.js';

/** An organization of the account. `isRemoved` is true when it had no other members and was deleted too. */
interface LeftOrganization {
  readonly id: string;
  readonly name: string;
  readonly isRemoved: boolean;
  readonly role: Role;
}

/** The tables with rows of one account. */
const OWNED = [SessionRow, PersonalAccessToken, EmailToken, TotpSecret, RecoveryCode, SignInState, Passkey];

/** Deletes accounts at the request of their owner. */
@Injectable()
export class AccountDeletion {
  constructor(
    private readonly db: PlatformDb,
    private readonly accounts: AccountService,
    private readonly sessionKeys: SessionKeyService,
    private readonly credentials: MemberCredentials,
    private readonly mailer: Mailer,
    private readonly audit: AuditWriter,
  ) {}

  /**
   * Deletes the account with its sessions, tokens and memberships, immediately and permanently. In remaining
   * organizations, the API keys, connections and share links that the person created are revoked. With
   * `keep_credentials`, they stay in organizations that the person owns.
   *
   * @throws AppError `resource.confirmation` for another address, `auth.bad_credentials` for a wrong
   * password, and `resource.conflict` while the account is the only owner of projects or of an organization
   * with members
   */
  async delete(context: RequestContext, body: DeleteAccountRequest): Promise<void> {
    const { account } = context.caller;
    if (body.confirm !== account.email)
      throw new AppError('resource.confirmation', {
        hint: 'confirm must be the email address of the account',
      });
    await this.accounts.assertPassword(context, body.password);
    const { email } = account;
    const left = await this.db.globalTransaction(async (manager) => {
      const organizations = await removeAccount(manager, account);
      for (const { id, name, isRemoved } of organizations)
        await this.audit.record(
          manager,
          context,
          isRemoved
            ? { action: 'organization.delete', target: id, organizationId: id, detail: { name } }
            : { action: 'member.remove', target: account.id, organizationId: id, detail: { email } },
        );
      await this.audit.record(manager, context, {
        action: 'account.delete',
        target: account.id,
        detail: { email },
      });
      return organizations;
    });
    // Session keys are in the cell database. If ending them fails, they expire within 15 minutes.
    await this.sessionKeys.endOthers(account.id, null);
    for (const { id, isRemoved, role } of left) {
      const isRetained = body.keep_credentials === true && role === 'owner';
      if (!isRemoved && !isRetained) await this.credentials.revokeAll(account.id, id);
    }
    this.mailer.post(accountDeletedMail(email));
  }
}

async function removeAccount(manager: EntityManager, account: Account): Promise<LeftOrganization[]> {
  const accountId = account.id;
  // Code that adds a membership also locks the account, so no membership is added during the deletion.
  await lockAccount(manager, account);
  const memberships = await manager
    .getRepository(Membership)
    .find({ where: { accountId }, order: { organizationId: 'ASC' } });
  const left: LeftOrganization[] = [];
  const held: string[] = [];
  for (const { organizationId, role } of memberships) {
    const organization = await lockOrganization(manager, organizationId);
    const found = await leaveOrganization(manager, organization, { accountId, role });
    if (typeof found === 'string') held.push(found);
    else left.push(found);
  }
  if (held.length > 0) {
    throw new AppError('resource.conflict', {
      detail: `These organizations would have no owner: ${held.join('; ')}.`,
      hint: 'Make another member an owner, delete the organization, or delete or move its projects.',
    });
  }
  await manager.getRepository(Membership).delete({ accountId });
  for (const entity of OWNED) await manager.getRepository(entity).delete({ accountId });
  await manager.getRepository(Account).delete({ id: accountId });
  return left;
}

/**
 * Deletes an organization without other members and projects. Returns a sentence when the account must not
 * leave.
 */
async function leaveOrganization(
  manager: EntityManager,
  { id, name }: Organization,
  { accountId, role }: Pick<Membership, 'accountId' | 'role'>,
): Promise<LeftOrganization | string> {
  const members = await manager
    .getRepository(Membership)
    .find({ where: { organizationId: id }, lock: { mode: 'pessimistic_write' } });
  const others = members.filter((member) => member.accountId !== accountId);
  if (others.some((member) => member.role === 'owner')) return { id, name, isRemoved: false, role };
  if (others.length > 0) return `${name}, which has other members`;
  const projects = await nameProjects(manager, id);
  if (projects !== null) return `${name}, with the projects ${projects}`;
  await removeOrganization(manager, id);
  return { id, name, isRemoved: true, role };
}
