import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { chosenName, confirmNameRequest, removeMemberQuery, type CreatedInvitationAnswer, type EngineItem, type InvitationAnswer, type ListAnswer, type MemberAnswer, type MemberCredentialsAnswer, type OpenInvitationAnswer, type OrganizationAnswer, type RemoveMemberQuery } from '@rowhouse/contracts';
import { z } from 'zod';
import { roleOn, SIGNED_IN } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { createdInvitationAnswer, engineItem, invitationAnswer, listOf, memberAnswer, memberCredentialsAnswer, openInvitationAnswer, organizationAnswer } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { DatabasePlacement } from '../databases/database-placement.js';
import { InvitationService } from './invitation-service.js';
import { OrganizationService } from './organization-service.js';

const role = z.enum(['owner', 'admin', 'developer', 'viewer']);
const nameBody = z.strictObject({ name: chosenName });
const roleBody = z.strictObject({ role });
const inviteBody = z.strictObject({ email: z.email().max(254), role });
const acceptBody = z.strictObject({ token: z.string().max(100) });

@Controller('api')
export class OrganizationController {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly invitations: InvitationService,
    private readonly placement: DatabasePlacement,
  ) {}

  @Get('organizations')
  @Route({ id: 'listOrganizations', summary: 'The organizations of the caller', access: SIGNED_IN, answer: listOf(organizationAnswer) })
  async list(@Call() call: CallContext): Promise<ListAnswer<OrganizationAnswer>> {
    return { items: await this.organizations.listOf(call.accountId), next_cursor: null };
  }

  @Post('organizations')
  @Route({ id: 'createOrganization', summary: 'A new organization with the caller as owner', access: SIGNED_IN, body: nameBody, answer: organizationAnswer, status: 201 })
  create(@Call() call: CallContext, @Body(new ZodPipe('body', nameBody)) body: z.infer<typeof nameBody>): Promise<OrganizationAnswer> {
    return this.organizations.create(call, body.name);
  }

  @Get('organizations/:id')
  @Route({ id: 'getOrganization', summary: 'One organization', access: roleOn('organization', 'viewer'), answer: organizationAnswer })
  get(@Call() call: CallContext): Promise<OrganizationAnswer> {
    return this.organizations.find(call);
  }

  @Patch('organizations/:id')
  @Route({ id: 'renameOrganization', summary: 'Rename an organization', access: roleOn('organization', 'admin'), body: nameBody, answer: organizationAnswer })
  rename(@Call() call: CallContext, @Body(new ZodPipe('body', nameBody)) body: z.infer<typeof nameBody>): Promise<OrganizationAnswer> {
    return this.organizations.rename(call, body.name);
  }

  @Delete('organizations/:id')
  @Route({ id: 'deleteOrganization', summary: 'Delete an organization without projects; `confirm` is its name', access: roleOn('organization', 'owner'), body: confirmNameRequest })
  delete(@Call() call: CallContext, @Body(new ZodPipe('body', confirmNameRequest)) body: z.infer<typeof confirmNameRequest>): Promise<void> {
    return this.organizations.delete(call, body.confirm);
  }

  @Get('organizations/:id/engines')
  @Route({ id: 'listEngines', summary: 'The engines that new databases of an organization can have', access: roleOn('organization', 'viewer'), answer: listOf(engineItem) })
  async engines(@Call() call: CallContext): Promise<ListAnswer<EngineItem>> {
    return { items: await this.placement.listEngines(call.reach.organizationId), next_cursor: null };
  }

  @Get('organizations/:id/members')
  @Route({ id: 'listMembers', summary: 'Who belongs to an organization', access: roleOn('organization', 'viewer'), answer: listOf(memberAnswer) })
  async members(@Call() call: CallContext): Promise<ListAnswer<MemberAnswer>> {
    return { items: await this.organizations.listMembers(call.reach.organizationId), next_cursor: null };
  }

  @Patch('organizations/:id/members/:accountId')
  @Route({ id: 'changeMember', summary: 'Give a member another role', access: roleOn('organization', 'admin'), body: roleBody, answer: memberAnswer })
  changeMember(@Call() call: CallContext, @Param('accountId') accountId: string, @Body(new ZodPipe('body', roleBody)) body: z.infer<typeof roleBody>): Promise<MemberAnswer> {
    return this.organizations.changeMember(call, accountId, body.role);
  }

  @Get('organizations/:id/members/:accountId/credentials')
  @Route({ id: 'countMemberCredentials', summary: 'Count what removing a member would revoke', access: roleOn('organization', 'viewer'), answer: memberCredentialsAnswer })
  countCredentials(@Call() call: CallContext, @Param('accountId') accountId: string): Promise<MemberCredentialsAnswer> {
    return this.organizations.countCredentials(call, accountId);
  }

  @Delete('organizations/:id/members/:accountId')
  @Route({ id: 'removeMember', summary: 'Remove a member with the keys, connections and share links that the member created, or leave', access: roleOn('organization', 'viewer'), query: removeMemberQuery })
  removeMember(@Call() call: CallContext, @Param('accountId') accountId: string, @Query(new ZodPipe('query', removeMemberQuery)) query: RemoveMemberQuery): Promise<void> {
    return this.organizations.removeMember(call, accountId, query.keep_credentials);
  }

  @Get('organizations/:id/invitations')
  @Route({ id: 'listInvitations', summary: 'Open invitations', access: roleOn('organization', 'admin'), answer: listOf(invitationAnswer) })
  async listInvitations(@Call() call: CallContext): Promise<ListAnswer<InvitationAnswer>> {
    return { items: await this.invitations.list(call.reach.organizationId), next_cursor: null };
  }

  @Post('organizations/:id/invitations')
  @Route({ id: 'createInvitation', summary: 'Invite an e-mail address, by mail where there is a mail server; the address to join at is shown once', access: roleOn('organization', 'admin'), body: inviteBody, answer: createdInvitationAnswer, status: 201 })
  invite(@Call() call: CallContext, @Body(new ZodPipe('body', inviteBody)) body: z.infer<typeof inviteBody>): Promise<CreatedInvitationAnswer> {
    return this.invitations.create(call, body);
  }

  @Delete('organizations/:id/invitations/:invitationId')
  @Route({ id: 'withdrawInvitation', summary: 'Withdraw an invitation', access: roleOn('organization', 'admin') })
  withdraw(@Call() call: CallContext, @Param('invitationId') invitationId: string): Promise<void> {
    return this.invitations.withdraw(call, invitationId);
  }

  @Get('invitations/:token')
  @Route({ id: 'getInvitation', summary: "What an invitation for the caller's address offers", access: SIGNED_IN, answer: openInvitationAnswer })
  describe(@Call() call: CallContext, @Param('token') token: string): Promise<OpenInvitationAnswer> {
    return this.invitations.describe(call, token);
  }

  @Post('invitations/accept')
  @Route({ id: 'acceptInvitation', summary: 'Join the organization of an invitation', access: SIGNED_IN, body: acceptBody, answer: z.object({ organization_id: z.string() }) })
  async accept(@Call() call: CallContext, @Body(new ZodPipe('body', acceptBody)) body: z.infer<typeof acceptBody>): Promise<{ organization_id: string }> {
    return { organization_id: await this.invitations.acceptAs(call, body.token) };
  }
}
