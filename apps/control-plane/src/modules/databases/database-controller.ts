import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import {
  confirmNameRequest,
  createDatabaseRequest,
  updateDatabaseRequest,
  type CreateDatabaseRequest,
  type DatabaseResponse,
  type DeployedSchemaResponse,
  type ListResponse,
  type UpdateDatabaseRequest,
  type ValueIndexResponse,
} from '@rowhouse/contracts';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { databaseResponse, valueIndexResponse } from '../../response-schemas/databases.js';
import { deployedSchemaResponse, snapshotItem } from '../../response-schemas/schemas.js';
import { listOf } from '../../response-schemas/shared.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe, pageQuery } from '../../http/zod-pipe.js';
import { SnapshotReader, type SnapshotItem } from '../schema/snapshot-reader.js';
import { DatabaseService } from './database-service.js';
import { DatabaseSettingsService } from './database-settings.js';
import { ValueIndexService } from './value-index-service.js';

@Controller('api')
export class DatabaseController {
  constructor(
    private readonly databases: DatabaseService,
    private readonly settings: DatabaseSettingsService,
    private readonly snapshots: SnapshotReader,
    private readonly values: ValueIndexService,
  ) {}

  @Get('projects/:id/databases')
  @Route({
    id: 'listDatabases',
    summary: 'List the databases of a project',
    access: roleOn('project', 'viewer'),
    answer: listOf(databaseResponse),
  })
  async list(@Call() context: RequestContext): Promise<ListResponse<DatabaseResponse>> {
    return { items: await this.databases.listResponses(context.project.id), next_cursor: null };
  }

  @Post('projects/:id/databases')
  @Route({
    id: 'createDatabase',
    costClass: 'plan',
    summary: 'Add an environment. `engine` selects MariaDB or MySQL if both are available',
    access: roleOn('project', 'developer'),
    body: createDatabaseRequest,
    answer: databaseResponse,
    status: 201,
  })
  create(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', createDatabaseRequest)) body: CreateDatabaseRequest,
  ): Promise<DatabaseResponse> {
    return this.databases.create(context, body);
  }

  @Get('databases/:id')
  @Route({
    id: 'getDatabase',
    summary: 'Get a database',
    access: roleOn('database', 'viewer'),
    answer: databaseResponse,
  })
  get(@Call() context: RequestContext): Promise<DatabaseResponse> {
    return this.databases.toResponse(context.database);
  }

  @Get('databases/:id/schema')
  @Route({
    id: 'getDeployedSchema',
    costClass: 'read',
    summary: 'Get the deployed schema as SQL and structure',
    access: roleOn('database', 'viewer'),
    answer: deployedSchemaResponse,
  })
  getSchema(@Call() context: RequestContext): Promise<DeployedSchemaResponse> {
    return this.snapshots.describe(context.database, context.project.name);
  }

  @Get('databases/:id/snapshots')
  @Route({
    id: 'listSnapshots',
    summary: 'List the deployed schemas of a database, newest first',
    access: roleOn('database', 'viewer'),
    query: pageQuery,
    answer: listOf(snapshotItem),
  })
  listSnapshots(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', pageQuery)) page: z.infer<typeof pageQuery>,
  ): Promise<ListResponse<SnapshotItem>> {
    return this.snapshots.list(context.database, page);
  }

  @Get('databases/:id/value-index')
  @Route({
    id: 'getValueIndex',
    summary: 'Get the number of text column values that questions can use',
    access: roleOn('database', 'viewer'),
    answer: valueIndexResponse,
  })
  valueIndex(@Call() context: RequestContext): Promise<ValueIndexResponse> {
    return this.values.read(context.database.id);
  }

  @Patch('databases/:id')
  @Route({
    id: 'updateDatabase',
    costClass: 'plan',
    summary: 'Change settings. Omitted members keep their values',
    access: roleOn('database', 'developer'),
    body: updateDatabaseRequest,
    answer: databaseResponse,
  })
  update(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', updateDatabaseRequest)) body: UpdateDatabaseRequest,
  ): Promise<DatabaseResponse> {
    return this.settings.update(context, body.settings);
  }

  @Delete('databases/:id')
  @Route({
    id: 'deleteDatabase',
    summary: 'Delete a database. `confirm` is its environment',
    access: roleOn('database', 'admin'),
    body: confirmNameRequest,
  })
  delete(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', confirmNameRequest)) body: z.infer<typeof confirmNameRequest>,
  ): Promise<void> {
    return this.databases.delete(context, body.confirm);
  }
}
