import { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import {
  exportRequest,
  importQuery,
  loadRowsRequest,
  restoreRequest,
  seedRequest,
  type DatabaseResponse,
  type ExportRequest,
  type ImportQuery,
  type ListResponse,
  type LoadResponse,
  type LoadRowsRequest,
  type RestoreRequest,
  type SeedResponse,
  type SeedRequest,
  type TransferFileResponse,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { FastifyReply } from 'fastify';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { listOf } from '../../response-schemas/shared.js';
import {
  loadResponse,
  restoredResponse,
  seedResponse,
  transferFileResponse,
} from '../../response-schemas/transfers.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { ExportService } from './export-service.js';
import { ImportService } from './import-service.js';
import { LoadService } from './load-service.js';
import { RestoreService } from './restore-service.js';
import { SeedService } from './seed-service.js';
import { readManifest, toFileResponse } from './transfer-responses.js';
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
  @Route({
    id: 'exportDatabase',
    costClass: 'plan',
    summary: 'Export the database to a file, which is kept for seven days',
    access: roleOn('database', 'developer'),
    body: exportRequest,
    answer: transferFileResponse,
    status: 201,
    alsoStatus: 202,
  })
  async export(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', exportRequest)) body: ExportRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TransferFileResponse> {
    return withStatus(reply, await this.exports.export(context, body));
  }

  @Post('projects/:id/schema/import')
  @Route({
    id: 'importDump',
    costClass: null,
    access: roleOn('project', 'developer'),
    query: importQuery,
    upload: 'A dump as SQL text, optionally compressed with gzip',
    answer: transferFileResponse,
    status: 201,
    alsoStatus: 202,
    summary:
      'Import a dump. Its schema changes the working schema, and its rows are stored as a file. ' +
      'The response lists omitted lines',
  })
  async import(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', importQuery)) query: ImportQuery,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TransferFileResponse> {
    if (body !== undefined && !(body instanceof Readable))
      throw new AppError('request.unsupported_type', {
        detail: 'Send a dump as it is, with Content-Type application/sql or application/gzip.',
      });
    return withStatus(reply, await this.imports.import(context, body, query));
  }

  @Get('projects/:id/files')
  @Route({
    id: 'listFiles',
    summary: 'List the exports and imports of a project, newest first',
    access: roleOn('project', 'viewer'),
    answer: listOf(transferFileResponse),
  })
  async listFiles(@Call() context: RequestContext): Promise<ListResponse<TransferFileResponse>> {
    return { items: (await this.files.list(context.project.id)).map(toFileResponse), next_cursor: null };
  }

  @Get('projects/:id/files/:file')
  @Route({
    id: 'getFile',
    summary: 'Get an export or import, with everything that the import omitted',
    access: roleOn('project', 'viewer'),
    answer: transferFileResponse,
  })
  async getFile(@Call() context: RequestContext, @Param('file') id: string): Promise<TransferFileResponse> {
    return toFileResponse(await this.files.find(context.project.id, id));
  }

  @Get('projects/:id/files/:file/download')
  @Route({
    id: 'downloadFile',
    costClass: null,
    summary: 'Download a file as gzipped SQL text',
    access: roleOn('project', 'developer'),
    media: 'application/gzip',
  })
  async download(
    @Call() context: RequestContext,
    @Param('file') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = await this.files.findReady(context.project.id, id);
    const parts = {
      title: `${context.project.name}, ${file.createdAt.toISOString()}`,
      readSnapshot: () => this.files.readSchema(file),
      manifest: readManifest(file),
      chunks: file.chunks,
      readChunk: (ordinal: number) => this.files.readChunk(file, ordinal),
    };
    await assertWritable(await parts.readSnapshot());
    await this.audit.write(context, { action: 'database.download', target: file.id });
    await reply
      .header('content-type', 'application/gzip')
      .header('content-disposition', `attachment; filename="${file.id}.sql.gz"`)
      .send(Readable.from(writeDump(parts)));
  }

  @Delete('projects/:id/files/:file')
  @Route({ id: 'deleteFile', summary: 'Delete an export or import', access: roleOn('project', 'developer') })
  async deleteFile(@Call() context: RequestContext, @Param('file') id: string): Promise<void> {
    const file = await this.files.find(context.project.id, id);
    await this.files.remove(file, (manager) =>
      this.audit.record(manager, context, { action: 'database.file.delete', target: file.id }),
    );
  }

  @Post('databases/:id/restore')
  @Route({
    id: 'restoreDatabase',
    costClass: 'plan',
    summary:
      'Restore a file into a new database of the project. It is ready when all rows are loaded and ' +
      'compared',
    access: roleOn('database', 'developer'),
    body: restoreRequest,
    answer: restoredResponse,
    status: 202,
  })
  restore(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', restoreRequest)) body: RestoreRequest,
  ): Promise<{ database: DatabaseResponse; load: LoadResponse }> {
    return this.restores.restore(context, body);
  }

  @Post('databases/:id/loads')
  @Route({
    id: 'loadRows',
    summary: 'Load the rows of a file into empty tables of the database',
    access: roleOn('database', 'developer'),
    body: loadRowsRequest,
    answer: loadResponse,
    status: 202,
  })
  loadRows(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', loadRowsRequest)) body: LoadRowsRequest,
  ): Promise<LoadResponse> {
    return this.loads.begin(context, body);
  }

  @Post('databases/:id/seed')
  @Route({
    id: 'seedDatabase',
    costClass: 'plan',
    summary:
      'Create sample rows in empty tables: 20 per table by default, at most 1,000 per table and ' +
      '20,000 in total',
    access: roleOn('database', 'developer'),
    body: seedRequest,
    answer: seedResponse,
  })
  seed(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', seedRequest)) body: SeedRequest,
  ): Promise<SeedResponse> {
    return this.seeds.seed(context, body);
  }

  @Get('databases/:id/loads')
  @Route({
    id: 'listLoads',
    summary: 'List the loads into a database, newest first',
    access: roleOn('database', 'viewer'),
    answer: listOf(loadResponse),
  })
  async listLoads(@Call() context: RequestContext): Promise<ListResponse<LoadResponse>> {
    return { items: await this.loads.list(context.database.id), next_cursor: null };
  }

  @Get('databases/:id/loads/:load')
  @Route({
    id: 'getLoad',
    summary: 'Get the progress of a load',
    access: roleOn('database', 'viewer'),
    answer: loadResponse,
  })
  getLoad(@Call() context: RequestContext, @Param('load') id: string): Promise<LoadResponse> {
    return this.loads.find(context.database.id, id);
  }

  @Post('databases/:id/loads/:load/cancel')
  @Route({
    id: 'cancelLoad',
    summary: 'Stop a load. Loaded rows stay',
    access: roleOn('database', 'developer'),
    answer: loadResponse,
  })
  cancelLoad(@Call() context: RequestContext, @Param('load') id: string): Promise<LoadResponse> {
    return this.loads.cancel(context, id);
  }

  @Post('databases/:id/loads/:load/retry')
  @Route({
    id: 'retryLoad',
    summary: 'Continue a load where it stopped',
    access: roleOn('database', 'developer'),
    answer: loadResponse,
    status: 202,
  })
  retryLoad(@Call() context: RequestContext, @Param('load') id: string): Promise<LoadResponse> {
    return this.loads.retry(context, id);
  }
}

/** Sets status 202 for a file that is still being written. */
function withStatus(reply: FastifyReply, file: TransferFileResponse): TransferFileResponse {
  if (file.state === 'writing') reply.status(202);
  return file;
}
