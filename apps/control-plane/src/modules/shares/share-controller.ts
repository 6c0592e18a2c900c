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
      'A link from which anyone who is signed in can clone the schema as it is now; with `data` (owners only) its rows too, without the values of hidden columns',
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
    summary: 'The share links of a project, newest first',
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
    summary: 'End a share link at once; what was cloned stays',
    access: roleOn('project', 'admin'),
  })
  revoke(@Call() context: RequestContext, @Param('share') id: string): Promise<void> {
    return this.shares.revoke(context, id);
  }

  @Get('clone/:token')
  @Route({
    id: 'previewShare',
    costClass: 'read',
    summary: 'What a share link holds',
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
    summary: "A project of one's own out of a share link; with data its development database has the rows",
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
