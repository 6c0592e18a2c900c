import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import {
  chosenName,
  confirmNameRequest,
  removeMemberQuery,
  type CreatedInvitationResponse,
  type EngineItem,
  type InvitationResponse,
  type ListResponse,
  type MemberResponse,
  type MemberCredentialsResponse,
  type OpenInvitationResponse,
  type OrganizationResponse,
  type RemoveMemberQuery,
} from '@rowhouse/contracts';
import { z } from 'zod';
import { roleOn, SIGNED_IN } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import {
  createdInvitationResponse,
  invitationResponse,
  memberResponse,
  memberCredentialsResponse,
  openInvitationResponse,
  organizationResponse,
} from '../../response-schemas/accounts.js';
import { engineItem } from '../../response-schemas/databases.js';
import { listOf } from '../../response-schemas/shared.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { DatabasePlacement } from '../databases/database-placement.js';
import { InvitationService } from './invitation-service.js';
import { OrganizationService } from './organization-service.js';

const role = z.enum(['owner', 'admin', 'developer', 'viewer']);
const nameBody = z.strictObject({ name: chosenName });
const roleBody = z.strictObject({ role, keep_credentials: z.boolean().optional() });
const requireBody = z.strictObject({ required: z.boolean() });
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
  @Route({
    id: 'listOrganizations',
    summary: 'List your organizations',
    access: SIGNED_IN,
    answer: listOf(organizationResponse),
  })
  async list(@Call() context: RequestContext): Promise<ListResponse<OrganizationResponse>> {
    return { items: await this.organizations.listOf(context.accountId), next_cursor: null };
  }

  @Post('organizations')
  @Route({
    id: 'createOrganization',
    summary: 'Create an organization and become its owner',
    access: SIGNED_IN,
    body: nameBody,
    answer: organizationResponse,
    status: 201,
  })
  create(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', nameBody)) body: z.infer<typeof nameBody>,
  ): Promise<OrganizationResponse> {
    return this.organizations.create(context, body.name);
  }

  @Get('organizations/:id')
  @Route({
    id: 'getOrganization',
    summary: 'Get an organization',
    access: roleOn('organization', 'viewer'),
    answer: organizationResponse,
  })
  get(@Call() context: RequestContext): Promise<OrganizationResponse> {
    return this.organizations.find(context);
  }

  @Patch('organizations/:id')
  @Route({
    id: 'renameOrganization',
    summary: 'Rename an organization',
    access: roleOn('organization', 'admin'),
    body: nameBody,
    answer: organizationResponse,
  })
  rename(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', nameBody)) body: z.infer<typeof nameBody>,
  ): Promise<OrganizationResponse> {
    return this.organizations.rename(context, body.name);
  }

  @Put('organizations/:id/two-factor')
  @Route({
    id: 'requireTwoFactor',
    summary: 'Decide whether members need two-factor authentication. You need it yourself to require it',
    access: roleOn('organization', 'owner'),
    body: requireBody,
    answer: organizationResponse,
  })
  requireTwoFactor(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', requireBody)) body: z.infer<typeof requireBody>,
  ): Promise<OrganizationResponse> {
    return this.organizations.requireTwoFactor(context, body.required);
  }

  @Delete('organizations/:id')
  @Route({
    id: 'deleteOrganization',
    summary: 'Delete an organization without projects. `confirm` is its name',
    access: roleOn('organization', 'owner'),
    body: confirmNameRequest,
  })
  delete(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', confirmNameRequest)) body: z.infer<typeof confirmNameRequest>,
  ): Promise<void> {
    return this.organizations.delete(context, body.confirm);
  }

  @Get('organizations/:id/engines')
  @Route({
    id: 'listEngines',
    summary: 'List the engines for new databases of an organization',
    access: roleOn('organization', 'viewer'),
    answer: listOf(engineItem),
  })
  async engines(@Call() context: RequestContext): Promise<ListResponse<EngineItem>> {
    return { items: await this.placement.listEngines(context.reach.organizationId), next_cursor: null };
  }

  @Get('organizations/:id/members')
  @Route({
    id: 'listMembers',
    summary: 'List the members of an organization',
    access: roleOn('organization', 'viewer'),
    answer: listOf(memberResponse),
  })
  async members(@Call() context: RequestContext): Promise<ListResponse<MemberResponse>> {
    return {
      items: await this.organizations.listMembers(context.reach.organizationId, context.reach.role),
      next_cursor: null,
    };
  }

  @Patch('organizations/:id/members/:accountId')
  @Route({
    id: 'changeMember',
    summary:
      'Change the role of a member. A member who becomes a viewer loses the keys, connections and share ' +
      'links they created, unless `keep_credentials` is true',
    access: roleOn('organization', 'admin'),
    body: roleBody,
    answer: memberResponse,
  })
  changeMember(
    @Call() context: RequestContext,
    @Param('accountId') accountId: string,
    @Body(new ZodPipe('body', roleBody)) body: z.infer<typeof roleBody>,
  ): Promise<MemberResponse> {
    return this.organizations.changeMember(context, accountId, body.role, body.keep_credentials === true);
  }

  @Get('organizations/:id/members/:accountId/credentials')
  @Route({
    id: 'countMemberCredentials',
    summary: 'Count the credentials that removing a member, or making them a viewer, would revoke',
    access: roleOn('organization', 'viewer'),
    answer: memberCredentialsResponse,
  })
  countCredentials(
    @Call() context: RequestContext,
    @Param('accountId') accountId: string,
  ): Promise<MemberCredentialsResponse> {
    return this.organizations.countCredentials(context, accountId);
  }

  @Delete('organizations/:id/members/:accountId')
  @Route({
    id: 'removeMember',
    summary:
      'Remove a member and revoke the keys, connections and share links they created, or leave the ' +
      'organization',
    access: roleOn('organization', 'viewer'),
    query: removeMemberQuery,
  })
  removeMember(
    @Call() context: RequestContext,
    @Param('accountId') accountId: string,
    @Query(new ZodPipe('query', removeMemberQuery)) query: RemoveMemberQuery,
  ): Promise<void> {
    return this.organizations.removeMember(context, accountId, query.keep_credentials);
  }

  @Get('organizations/:id/invitations')
  @Route({
    id: 'listInvitations',
    summary: 'List the open invitations',
    access: roleOn('organization', 'admin'),
    answer: listOf(invitationResponse),
  })
  async listInvitations(@Call() context: RequestContext): Promise<ListResponse<InvitationResponse>> {
    return { items: await this.invitations.list(context.reach.organizationId), next_cursor: null };
  }

  @Post('organizations/:id/invitations')
  @Route({
    id: 'createInvitation',
    summary: 'Invite an email address. Sends an email if email is set up. The join link is shown once',
    access: roleOn('organization', 'admin'),
    body: inviteBody,
    answer: createdInvitationResponse,
    status: 201,
  })
  invite(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', inviteBody)) body: z.infer<typeof inviteBody>,
  ): Promise<CreatedInvitationResponse> {
    return this.invitations.create(context, body);
  }

  @Delete('organizations/:id/invitations/:invitationId')
  @Route({
    id: 'withdrawInvitation',
    summary: 'Revoke an invitation',
    access: roleOn('organization', 'admin'),
  })
  withdraw(@Call() context: RequestContext, @Param('invitationId') invitationId: string): Promise<void> {
    return this.invitations.withdraw(context, invitationId);
  }

  @Get('invitations/:token')
  @Route({
    id: 'getInvitation',
    summary: 'Get an invitation for your email address',
    access: SIGNED_IN,
    answer: openInvitationResponse,
  })
  describe(@Call() context: RequestContext, @Param('token') token: string): Promise<OpenInvitationResponse> {
    return this.invitations.describe(context, token);
  }

  @Post('invitations/accept')
  @Route({
    id: 'acceptInvitation',
    summary: 'Accept an invitation',
    access: SIGNED_IN,
    body: acceptBody,
    answer: z.object({ organization_id: z.string() }),
  })
  async accept(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', acceptBody)) body: z.infer<typeof acceptBody>,
  ): Promise<{ organization_id: string }> {
    return { organization_id: await this.invitations.acceptAs(context, body.token) };
  }
}
