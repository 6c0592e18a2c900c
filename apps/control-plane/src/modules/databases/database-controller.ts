import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import {
  confirmNameRequest, createDatabaseRequest, updateDatabaseRequest, type CreateDatabaseRequest, type DatabaseAnswer, type DeployedSchemaAnswer, type ListAnswer, type UpdateDatabaseRequest, type ValueIndexAnswer,
} from '@rowhouse/contracts';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { databaseAnswer, deployedSchemaAnswer, listOf, snapshotItem, valueIndexAnswer } from '../../answers/answer-schemas.js';
import { pageQuery } from '../../http/page-query.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { SnapshotReader, type SnapshotItem } from '../schema/snapshot-reader.js';
import { DatabaseService } from './database-service.js';
import { ValueIndexService } from './value-index-service.js';

@Controller('api')
export class DatabaseController {
  constructor(
    private readonly databases: DatabaseService,
    private readonly snapshots: SnapshotReader,
    private readonly values: ValueIndexService,
  ) {}

  @Get('projects/:id/databases')
  @Route({ id: 'listDatabases', summary: 'The databases of a project', access: roleOn('project', 'viewer'), answer: listOf(databaseAnswer) })
  async list(@Call() call: CallContext): Promise<ListAnswer<DatabaseAnswer>> {
    return { items: await this.databases.answersOf(call.project.id), next_cursor: null };
  }

  @Post('projects/:id/databases')
  @Route({ id: 'createDatabase', weight: 'plan', summary: 'One more environment; `engine` chooses MariaDB or MySQL where the operator has both', access: roleOn('project', 'developer'), body: createDatabaseRequest, answer: databaseAnswer, status: 201 })
  create(@Call() call: CallContext, @Body(new ZodPipe('body', createDatabaseRequest)) body: CreateDatabaseRequest): Promise<DatabaseAnswer> {
    return this.databases.create(call, body);
  }

  @Get('databases/:id')
  @Route({ id: 'getDatabase', summary: 'One database', access: roleOn('database', 'viewer'), answer: databaseAnswer })
  get(@Call() call: CallContext): Promise<DatabaseAnswer> {
    return this.databases.answer(call.database);
  }

  @Get('databases/:id/schema')
  @Route({ id: 'getDeployedSchema', weight: 'read', summary: 'The deployed schema as SQL and structure', access: roleOn('database', 'viewer'), answer: deployedSchemaAnswer })
  getSchema(@Call() call: CallContext): Promise<DeployedSchemaAnswer> {
    return this.snapshots.describe(call.database, call.project.name);
  }

  @Get('databases/:id/snapshots')
  @Route({ id: 'listSnapshots', summary: 'The deployed schemas of a database, newest first', access: roleOn('database', 'viewer'), query: pageQuery, answer: listOf(snapshotItem) })
  listSnapshots(@Call() call: CallContext, @Query(new ZodPipe('query', pageQuery)) page: z.infer<typeof pageQuery>): Promise<ListAnswer<SnapshotItem>> {
    return this.snapshots.list(call.database, page);
  }

  @Get('databases/:id/value-index')
  @Route({ id: 'getValueIndex', summary: 'How many values of text columns questions are read with', access: roleOn('database', 'viewer'), answer: valueIndexAnswer })
  valueIndex(@Call() call: CallContext): Promise<ValueIndexAnswer> {
    return this.values.read(call.database.id);
  }

  @Patch('databases/:id')
  @Route({ id: 'updateDatabase', weight: 'plan', summary: 'Change settings; members left out keep their values', access: roleOn('database', 'developer'), body: updateDatabaseRequest, answer: databaseAnswer })
  update(@Call() call: CallContext, @Body(new ZodPipe('body', updateDatabaseRequest)) body: UpdateDatabaseRequest): Promise<DatabaseAnswer> {
    return this.databases.updateSettings(call, body.settings);
  }

  @Delete('databases/:id')
  @Route({ id: 'deleteDatabase', summary: 'Delete a database; `confirm` is its environment', access: roleOn('database', 'admin'), body: confirmNameRequest })
  delete(@Call() call: CallContext, @Body(new ZodPipe('body', confirmNameRequest)) body: z.infer<typeof confirmNameRequest>): Promise<void> {
    return this.databases.delete(call, body.confirm);
  }
}
