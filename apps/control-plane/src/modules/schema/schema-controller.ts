import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  putSchemaRequest,
  restoreSchemaRequest,
  schemaEditsRequest,
  schemaPreviewRequest,
  schemaStarterRequest,
  schemaWordsRequest,
  takeDirectRequest,
  type EditedSchemaResponse,
  type ListResponse,
  type ProposalResponse,
  type PutSchemaRequest,
  type RestoreSchemaRequest,
  type RevisionItem,
  type SchemaEditsRequest,
  type SchemaPreviewResponse,
  type SchemaPreviewRequest,
  type TableStructureResponse,
  type SchemaStarterRequest,
  type SchemaWordsRequest,
  type TakeDirectRequest,
  type TakenSchemaResponse,
  type WorkingSchemaResponse,
} from '@rowhouse/contracts';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import {
  editedSchemaResponse,
  proposalResponse,
  schemaPreviewResponse,
  tableStructureResponse,
  revisionItem,
  takenSchemaResponse,
  workingSchemaResponse,
} from '../../response-schemas/schemas.js';
import { listOf } from '../../response-schemas/shared.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe, pageQuery } from '../../http/zod-pipe.js';
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
  @Route({
    id: 'getSchema',
    costClass: 'read',
    summary: 'Get the working schema as SQL and structure',
    access: roleOn('project', 'viewer'),
    answer: workingSchemaResponse,
  })
  get(@Call() context: RequestContext): Promise<WorkingSchemaResponse> {
    return this.schemas.find(context.project.id, context.project.name);
  }

  @Put()
  @Route({
    id: 'putSchema',
    costClass: 'plan',
    access: roleOn('project', 'developer'),
    body: putSchemaRequest,
    answer: workingSchemaResponse,
    summary: 'Replace the working schema with SQL text, or change it with mode `apply`',
  })
  put(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', putSchemaRequest)) body: PutSchemaRequest,
  ): Promise<WorkingSchemaResponse> {
    return this.schemas.put(context, body);
  }

  @Get('tables/:table')
  @Route({
    id: 'getTableStructure',
    costClass: 'read',
    summary: 'Get a table of the working schema with everything that edits can change',
    access: roleOn('project', 'viewer'),
    answer: tableStructureResponse,
  })
  getTable(@Call() context: RequestContext, @Param('table') table: string): Promise<TableStructureResponse> {
    return this.drafts.describeTable(context.project.id, table);
  }

  @Post('preview')
  @Route({
    id: 'previewSchema',
    costClass: 'plan',
    access: roleOn('project', 'viewer'),
    body: schemaPreviewRequest,
    answer: schemaPreviewResponse,
    summary: 'Preview edits or SQL as a plan for a database. Changes nothing',
  })
  preview(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', schemaPreviewRequest)) body: SchemaPreviewRequest,
  ): Promise<SchemaPreviewResponse> {
    return this.drafts.preview(context, body);
  }

  @Post('edits')
  @Route({
    id: 'editSchema',
    costClass: 'plan',
    access: roleOn('project', 'developer'),
    body: schemaEditsRequest,
    answer: editedSchemaResponse,
    summary:
      'Change the working schema with a list of edits, all or none. With `preview`, only return ' +
      'their SQL',
  })
  edit(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', schemaEditsRequest)) body: SchemaEditsRequest,
  ): Promise<EditedSchemaResponse> {
    return this.drafts.edit(context, body);
  }

  @Post('requests')
  @Route({
    id: 'proposeSchema',
    costClass: 'plan',
    access: roleOn('project', 'developer'),
    body: schemaWordsRequest,
    answer: proposalResponse,
    summary: 'Describe a change in plain English. Returns SQL and its effect. Changes nothing',
  })
  propose(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', schemaWordsRequest)) body: SchemaWordsRequest,
  ): Promise<ProposalResponse> {
    return this.drafts.propose(context, body.request);
  }

  @Post('starter')
  @Route({
    id: 'applyStarter',
    costClass: 'plan',
    access: roleOn('project', 'developer'),
    body: schemaStarterRequest,
    answer: workingSchemaResponse,
    summary: 'Add a starter to the working schema, or replace the schema with it',
  })
  applyStarter(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', schemaStarterRequest)) body: SchemaStarterRequest,
  ): Promise<WorkingSchemaResponse> {
    return this.drafts.applyStarter(context, body);
  }

  @Post('take')
  @Route({
    id: 'takeDirectChanges',
    costClass: 'plan',
    access: roleOn('project', 'developer'),
    body: takeDirectRequest,
    answer: takenSchemaResponse,
    summary:
      'Copy the changes that direct connections made since the last deploy of a database into the ' +
      'working schema',
  })
  takeDirect(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', takeDirectRequest)) body: TakeDirectRequest,
  ): Promise<TakenSchemaResponse> {
    return this.directs.take(context, body);
  }

  @Get('revisions')
  @Route({
    id: 'listRevisions',
    costClass: 'read',
    summary:
      'List the revisions of the working schema, newest first, with their author, statements and ' +
      'deploys',
    access: roleOn('project', 'viewer'),
    query: pageQuery,
    answer: listOf(revisionItem),
  })
  listRevisions(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', pageQuery)) page: z.infer<typeof pageQuery>,
  ): Promise<ListResponse<RevisionItem>> {
    return this.revisions.list(context.project.id, page);
  }

  @Get('revisions/:revision')
  @Route({
    id: 'getRevision',
    costClass: 'read',
    summary: 'Get a revision of the working schema as SQL and structure. Revision 0 is empty',
    access: roleOn('project', 'viewer'),
    answer: workingSchemaResponse,
  })
  getRevision(
    @Call() context: RequestContext,
    @Param('revision') revision: string,
  ): Promise<WorkingSchemaResponse> {
    return this.revisions.show(context, revision);
  }

  @Post('restore')
  @Route({
    id: 'restoreSchema',
    costClass: 'plan',
    access: roleOn('project', 'developer'),
    body: restoreSchemaRequest,
    answer: workingSchemaResponse,
    summary: 'Restore an earlier revision of the working schema, or the one that a database runs',
  })
  restore(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', restoreSchemaRequest)) body: RestoreSchemaRequest,
  ): Promise<WorkingSchemaResponse> {
    return this.revisions.restore(context, body);
  }
}
