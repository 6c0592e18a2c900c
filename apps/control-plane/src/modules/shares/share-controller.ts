import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  cloneRequest,
  shareRequest,
  type CloneRequest,
  type CreatedShareResponse,
  type ListResponse,
  type ShareResponse,
  type SharePreviewResponse,
  type ShareRequest,
} from '@rowhouse/contracts';
import { roleOn, SIGNED_IN } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { listOf } from '../../response-schemas/shared.js';
import {
  clonedResponse,
  createdShareResponse,
  shareResponse,
  sharePreviewResponse,
} from '../../response-schemas/transfers.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { CloneService, type ClonedResponse } from './clone-service.js';
import { ShareService } from './share-service.js';

@Controller('api')
export class ShareController {
  constructor(
    private readonly shares: ShareService,
    private readonly clones: CloneService,
  ) {}

  @Post('projects/:id/share')
  @Route({
    id: 'shareProject',
    costClass: 'plan',
    access: roleOn('project', 'admin'),
    body: shareRequest,
    answer: createdShareResponse,
    status: 201,
    summary:
      'Create a share link. Signed-in users can clone the current schema with it. With `data` ' +
      '(owners only), the clone includes rows without hidden columns',
  })
  share(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', shareRequest)) body: ShareRequest,
  ): Promise<CreatedShareResponse> {
    return this.shares.create(context, body);
  }

  @Get('projects/:id/shares')
  @Route({
    id: 'listShares',
    summary: 'List the share links of a project, newest first',
    access: roleOn('project', 'viewer'),
    answer: listOf(shareResponse),
  })
  async list(@Call() context: RequestContext): Promise<ListResponse<ShareResponse>> {
    return { items: await this.shares.list(context.project.id), next_cursor: null };
  }

  @Delete('projects/:id/shares/:share')
  @Route({
    id: 'revokeShare',
    costClass: null,
    summary: 'Revoke a share link. Existing clones stay',
    access: roleOn('project', 'admin'),
  })
  revoke(@Call() context: RequestContext, @Param('share') id: string): Promise<void> {
    return this.shares.revoke(context, id);
  }

  @Get('clone/:token')
  @Route({
    id: 'previewShare',
    costClass: 'read',
    summary: 'Get the contents of a share link',
    access: SIGNED_IN,
    answer: sharePreviewResponse,
  })
  preview(@Param('token') token: string): Promise<SharePreviewResponse> {
    return this.shares.preview(token);
  }

  @Post('clone/:token')
  @Route({
    id: 'cloneShare',
    costClass: 'plan',
    summary:
      'Create a project from a share link. If the link has data, the development database gets the ' + 'rows',
    access: SIGNED_IN,
    body: cloneRequest,
    answer: clonedResponse,
    status: 201,
  })
  clone(
    @Call() context: RequestContext,
    @Param('token') token: string,
    @Body(new ZodPipe('body', cloneRequest)) body: CloneRequest,
  ): Promise<ClonedResponse> {
    return this.clones.clone(context, token, body);
  }
}
