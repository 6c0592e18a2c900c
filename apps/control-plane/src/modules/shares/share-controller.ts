import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { cloneRequest, shareRequest, type CloneRequest, type CreatedShareAnswer, type ListAnswer, type ShareAnswer, type SharePreviewAnswer, type ShareRequest } from '@rowhouse/contracts';
import { roleOn, SIGNED_IN } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { listOf } from '../../answers/answer-schemas.js';
import { clonedAnswer, createdShareAnswer, shareAnswer, sharePreviewAnswer } from '../../answers/transfer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { CloneService, type ClonedAnswer } from './clone-service.js';
import { ShareService } from './share-service.js';

@Controller('api')
export class ShareController {
  constructor(
    private readonly shares: ShareService,
    private readonly clones: CloneService,
  ) {}

  @Post('projects/:id/share')
  @Route({
    id: 'shareProject', weight: 'plan', access: roleOn('project', 'admin'), body: shareRequest, answer: createdShareAnswer, status: 201,
    summary: 'A link from which anyone who is signed in can clone the schema as it is now; with `data` (owners only) its rows too, without the values of hidden columns',
  })
  share(@Call() call: CallContext, @Body(new ZodPipe('body', shareRequest)) body: ShareRequest): Promise<CreatedShareAnswer> {
    return this.shares.create(call, body);
  }

  @Get('projects/:id/shares')
  @Route({ id: 'listShares', summary: 'The share links of a project, newest first', access: roleOn('project', 'viewer'), answer: listOf(shareAnswer) })
  async list(@Call() call: CallContext): Promise<ListAnswer<ShareAnswer>> {
    return { items: await this.shares.list(call.project.id), next_cursor: null };
  }

  @Delete('projects/:id/shares/:share')
  @Route({ id: 'revokeShare', weight: null, summary: 'End a share link at once; what was cloned stays', access: roleOn('project', 'admin') })
  revoke(@Call() call: CallContext, @Param('share') id: string): Promise<void> {
    return this.shares.revoke(call, id);
  }

  @Get('clone/:token')
  @Route({ id: 'previewShare', weight: 'read', summary: 'What a share link holds', access: SIGNED_IN, answer: sharePreviewAnswer })
  preview(@Param('token') token: string): Promise<SharePreviewAnswer> {
    return this.shares.preview(token);
  }

  @Post('clone/:token')
  @Route({ id: 'cloneShare', weight: 'plan', summary: "A project of one's own out of a share link; with data its development database has the rows", access: SIGNED_IN, body: cloneRequest, answer: clonedAnswer, status: 201 })
  clone(@Call() call: CallContext, @Param('token') token: string, @Body(new ZodPipe('body', cloneRequest)) body: CloneRequest): Promise<ClonedAnswer> {
    return this.clones.clone(call, token, body);
  }
}
