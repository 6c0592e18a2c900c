import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { TRANSFER_BYTES_MAX, type ImportQuery, type TransferFileResponse } from '@rowhouse/contracts';
import { AppError, toAppError } from '@rowhouse/errors';
import { createByteChunks } from '@rowhouse/runtime';
import { ReachFinder } from '../../access/reach-finder.js';
import type { RequestContext } from '../../access/request-context.js';
import type { TransferFile } from '../../platform-db/entities/transfer-file.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { WorkingSchemaStore } from '../schema/working-schema-store.js';
import { ExportService } from './export-service.js';
import { toFileResponse } from './transfer-responses.js';
import { TransferFiles } from './transfer-files.js';

const compress = promisify(gzip);
/** The number of bytes of an upload that are held in memory. */
const CHUNK_BYTES = 512 * 1024;
/** The assumed size of an imported schema in bytes, which is unknown before the worker has read it. */
const SCHEMA_BYTES = 1024 * 1024;
/** The number of chunks after which the space for files is checked again. */
const CHUNKS_PER_CHECK = 64;

/**
 * Receives uploaded dumps. They are stored in chunks as they arrive, and the worker reads them afterwards.
 */
@Injectable()
export class ImportService {
  constructor(
    private readonly files: TransferFiles,
    private readonly schemas: WorkingSchemaStore,
    private readonly tasks: TaskRunner,
    private readonly exports: ExportService,
    private readonly reachFinder: ReachFinder,
    private readonly audit: AuditWriter,
  ) {}

  /**
   * Accepts SQL text, plain or compressed by gzip. If reading it takes long, the response is sent earlier, as
   * the `state` of the file shows.
   */
  async import(
    context: RequestContext,
    body: Readable | undefined,
    { mode = 'apply' }: ImportQuery,
  ): Promise<TransferFileResponse> {
    const { id: projectId } = context.project;
    if (body === undefined) throw new AppError('transfer.unreadable', { detail: 'The upload is empty.' });
    const baseRevision = await this.schemas.newestNumber(projectId);
    await this.schemas.assertSpace(projectId, SCHEMA_BYTES);
    const file = await this.files.insert(
      {
        projectId,
        kind: 'import',
        databaseId: null,
        revision: null,
        createdBy: context.accountId,
      },
      (manager, fileId) =>
        this.audit.record(manager, context, { action: 'schema.import', target: fileId, detail: { mode } }),
    );
    const taskId = await this.#receive(file, body, async () => {
      await this.reachFinder.assertAccessUnchanged(context);
      const { snapshot: base } = await this.schemas.find(projectId, baseRevision);
      return this.tasks.enqueue(
        'read_import',
        {
          file_id: file.id,
          project_id: projectId,
          base,
          mode,
          base_revision: baseRevision,
          created_by: context.accountId,
        },
        { projectId },
      );
    });
    await this.exports.waitAWhile(taskId);
    return toFileResponse(await this.files.rows.findOneByOrFail({ id: file.id }));
  }

  /**
   * Stores the upload and requests its import. The file is removed if either fails. `queueImport` checks the
   * access and reads the schema only after the upload, because an upload may take an hour and a schema has
   * megabytes.
   */
  async #receive(file: TransferFile, body: Readable, queueImport: () => Promise<string>): Promise<string> {
    try {
      await this.#storeChunks(file, body);
      return await queueImport();
    } catch (error) {
      await this.files.remove(file).catch(() => undefined);
      throw toAppError(error);
    }
  }

  /** Stores the upload in chunks. The chunks form one gzip file, whether or not the upload is compressed. */
  async #storeChunks({ id: fileId, projectId }: TransferFile, body: Readable): Promise<void> {
    // Small buffers are copied. Otherwise a client that sends single bytes would use a hundred times as much
    // memory as it has sent.
    let held = createByteChunks();
    let [heldBytes, bytes, ordinal] = [0, 0, 0];
    let isGzip: boolean | null = null;
    const flush = async (): Promise<void> => {
      if (heldBytes === 0) return;
      const chunk = held.join();
      [held, heldBytes] = [createByteChunks(), 0];
      isGzip ??= chunk[0] === 0x1f && chunk[1] === 0x8b;
      const compressed = isGzip ? chunk : await compress(chunk);
      bytes += compressed.length;
      if (bytes > TRANSFER_BYTES_MAX) throw new AppError('transfer.too_large');
      if (ordinal > 0 && ordinal % CHUNKS_PER_CHECK === 0) await this.files.assertSpace(projectId);
      await this.files.writeUpload(fileId, ordinal, compressed);
      ordinal += 1;
    };
    for await (const part of readUpload(body)) {
      held.add(part);
      heldBytes += part.length;
      if (heldBytes >= CHUNK_BYTES) await flush();
    }
    await flush();
    if (ordinal === 0) throw new AppError('transfer.unreadable', { detail: 'The upload is empty.' });
  }
}

/**
 * Yields the parts of an upload. Throws `request.malformed` if the client disconnects. Only this code reads
 * from the client, so the same system error from a database stays an error of the server.
 */
async function* readUpload(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ECONNRESET'
      ? new AppError('request.malformed', { detail: 'The upload was interrupted.', cause: error })
      : error;
  }
}
