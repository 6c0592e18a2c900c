import { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import {
  exportRequest, importQuery, loadRowsRequest, restoreRequest, seedRequest,
  type DatabaseAnswer, type ExportRequest, type ImportQuery, type ListAnswer, type LoadAnswer, type LoadRowsRequest, type RestoreRequest, type SeedAnswer, type SeedRequest, type TransferFileAnswer,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { FastifyReply } from 'fastify';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { listOf } from '../../answers/answer-schemas.js';
import { loadAnswer, restoredAnswer, seedAnswer, transferFileAnswer } from '../../answers/transfer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { ExportService } from './export-service.js';
import { ImportService } from './import-service.js';
import { LoadService } from './load-service.js';
import { RestoreService } from './restore-service.js';
import { SeedService } from './seed-service.js';
import { readManifest, toFileAnswer } from './transfer-answers.js';
import { TransferFiles } from './transfer-files.js';
import { assertWritable, writeDump } from './write-dump.js';

@Controller('api')
export class TransferController {
  constructor(
    private readonly files: TransferFiles,
    private readonly exports: ExportService,
    private readonly imports: ImportService,
    private readonly loads: LoadService,
    private readonly restores: RestoreService,
    private readonly seeds: SeedService,
    private readonly audit: AuditWriter,
  ) {}

  @Post('databases/:id/export')
  @Route({ id: 'exportDatabase', weight: 'plan', summary: 'A copy of the database as of now, as a file that is kept for seven days', access: roleOn('database', 'developer'), body: exportRequest, answer: transferFileAnswer, status: 201, alsoStatus: 202 })
  async export(@Call() call: CallContext, @Body(new ZodPipe('body', exportRequest)) body: ExportRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<TransferFileAnswer> {
    return withStatus(reply, await this.exports.export(call, body));
  }

  @Post('projects/:id/schema/import')
  @Route({
    id: 'importDump', weight: null, access: roleOn('project', 'developer'), query: importQuery, upload: 'A dump as SQL text, or a gzip of it', answer: transferFileAnswer, status: 201, alsoStatus: 202,
    summary: 'Read a dump: its schema changes the working schema, its rows are kept as a file; what is not taken is told by line',
  })
  async import(@Call() call: CallContext, @Query(new ZodPipe('query', importQuery)) query: ImportQuery, @Body() body: unknown, @Res({ passthrough: true }) reply: FastifyReply): Promise<TransferFileAnswer> {
    if (body !== undefined && !(body instanceof Readable)) throw new AppError('request.unsupported_type', { detail: 'Dumps are sent as they are: Content-Type: application/sql, or application/gzip.' });
    return withStatus(reply, await this.imports.import(call, body, query));
  }

  @Get('projects/:id/files')
  @Route({ id: 'listFiles', summary: 'Exports and imports of a project, newest first', access: roleOn('project', 'viewer'), answer: listOf(transferFileAnswer) })
  async listFiles(@Call() call: CallContext): Promise<ListAnswer<TransferFileAnswer>> {
    return { items: (await this.files.list(call.project.id)).map(toFileAnswer), next_cursor: null };
  }

  @Get('projects/:id/files/:file')
  @Route({ id: 'getFile', summary: 'One export or import, with what an import did not take', access: roleOn('project', 'viewer'), answer: transferFileAnswer })
  async getFile(@Call() call: CallContext, @Param('file') id: string): Promise<TransferFileAnswer> {
    return toFileAnswer(await this.files.find(call.project.id, id));
  }

  @Get('projects/:id/files/:file/download')
  @Route({ id: 'downloadFile', weight: null, summary: 'A file as a gzip of SQL text', access: roleOn('project', 'developer'), media: 'application/gzip' })
  async download(@Call() call: CallContext, @Param('file') id: string, @Res() reply: FastifyReply): Promise<void> {
    const file = await this.files.findReady(call.project.id, id);
    const parts = { title: `${call.project.name}, ${file.createdAt.toISOString()}`, readSnapshot: () => this.files.readSchema(file), manifest: readManifest(file), chunks: file.chunks, readChunk: (ordinal: number) => this.files.readChunk(file, ordinal) };
    await assertWritable(await parts.readSnapshot());
    await this.audit.write(call, { action: 'database.download', target: file.id });
    await reply.header('content-type', 'application/gzip').header('content-disposition', `attachment; filename="${file.id}.sql.gz"`).send(Readable.from(writeDump(parts)));
  }

  @Delete('projects/:id/files/:file')
  @Route({ id: 'deleteFile', summary: 'Delete an export or import', access: roleOn('project', 'developer') })
  async deleteFile(@Call() call: CallContext, @Param('file') id: string): Promise<void> {
    const file = await this.files.find(call.project.id, id);
    await this.files.remove(file);
    await this.audit.write(call, { action: 'database.file.delete', target: file.id });
  }

  @Post('databases/:id/restore')
  @Route({ id: 'restoreDatabase', weight: 'plan', summary: "Make a new database of the project out of a file; it is ready once every row is in and compared", access: roleOn('database', 'developer'), body: restoreRequest, answer: restoredAnswer, status: 202 })
  restore(@Call() call: CallContext, @Body(new ZodPipe('body', restoreRequest)) body: RestoreRequest): Promise<{ database: DatabaseAnswer; load: LoadAnswer }> {
    return this.restores.restore(call, body);
  }

  @Post('databases/:id/loads')
  @Route({ id: 'loadRows', summary: "Bring a file's rows into empty tables of the database", access: roleOn('database', 'developer'), body: loadRowsRequest, answer: loadAnswer, status: 202 })
  loadRows(@Call() call: CallContext, @Body(new ZodPipe('body', loadRowsRequest)) body: LoadRowsRequest): Promise<LoadAnswer> {
    return this.loads.begin(call, body);
  }

  @Post('databases/:id/seed')
  @Route({ id: 'seedDatabase', weight: 'plan', summary: 'Sample rows for empty tables: 20 each unless said, 1,000 at most, 20,000 in one go', access: roleOn('database', 'developer'), body: seedRequest, answer: seedAnswer })
  seed(@Call() call: CallContext, @Body(new ZodPipe('body', seedRequest)) body: SeedRequest): Promise<SeedAnswer> {
    return this.seeds.seed(call, body);
  }

  @Get('databases/:id/loads')
  @Route({ id: 'listLoads', summary: 'What was and is being brought into a database, newest first', access: roleOn('database', 'viewer'), answer: listOf(loadAnswer) })
  async listLoads(@Call() call: CallContext): Promise<ListAnswer<LoadAnswer>> {
    return { items: await this.loads.list(call.database.id), next_cursor: null };
  }

  @Get('databases/:id/loads/:load')
  @Route({ id: 'getLoad', summary: 'How far a load is', access: roleOn('database', 'viewer'), answer: loadAnswer })
  getLoad(@Call() call: CallContext, @Param('load') id: string): Promise<LoadAnswer> {
    return this.loads.find(call.database.id, id);
  }

  @Post('databases/:id/loads/:load/cancel')
  @Route({ id: 'cancelLoad', summary: 'Stop a load; what is in stays in', access: roleOn('database', 'developer'), answer: loadAnswer })
  cancelLoad(@Call() call: CallContext, @Param('load') id: string): Promise<LoadAnswer> {
    return this.loads.cancel(call, id);
  }

  @Post('databases/:id/loads/:load/retry')
  @Route({ id: 'retryLoad', summary: 'Go on with a load where it stopped', access: roleOn('database', 'developer'), answer: loadAnswer, status: 202 })
  retryLoad(@Call() call: CallContext, @Param('load') id: string): Promise<LoadAnswer> {
    return this.loads.retry(call, id);
  }
}

/** Sets status 202 for a file that is still being written. */
function withStatus(reply: FastifyReply, file: TransferFileAnswer): TransferFileAnswer {
  if (file.state === 'writing') reply.status(202);
  return file;
}
