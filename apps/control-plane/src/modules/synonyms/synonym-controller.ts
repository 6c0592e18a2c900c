import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  createSynonymRequest,
  updateSynonymRequest,
  type CreateSynonymRequest,
  type ListResponse,
  type SynonymResponse,
  type UpdateSynonymRequest,
} from '@rowhouse/contracts';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { listOf } from '../../response-schemas/shared.js';
import { synonymResponse } from '../../response-schemas/databases.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { SynonymService } from './synonym-service.js';

@Controller('api/projects/:id/synonyms')
export class SynonymController {
  constructor(private readonly synonyms: SynonymService) {}

  @Get()
  @Route({
    id: 'listSynonyms',
    summary: 'List the synonyms of a project for its tables and columns',
    access: roleOn('project', 'viewer'),
    answer: listOf(synonymResponse),
  })
  async list(@Call() context: RequestContext): Promise<ListResponse<SynonymResponse>> {
    return { items: await this.synonyms.list(context.project.id), next_cursor: null };
  }

  @Post()
  @Route({
    id: 'createSynonym',
    costClass: 'read',
    summary: 'Add a synonym for a table or a column. Questions understand it within a second',
    access: roleOn('project', 'developer'),
    body: createSynonymRequest,
    answer: synonymResponse,
    status: 201,
  })
  create(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', createSynonymRequest)) body: CreateSynonymRequest,
  ): Promise<SynonymResponse> {
    return this.synonyms.create(context, body);
  }

  @Patch(':synonym')
  @Route({
    id: 'updateSynonym',
    costClass: 'read',
    summary: 'Change a synonym',
    access: roleOn('project', 'developer'),
    body: updateSynonymRequest,
    answer: synonymResponse,
  })
  update(
    @Call() context: RequestContext,
    @Param('synonym') id: string,
    @Body(new ZodPipe('body', updateSynonymRequest)) body: UpdateSynonymRequest,
  ): Promise<SynonymResponse> {
    return this.synonyms.update(context, id, body);
  }

  @Delete(':synonym')
  @Route({ id: 'deleteSynonym', summary: 'Remove a synonym', access: roleOn('project', 'developer') })
  remove(@Call() context: RequestContext, @Param('synonym') id: string): Promise<void> {
    return this.synonyms.remove(context, id);
  }
}
