import { Controller, Get, Inject, Post, Query, Res } from '@nestjs/common';
import type { ListAnswer, MigrationAnswer } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { Logger } from '@rowhouse/runtime';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { listOf, migrationAnswer } from '../../answers/answer-schemas.js';
import { pageQuery } from '../../http/page-query.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { LOGGER } from '../../platform/tokens.js';
import { toMigrationAnswer } from './migration-answer.js';
import { MigrationService } from './migration-service.js';
import { streamMigration } from './stream-migration.js';

@Controller('api')
export class MigrationController {
  constructor(
    private readonly migrations: MigrationService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get('projects/:id/migrations')
  @Route({ id: 'listMigrations', summary: 'The migrations of a project, newest first', access: roleOn('project', 'viewer'), query: pageQuery, answer: listOf(migrationAnswer) })
  list(@Call() call: CallContext, @Query(new ZodPipe('query', pageQuery)) query: z.infer<typeof pageQuery>): Promise<ListAnswer<MigrationAnswer>> {
    return this.migrations.list(call.project.id, query);
  }

  @Get('migrations/:id')
  @Route({ id: 'getMigration', summary: 'One migration', access: roleOn('migration', 'viewer'), answer: migrationAnswer })
  get(@Call() call: CallContext): MigrationAnswer {
    return toMigrationAnswer(call.migration);
  }

  @Get('migrations/:id/events')
  @Route({ id: 'watchMigration', summary: 'Server-sent events: `migration` at each change, `end` after the last', access: roleOn('migration', 'viewer'), media: 'text/event-stream' })
  events(@Call() call: CallContext, @Res() reply: FastifyReply): void {
    const { id } = call.migration;
    streamMigration(reply, () => this.migrations.find(id)).catch((error: unknown) => {
      this.logger.warn({ err: error, migration: id }, 'an event stream broke off');
      reply.raw.destroy();
    });
  }

  @Post('migrations/:id/cancel')
  @Route({ id: 'cancelMigration', summary: 'Ask for the end of a migration', access: roleOn('migration', 'developer'), answer: migrationAnswer })
  cancel(@Call() call: CallContext): Promise<MigrationAnswer> {
    return this.migrations.cancel(call);
  }

  @Post('migrations/:id/retry')
  @Route({ id: 'retryMigration', summary: 'Not served yet: answers 409 `schema.not_possible`', access: roleOn('migration', 'developer'), answer: migrationAnswer })
  retry(): never {
    throw new AppError('schema.not_possible', { detail: 'A migration cannot be run again here.', hint: 'Deploy the working schema again: it is planned anew.' });
  }

  @Post('migrations/:id/revert')
  @Route({ id: 'revertMigration', summary: 'Not served yet: answers 409 `schema.not_possible`', access: roleOn('migration', 'developer'), answer: migrationAnswer })
  revert(): never {
    throw new AppError('schema.not_possible', { detail: 'A migration cannot be reverted here.', hint: 'Deploy an earlier revision: send `revision`.' });
  }
}
