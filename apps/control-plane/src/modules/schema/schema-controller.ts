import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  putSchemaRequest, restoreSchemaRequest, schemaEditsRequest, schemaPreviewRequest, schemaStarterRequest, schemaWordsRequest, takeDirectRequest,
  type EditedSchemaAnswer, type ListAnswer, type ProposalAnswer, type PutSchemaRequest, type RestoreSchemaRequest, type RevisionItem, type SchemaEditsRequest, type SchemaPreviewAnswer, type SchemaPreviewRequest, type TableStructureAnswer, type SchemaStarterRequest, type SchemaWordsRequest, type TakeDirectRequest,
  type TakenSchemaAnswer, type WorkingSchemaAnswer,
} from '@rowhouse/contracts';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { editedSchemaAnswer, listOf, proposalAnswer, schemaPreviewAnswer, tableStructureAnswer, revisionItem, takenSchemaAnswer, workingSchemaAnswer } from '../../answers/answer-schemas.js';
import { pageQuery } from '../../http/page-query.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { DraftService } from './draft-service.js';
import { RevisionService } from './revision-service.js';
import { SchemaService } from './schema-service.js';
import { TakeDirectService } from './take-direct-service.js';

@Controller('api/projects/:id/schema')
export class SchemaController {
  constructor(
    private readonly schemas: SchemaService,
    private readonly drafts: DraftService,
    private readonly directs: TakeDirectService,
    private readonly revisions: RevisionService,
  ) {}

  @Get()
  @Route({ id: 'getSchema', weight: 'read', summary: 'The working schema as SQL and structure', access: roleOn('project', 'viewer'), answer: workingSchemaAnswer })
  get(@Call() call: CallContext): Promise<WorkingSchemaAnswer> {
    return this.schemas.find(call.project.id, call.project.name);
  }

  @Put()
  @Route({
    id: 'putSchema', weight: 'plan', access: roleOn('project', 'developer'), body: putSchemaRequest, answer: workingSchemaAnswer,
    summary: 'Replace the working schema by SQL text, or with mode `apply` change it',
  })
  put(@Call() call: CallContext, @Body(new ZodPipe('body', putSchemaRequest)) body: PutSchemaRequest): Promise<WorkingSchemaAnswer> {
    return this.schemas.put(call, body);
  }

  @Get('tables/:table')
  @Route({ id: 'getTableStructure', weight: 'read', summary: 'One table of the working schema with all that edits change', access: roleOn('project', 'viewer'), answer: tableStructureAnswer })
  getTable(@Call() call: CallContext, @Param('table') table: string): Promise<TableStructureAnswer> {
    return this.drafts.describeTable(call.project.id, table);
  }

  @Post('preview')
  @Route({
    id: 'previewSchema', weight: 'plan', access: roleOn('project', 'viewer'), body: schemaPreviewRequest, answer: schemaPreviewAnswer,
    summary: 'What edits or SQL would change, planned for a database; changes nothing',
  })
  preview(@Call() call: CallContext, @Body(new ZodPipe('body', schemaPreviewRequest)) body: SchemaPreviewRequest): Promise<SchemaPreviewAnswer> {
    return this.drafts.preview(call, body);
  }

  @Post('edits')
  @Route({
    id: 'editSchema', weight: 'plan', access: roleOn('project', 'developer'), body: schemaEditsRequest, answer: editedSchemaAnswer,
    summary: 'Change the working schema by a list of edits, all or none; with `preview` only see their SQL',
  })
  edit(@Call() call: CallContext, @Body(new ZodPipe('body', schemaEditsRequest)) body: SchemaEditsRequest): Promise<EditedSchemaAnswer> {
    return this.drafts.edit(call, body);
  }

  @Post('requests')
  @Route({
    id: 'proposeSchema', weight: 'plan', access: roleOn('project', 'developer'), body: schemaWordsRequest, answer: proposalAnswer,
    summary: 'Ask for a change in plain words; answers SQL and what it would change, and changes nothing',
  })
  propose(@Call() call: CallContext, @Body(new ZodPipe('body', schemaWordsRequest)) body: SchemaWordsRequest): Promise<ProposalAnswer> {
    return this.drafts.propose(call, body.request);
  }

  @Post('starter')
  @Route({
    id: 'applyStarter', weight: 'plan', access: roleOn('project', 'developer'), body: schemaStarterRequest, answer: workingSchemaAnswer,
    summary: 'Add a starter to the working schema, or put it in its place',
  })
  applyStarter(@Call() call: CallContext, @Body(new ZodPipe('body', schemaStarterRequest)) body: SchemaStarterRequest): Promise<WorkingSchemaAnswer> {
    return this.drafts.applyStarter(call, body);
  }

  @Post('take')
  @Route({
    id: 'takeDirectChanges', weight: 'plan', access: roleOn('project', 'developer'), body: takeDirectRequest, answer: takenSchemaAnswer,
    summary: 'Take into the working schema what was changed over direct connections to a database since its last deploy',
  })
  takeDirect(@Call() call: CallContext, @Body(new ZodPipe('body', takeDirectRequest)) body: TakeDirectRequest): Promise<TakenSchemaAnswer> {
    return this.directs.take(call, body);
  }

  @Get('revisions')
  @Route({ id: 'listRevisions', weight: 'read', summary: 'The revisions of the working schema, newest first: who made each, by which statements, and where it is deployed', access: roleOn('project', 'viewer'), query: pageQuery, answer: listOf(revisionItem) })
  listRevisions(@Call() call: CallContext, @Query(new ZodPipe('query', pageQuery)) page: z.infer<typeof pageQuery>): Promise<ListAnswer<RevisionItem>> {
    return this.revisions.list(call.project.id, page);
  }

  @Get('revisions/:revision')
  @Route({ id: 'getRevision', weight: 'read', summary: 'One revision of the working schema as SQL and structure; 0 is the empty one', access: roleOn('project', 'viewer'), answer: workingSchemaAnswer })
  getRevision(@Call() call: CallContext, @Param('revision') revision: string): Promise<WorkingSchemaAnswer> {
    return this.revisions.show(call, revision);
  }

  @Post('restore')
  @Route({
    id: 'restoreSchema', weight: 'plan', access: roleOn('project', 'developer'), body: restoreSchemaRequest, answer: workingSchemaAnswer,
    summary: 'Make an earlier revision the working schema again, or the one that a database runs: undo, redo and discard of what is not deployed',
  })
  restore(@Call() call: CallContext, @Body(new ZodPipe('body', restoreSchemaRequest)) body: RestoreSchemaRequest): Promise<WorkingSchemaAnswer> {
    return this.revisions.restore(call, body);
  }
}
