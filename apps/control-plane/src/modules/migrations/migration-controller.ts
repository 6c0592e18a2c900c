import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Body, Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { confirmRequest, type ConfirmRequest, type KeptAnswer, type ListAnswer, type MigrationAnswer, type MigrationPlan, type MigrationStepAnswer, type QueueAnswer } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { Logger } from '@rowhouse/runtime';
import { doStepsInTurns } from '@rowhouse/schema-model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { keptAnswer, listOf, migrationAnswer, migrationPlan, migrationStepAnswer, queueAnswer } from '../../answers/answer-schemas.js';
import { pageQuery } from '../../http/page-query.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { LOGGER } from '../../platform/tokens.js';
import { isExported, toExportedSteps, toMigrationFiles, type ExportedMigration } from './migration-files.js';
import { MigrationService } from './migration-service.js';
import { streamMigration } from './stream-migration.js';
import { Watchers } from './watchers.js';
import { WayBackService } from './way-back-service.js';
import { writeTar } from './write-tar.js';

const EXPORTED_MAX = 5_000;
const EXPORTED_CHARS_MAX = 64 * 1024 * 1024;
const PAGE_MAX = 200;
const optionalConfirm = confirmRequest.default({});

@Controller('api')
export class MigrationController {
  constructor(
    private readonly migrations: MigrationService,
    private readonly wayBack: WayBackService,
    private readonly watchers: Watchers,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get('projects/:id/migrations')
  @Route({ id: 'listMigrations', weight: 'read', summary: 'The migrations of a project, newest first', access: roleOn('project', 'viewer'), query: pageQuery, answer: listOf(migrationAnswer) })
  list(@Call() call: CallContext, @Query(new ZodPipe('query', pageQuery)) query: z.infer<typeof pageQuery>): Promise<ListAnswer<MigrationAnswer>> {
    return this.migrations.list(call.project.id, query);
  }

  @Get('databases/:id/migrations')
  @Route({ id: 'listDatabaseMigrations', weight: 'read', summary: 'The migrations of one database, newest first', access: roleOn('database', 'viewer'), query: pageQuery, answer: listOf(migrationAnswer) })
  listOfDatabase(@Call() call: CallContext, @Query(new ZodPipe('query', pageQuery)) query: z.infer<typeof pageQuery>): Promise<ListAnswer<MigrationAnswer>> {
    return this.migrations.list(call.project.id, { ...query, databaseId: call.database.id });
  }

  @Get('databases/:id/migrations/export')
  @Route({ id: 'exportMigrations', weight: 'read', summary: 'The history of a database as SQL files, in a tar archive', access: roleOn('database', 'viewer'), media: 'application/x-tar' })
  async export(@Call() call: CallContext, @Res() reply: FastifyReply): Promise<void> {
    const items: ExportedMigration[] = [];
    let chars = 0;
    for (let cursor: string | null | undefined; cursor !== null && items.length < EXPORTED_MAX; ) {
      const page: ListAnswer<MigrationAnswer> = await this.migrations.list(call.project.id, { limit: PAGE_MAX, cursor, databaseId: call.database.id });
      for (const item of page.items.filter(isExported)) {
        const exported = await doStepsInTurns(toExportedSteps(item), () => nextTurn());
        items.push(exported);
        chars += exported.text.length;
      }
      if (chars > EXPORTED_CHARS_MAX) throw new AppError('transfer.too_large', { detail: 'The statements of all migrations together are more than 64 MiB.', hint: 'GET /api/databases/{id}/migrations tells them page by page.' });
      cursor = page.next_cursor;
    }
    const name = `migrations-${call.database.environment}.tar`;
    await reply.header('content-type', 'application/x-tar').header('content-disposition', `attachment; filename="${name}"`).send(Readable.from(writeTar(toMigrationFiles(items))));
  }

  @Get('databases/:id/kept')
  @Route({ id: 'listKept', summary: 'Dropped tables and columns that can still be taken back', access: roleOn('database', 'viewer'), answer: listOf(keptAnswer) })
  listKept(@Call() call: CallContext): Promise<ListAnswer<KeptAnswer>> {
    return this.migrations.listKept(call.database.id);
  }

  @Get('databases/:id/queue')
  @Route({ id: 'showQueue', weight: 'read', summary: 'Migrations of a database that have not ended, in the order in which they run', access: roleOn('database', 'viewer'), answer: queueAnswer })
  showQueue(@Call() call: CallContext): Promise<QueueAnswer> {
    return this.migrations.showQueue(call.database.id);
  }

  @Get('migrations/:id')
  @Route({ id: 'getMigration', weight: 'read', summary: 'One migration', access: roleOn('migration', 'viewer'), answer: migrationAnswer })
  get(@Call() call: CallContext): Promise<MigrationAnswer> {
    return this.migrations.find(call.migration.id);
  }

  @Get('migrations/:id/steps')
  @Route({ id: 'listMigrationSteps', weight: 'read', summary: 'What a migration has done and has still to do, statement by statement', access: roleOn('migration', 'viewer'), answer: listOf(migrationStepAnswer) })
  listSteps(@Call() call: CallContext): Promise<ListAnswer<MigrationStepAnswer>> {
    return this.migrations.listSteps(call.migration.id);
  }

  @Get('migrations/:id/events')
  @Route({ id: 'watchMigration', weight: null, summary: 'Server-sent events: `migration` at each change, `end` after the last', access: roleOn('migration', 'viewer'), media: 'text/event-stream' })
  events(@Call() call: CallContext, @Req() req: FastifyRequest, @Res() reply: FastifyReply): void {
    const { id } = call.migration;
    const leave = this.watchers.enter(call.accountId);
    streamMigration(reply, { look: () => this.migrations.look(id), find: () => this.migrations.find(id), mayGoOn: () => this.watchers.mayGoOn(req, reply, id) }).catch((error: unknown) => {
      this.logger.warn({ err: error, migration: id }, 'an event stream broke off');
      reply.raw.destroy();
    }).finally(leave);
  }

  @Post('migrations/:id/cancel')
  @Route({ id: 'cancelMigration', summary: 'Ask for the end of a migration', access: roleOn('migration', 'developer'), answer: migrationAnswer })
  cancel(@Call() call: CallContext): Promise<MigrationAnswer> {
    return this.migrations.cancel(call);
  }

  @Post('migrations/:id/retry')
  @Route({
    id: 'retryMigration', weight: 'plan', access: roleOn('migration', 'developer'), body: optionalConfirm, answer: migrationAnswer, status: 201,
    summary: 'Run a failed or cancelled migration again, planned anew; or let one go on that broke off',
  })
  retry(@Call() call: CallContext, @Body(new ZodPipe('body', optionalConfirm)) body: ConfirmRequest): Promise<MigrationAnswer> {
    return this.wayBack.retry(call, body);
  }

  @Get('migrations/:id/revert')
  @Route({ id: 'previewRevert', weight: 'plan', summary: 'The plan of a revert, with what comes back otherwise than it was', access: roleOn('migration', 'viewer'), answer: migrationPlan })
  previewRevert(@Call() call: CallContext): Promise<MigrationPlan> {
    return this.wayBack.preview(call);
  }

  @Post('migrations/:id/revert')
  @Route({
    id: 'revertMigration', weight: 'plan', access: roleOn('migration', 'developer'), body: optionalConfirm, answer: migrationAnswer, status: 201,
    summary: 'Undo the newest migration of a database, by a migration of its own; what it dropped comes back while it is kept',
  })
  revert(@Call() call: CallContext, @Body(new ZodPipe('body', optionalConfirm)) body: ConfirmRequest): Promise<MigrationAnswer> {
    return this.wayBack.revert(call, body);
  }

  @Post('migrations/:id/purge')
  @HttpCode(204)
  @Route({ id: 'purgeMigration', summary: 'Drop for good what a migration dropped and still keeps', access: roleOn('migration', 'admin') })
  purge(@Call() call: CallContext): Promise<void> {
    return this.migrations.purge(call);
  }
}
