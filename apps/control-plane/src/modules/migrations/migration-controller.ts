import { Readable } from 'node:stream';
import { setImmediate as nextSlice } from 'node:timers/promises';
import { Body, Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import {
  confirmRequest,
  type ConfirmRequest,
  type SoftDeletedResponse,
  type ListResponse,
  type MigrationResponse,
  type MigrationPlan,
  type MigrationStepResponse,
  type QueueResponse,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { Logger } from '@rowhouse/runtime';
import { runStepsInSlices } from '@rowhouse/schema-model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import {
  softDeletedResponse,
  migrationResponse,
  migrationPlan,
  migrationStepResponse,
  queueResponse,
} from '../../response-schemas/migrations.js';
import { listOf } from '../../response-schemas/shared.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe, pageQuery } from '../../http/zod-pipe.js';
import { LOGGER } from '../../platform/tokens.js';
import { isExported, toExportedSteps, toMigrationFiles, type ExportedMigration } from './migration-files.js';
import { MigrationService } from './migration-service.js';
import { streamMigration } from './stream-migration.js';
import { Watchers } from './watchers.js';
import { RevertService } from './revert-service.js';
import { writeTar } from './write-tar.js';

const EXPORTED_MAX = 5_000;
const EXPORTED_CHARS_MAX = 64 * 1024 * 1024;
const PAGE_MAX = 200;
const optionalConfirm = confirmRequest.default({});

@Controller('api')
export class MigrationController {
  constructor(
    private readonly migrations: MigrationService,
    private readonly wayBack: RevertService,
    private readonly watchers: Watchers,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get('projects/:id/migrations')
  @Route({
    id: 'listMigrations',
    costClass: 'read',
    summary: 'List the migrations of a project, newest first',
    access: roleOn('project', 'viewer'),
    query: pageQuery,
    answer: listOf(migrationResponse),
  })
  list(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', pageQuery)) query: z.infer<typeof pageQuery>,
  ): Promise<ListResponse<MigrationResponse>> {
    return this.migrations.list(context.project.id, query);
  }

  @Get('databases/:id/migrations')
  @Route({
    id: 'listDatabaseMigrations',
    costClass: 'read',
    summary: 'List the migrations of a database, newest first',
    access: roleOn('database', 'viewer'),
    query: pageQuery,
    answer: listOf(migrationResponse),
  })
  listOfDatabase(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', pageQuery)) query: z.infer<typeof pageQuery>,
  ): Promise<ListResponse<MigrationResponse>> {
    return this.migrations.list(context.project.id, { ...query, databaseId: context.database.id });
  }

  @Get('databases/:id/migrations/export')
  @Route({
    id: 'exportMigrations',
    costClass: 'read',
    summary: 'Get the history of a database as SQL files in a tar archive',
    access: roleOn('database', 'viewer'),
    media: 'application/x-tar',
  })
  async export(@Call() context: RequestContext, @Res() reply: FastifyReply): Promise<void> {
    const items: ExportedMigration[] = [];
    let chars = 0;
    for (let cursor: string | null | undefined; cursor !== null && items.length < EXPORTED_MAX;) {
      const page: ListResponse<MigrationResponse> = await this.migrations.list(context.project.id, {
        limit: PAGE_MAX,
        cursor,
        databaseId: context.database.id,
      });
      for (const item of page.items.filter(isExported)) {
        const exported = await runStepsInSlices(toExportedSteps(item), () => nextSlice());
        items.push(exported);
        chars += exported.text.length;
      }
      if (chars > EXPORTED_CHARS_MAX)
        throw new AppError('transfer.too_large', {
          detail: 'The statements of all migrations are larger than 64 MiB.',
          hint: 'List them in pages with GET /api/databases/{id}/migrations.',
        });
      cursor = page.next_cursor;
    }
    const name = `migrations-${context.database.environment}.tar`;
    await reply
      .header('content-type', 'application/x-tar')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(Readable.from(writeTar(toMigrationFiles(items))));
  }

  @Get('databases/:id/kept')
  @Route({
    id: 'listKept',
    summary: 'List the dropped tables and columns that can still be restored',
    access: roleOn('database', 'viewer'),
    answer: listOf(softDeletedResponse),
  })
  listSoftDeleted(@Call() context: RequestContext): Promise<ListResponse<SoftDeletedResponse>> {
    return this.migrations.listSoftDeleted(context.database.id);
  }

  @Get('databases/:id/queue')
  @Route({
    id: 'showQueue',
    costClass: 'read',
    summary: 'List the unfinished migrations of a database, in the order in which they run',
    access: roleOn('database', 'viewer'),
    answer: queueResponse,
  })
  showQueue(@Call() context: RequestContext): Promise<QueueResponse> {
    return this.migrations.showQueue(context.database.id);
  }

  @Get('migrations/:id')
  @Route({
    id: 'getMigration',
    costClass: 'read',
    summary: 'Get a migration',
    access: roleOn('migration', 'viewer'),
    answer: migrationResponse,
  })
  get(@Call() context: RequestContext): Promise<MigrationResponse> {
    return this.migrations.find(context.migration.id);
  }

  @Get('migrations/:id/steps')
  @Route({
    id: 'listMigrationSteps',
    costClass: 'read',
    summary: 'List the statements of a migration and their states',
    access: roleOn('migration', 'viewer'),
    answer: listOf(migrationStepResponse),
  })
  listSteps(@Call() context: RequestContext): Promise<ListResponse<MigrationStepResponse>> {
    return this.migrations.listSteps(context.migration.id);
  }

  @Get('migrations/:id/events')
  @Route({
    id: 'watchMigration',
    costClass: null,
    summary: 'Follow a migration with server-sent events: `migration` for each change, then `end`',
    access: roleOn('migration', 'viewer'),
    media: 'text/event-stream',
  })
  events(@Call() context: RequestContext, @Req() req: FastifyRequest, @Res() reply: FastifyReply): void {
    const { id } = context.migration;
    const leave = this.watchers.enter(context.accountId);
    streamMigration(reply, {
      check: () => this.migrations.check(id),
      find: () => this.migrations.find(id),
      mayContinue: () => this.watchers.mayContinue(req, reply, id),
    })
      .catch((error: unknown) => {
        this.logger.warn({ err: error, migration: id }, 'an event stream broke off');
        reply.raw.destroy();
      })
      .finally(leave);
  }

  @Post('migrations/:id/cancel')
  @Route({
    id: 'cancelMigration',
    summary: 'Cancel a migration',
    access: roleOn('migration', 'developer'),
    answer: migrationResponse,
  })
  cancel(@Call() context: RequestContext): Promise<MigrationResponse> {
    return this.migrations.cancel(context);
  }

  @Post('migrations/:id/retry')
  @Route({
    id: 'retryMigration',
    costClass: 'plan',
    access: roleOn('migration', 'developer'),
    body: optionalConfirm,
    answer: migrationResponse,
    status: 201,
    summary: 'Retry a failed or cancelled migration with a new plan, or continue an interrupted one',
  })
  retry(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', optionalConfirm)) body: ConfirmRequest,
  ): Promise<MigrationResponse> {
    return this.wayBack.retry(context, body);
  }

  @Get('migrations/:id/revert')
  @Route({
    id: 'previewRevert',
    costClass: 'plan',
    summary: 'Plan a revert, and list what it cannot restore exactly',
    access: roleOn('migration', 'viewer'),
    answer: migrationPlan,
  })
  previewRevert(@Call() context: RequestContext): Promise<MigrationPlan> {
    return this.wayBack.preview(context);
  }

  @Post('migrations/:id/revert')
  @Route({
    id: 'revertMigration',
    costClass: 'plan',
    access: roleOn('migration', 'developer'),
    body: optionalConfirm,
    answer: migrationResponse,
    status: 201,
    summary:
      'Revert the newest migration of a database with another migration. Dropped objects return ' +
      'while they are retained',
  })
  revert(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', optionalConfirm)) body: ConfirmRequest,
  ): Promise<MigrationResponse> {
    return this.wayBack.revert(context, body);
  }

  @Post('migrations/:id/purge')
  @HttpCode(204)
  @Route({
    id: 'purgeMigration',
    summary: 'Permanently delete what a migration dropped and the server still retains',
    access: roleOn('migration', 'admin'),
  })
  purge(@Call() context: RequestContext): Promise<void> {
    return this.migrations.purge(context);
  }
}
