import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { createSynonymRequest, updateSynonymRequest, type CreateSynonymRequest, type ListAnswer, type SynonymAnswer, type UpdateSynonymRequest } from '@rowhouse/contracts';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { listOf, synonymAnswer } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { SynonymService } from './synonym-service.js';

@Controller('api/projects/:id/synonyms')
export class SynonymController {
  constructor(private readonly synonyms: SynonymService) {}

  @Get()
  @Route({ id: 'listSynonyms', summary: "The project's own words for its tables and columns, 500 at most", access: roleOn('project', 'viewer'), answer: listOf(synonymAnswer) })
  async list(@Call() call: CallContext): Promise<ListAnswer<SynonymAnswer>> {
    return { items: await this.synonyms.list(call.project.id), next_cursor: null };
  }

  @Post()
  @Route({ id: 'createSynonym', weight: 'read', summary: 'A word for a table, or for a column of it; questions understand it within a second', access: roleOn('project', 'developer'), body: createSynonymRequest, answer: synonymAnswer, status: 201 })
  create(@Call() call: CallContext, @Body(new ZodPipe('body', createSynonymRequest)) body: CreateSynonymRequest): Promise<SynonymAnswer> {
    return this.synonyms.create(call, body);
  }

  @Patch(':synonym')
  @Route({ id: 'updateSynonym', weight: 'read', summary: 'Change a word or what it means', access: roleOn('project', 'developer'), body: updateSynonymRequest, answer: synonymAnswer })
  update(@Call() call: CallContext, @Param('synonym') id: string, @Body(new ZodPipe('body', updateSynonymRequest)) body: UpdateSynonymRequest): Promise<SynonymAnswer> {
    return this.synonyms.update(call, id, body);
  }

  @Delete(':synonym')
  @Route({ id: 'deleteSynonym', summary: 'Take a word out', access: roleOn('project', 'developer') })
  remove(@Call() call: CallContext, @Param('synonym') id: string): Promise<void> {
    return this.synonyms.remove(call, id);
  }
}
