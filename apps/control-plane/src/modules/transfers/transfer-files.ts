import { Inject, Injectable } from '@nestjs/common';
import {
  TRANSFER_FILES_MAX,
  TRANSFER_KEPT_DAYS,
  TRANSFER_TOTAL_BYTES_MAX,
  TRANSFER_UPLOADS_MAX,
  type TransferKind,
  DAY_MS,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import type { Snapshot } from '@rowhouse/schema-model';
import { readSnapshot } from '@rowhouse/snapshot-store';
import { In, IsNull, MoreThan, type EntityManager } from 'typeorm';
import { NEW_FILE, TransferFile } from '../../platform-db/entities/transfer-file.js';
import { TransferLoad } from '../../platform-db/entities/transfer-load.js';
import { insertRow } from '../../platform-db/typed-rows.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/tokens.js';
import { inProject } from '../databases/database-locks.js';
import { listProjectsOfCreator } from '../projects/projects-of-creator.js';

const CHUNKS_PER_DELETE = 50;
const FILES_PER_SWEEP = 100;
const GIB = 1024 ** 3;
/** The share of the space that the projects of one account can use is one divided by this. */
const ACCOUNT_SHARE = 4;
/** The states of a load that reads its file. */
export const AT_WORK = ['queued', 'running', 'verifying'] as const;

export interface NewFile {
  readonly projectId: string;
  readonly kind: TransferKind;
  readonly databaseId: string | null;
  readonly revision: number | null;
  readonly createdBy: string;
  /** The time at which the file expires. Undefined for the default lifetime, and null for no expiry. */
  readonly expiresAt?: Date | null;
}

/** Manages rows of `transfer_file` and the chunks of their files. */
@Injectable()
export class TransferFiles {
  constructor(
    private readonly db: PlatformDb,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Inserts a file. Throws `transfer.too_many` when the project has reached its limit. Concurrent requests
   * count each other.
   */
  async insert(
    file: NewFile,
    record: (manager: EntityManager, fileId: string) => Promise<void> = async () => undefined,
  ): Promise<TransferFile> {
    const id = createId('fil');
    await this.assertSpace(file.projectId);
    const expiresAt =
      file.expiresAt === undefined ? new Date(this.db.nowMs() + TRANSFER_KEPT_DAYS * DAY_MS) : file.expiresAt;
    await inProject(this.db, file.projectId, async (manager) => {
      await this.#assertCapacity(manager, file);
      await insertRow(manager.getRepository(TransferFile), {
        ...NEW_FILE,
        id,
        cellId: this.db.cellId,
        projectId: file.projectId,
        databaseId: file.databaseId,
        kind: file.kind,
        revision: file.revision,
        createdBy: file.createdBy,
        createdAt: new Date(this.db.nowMs()),
        expiresAt,
      });
      await record(manager, id);
    });
    return this.rows.findOneByOrFail({ id });
  }

  /**
   * Throws `transfer.too_many` when files use all of their space in the platform database, or those of the
   * account that created the project use a quarter of it. A full disk would stop the whole platform. Uploads
   * call this repeatedly, because their size is unknown before they end.
   */
  async assertSpace(projectId: string): Promise<void> {
    const gibMax = this.config.filesGibMax;
    if (gibMax === 0) return;
    // Expired files count until a sweep has deleted them.
    const [used] = await this.db.cell.query<Record<'all_bytes' | 'own_bytes', string | number>[]>(
      `SELECT COALESCE(SUM(bytes), 0) AS all_bytes, COALESCE(SUM(IF(project_id IN (?), bytes, 0)), 0) AS own_bytes
       FROM transfer_file WHERE cell_id = ? AND state <> 'failed'`,
      [await listProjectsOfCreator(this.db, projectId), this.db.cellId],
    );
    if (Number(used?.own_bytes) >= (gibMax / ACCOUNT_SHARE) * GIB)
      throw new AppError('transfer.too_many', {
        detail: `The files of all projects that one account created can have at most ${gibMax / ACCOUNT_SHARE} GiB in total.`,
        hint: 'Delete one you no longer need.',
      });
    if (Number(used?.all_bytes) >= gibMax * GIB)
      throw new AppError('transfer.too_many', {
        detail: 'The exports, imports and shared copies of this installation use all of their space.',
        hint: 'Try again later, or ask the operator for more space.',
      });
  }

  async #assertCapacity(manager: EntityManager, { projectId, kind }: NewFile): Promise<void> {
    const [usage] = await manager.query<Record<'files' | 'bytes' | 'uploads', string | number>[]>(
      `SELECT COUNT(*) AS files, COALESCE(SUM(bytes), 0) AS bytes, COALESCE(SUM(kind = 'import' AND state = 'writing'), 0) AS uploads
       FROM transfer_file WHERE cell_id = ? AND project_id = ? AND state <> 'failed' AND (expires_at IS NULL OR expires_at > ?)`,
      [this.db.cellId, projectId, new Date(this.db.nowMs())],
    );
    const hint = 'Delete one you no longer need.';
    if (Number(usage?.files) >= TRANSFER_FILES_MAX) throw new AppError('transfer.too_many', { hint });
    if (Number(usage?.bytes) >= TRANSFER_TOTAL_BYTES_MAX)
      throw new AppError('transfer.too_many', {
        detail: 'The exports, imports and shared copies of a project can have at most 40 GiB in total.',
        hint,
      });
    if (kind === 'import' && Number(usage?.uploads) >= TRANSFER_UPLOADS_MAX)
      throw new AppError('transfer.too_many', {
        detail: `A project can run at most ${TRANSFER_UPLOADS_MAX} imports at a time.`,
        hint: 'Wait until one ends, or delete one.',
      });
  }

  /** Returns an unexpired file of this project. Throws `resource.not_found` if none exists. */
  async find(projectId: string, id: string): Promise<TransferFile> {
    return this.#assertUnexpired(await this.rows.findOneBy({ id, projectId }));
  }

  /** Returns a file like `find`, but throws unless the file is ready. */
  async findReady(projectId: string, id: string): Promise<TransferFile> {
    return assertReady(await this.find(projectId, id));
  }

  /**
   * Returns a file like `findReady` and locks its row. The file cannot be deleted before the transaction has
   * inserted the load that reads it.
   */
  async lockReady(manager: EntityManager, projectId: string, id: string): Promise<TransferFile> {
    const row = await manager
      .getRepository(TransferFile)
      .findOne({ where: { id, projectId }, lock: { mode: 'pessimistic_write' } });
    return assertReady(this.#assertUnexpired(row));
  }

  #assertUnexpired(row: TransferFile | null): TransferFile {
    if (row === null || (row.expiresAt !== null && row.expiresAt.getTime() <= this.db.nowMs()))
      throw new AppError('resource.not_found', { detail: 'The file does not exist.' });
    return row;
  }

  async list(projectId: string): Promise<TransferFile[]> {
    const own = { projectId, kind: In(['export', 'import']) };
    return this.rows.find({
      where: [
        { ...own, expiresAt: IsNull() },
        { ...own, expiresAt: MoreThan(new Date(this.db.nowMs())) },
      ],
      order: { createdAt: 'DESC', id: 'ASC' },
      take: 200,
    });
  }

  async readSchema(file: Pick<TransferFile, 'id' | 'contentHash'>): Promise<Snapshot> {
    const row = await this.rows.findOne({ where: { id: file.id }, select: { id: true, schemaBody: true } });
    if (row === null || row.schemaBody === null)
      throw new AppError('internal.defect', { internal: `file ${file.id} has no schema` });
    return (await readSnapshot(row.schemaBody, file.contentHash)).snapshot;
  }

  async readChunk(file: Pick<TransferFile, 'id' | 'generation'>, ordinal: number): Promise<Buffer | null> {
    const [row] = await this.db.cell.query<{ body: Buffer }[]>(
      'SELECT body FROM transfer_chunk WHERE cell_id = ? AND file_id = ? AND generation = ? AND ordinal = ?',
      [this.db.cellId, file.id, file.generation, ordinal],
    );
    return row?.body ?? null;
  }

  /**
   * Stores an uploaded chunk before the worker starts to read the file. Throws `resource.not_found` if the
   * file was deleted in the meantime, because no sweep would delete the chunk.
   */
  async writeUpload(fileId: string, ordinal: number, body: Buffer): Promise<void> {
    const { affectedRows } = await this.db.cell.query<{ affectedRows: number }>(
      `INSERT INTO transfer_chunk (cell_id, file_id, generation, ordinal, table_name, rows_count, body) SELECT cell_id, id, 0, ?, '', 0, ? FROM transfer_file WHERE id = ? AND cell_id = ? AND state = 'writing'`,
      [ordinal, body, fileId, this.db.cellId],
    );
    if (affectedRows === 0)
      throw new AppError('resource.not_found', { detail: 'The file was deleted while it was uploaded.' });
    await this.db.cell.query('UPDATE transfer_file SET bytes = bytes + ? WHERE id = ? AND cell_id = ?', [
      body.length,
      fileId,
      this.db.cellId,
    ]);
  }

  /** Hides the file. Its content is deleted immediately or by the next sweep. */
  async remove(
    file: TransferFile,
    record: (manager: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const isEnded = await this.db.cellTransaction(async (manager) => {
      if (await this.#lockAtWork(manager, file.id)) return false;
      await this.#end(manager, file.id, record);
      return true;
    });
    if (!isEnded)
      throw new AppError('transfer.not_possible', {
        detail: 'The file is being loaded into a database.',
        hint: 'Cancel that load first, or wait until it ends.',
      });
    await this.#drop(file.id);
  }

  /** Marks the file as expired. `record` writes the audit event in the same transaction. */
  async end(
    fileId: string,
    record: (manager: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<void> {
    await this.db.cellTransaction((manager) => this.#end(manager, fileId, record));
  }

  async #end(
    manager: EntityManager,
    fileId: string,
    record: (manager: EntityManager) => Promise<void>,
  ): Promise<void> {
    await manager.query(
      `UPDATE transfer_file SET expires_at = ?, state = IF(state = 'writing', 'failed', state) WHERE id = ? AND cell_id = ?`,
      [new Date(this.db.nowMs()), fileId, this.db.cellId],
    );
    await record(manager);
  }

  /** Deletes expired files that no load is reading. Returns their ids. */
  async sweep(): Promise<string[]> {
    const rows = await this.db.cell.query<{ id: string }[]>(
      `SELECT f.id FROM transfer_file f WHERE f.cell_id = ? AND f.expires_at <= ?
         AND NOT EXISTS (SELECT 1 FROM transfer_load l WHERE l.file_id = f.id AND l.state IN (?)) LIMIT ${FILES_PER_SWEEP}`,
      [this.db.cellId, new Date(this.db.nowMs()), AT_WORK],
    );
    const dropped: string[] = [];
    for (const { id } of rows) {
      // A load may have started since, but not after the lock, because the file has expired.
      if (await this.db.cellTransaction((manager) => this.#lockAtWork(manager, id))) continue;
      await this.#drop(id);
      dropped.push(id);
    }
    return dropped;
  }

  /**
   * Locks the row of a file, and returns whether a load reads it. The lock comes first, because the first read
   * in a transaction determines its snapshot.
   */
  async #lockAtWork(manager: EntityManager, fileId: string): Promise<boolean> {
    await manager.query('SELECT id FROM transfer_file WHERE id = ? FOR UPDATE', [fileId]);
    return manager.getRepository(TransferLoad).existsBy({ fileId, state: In([...AT_WORK]) });
  }

  /**
   * Deletes a file's chunks, a few at a time, because one statement must not lock all rows of a large file.
   */
  async #drop(fileId: string): Promise<void> {
    for (let deleted = CHUNKS_PER_DELETE; deleted === CHUNKS_PER_DELETE;) {
      const result = await this.db.cell.query<{ affectedRows: number }>(
        `DELETE FROM transfer_chunk WHERE cell_id = ? AND file_id = ? LIMIT ${CHUNKS_PER_DELETE}`,
        [this.db.cellId, fileId],
      );
      deleted = result.affectedRows;
    }
    await this.rows.delete({ id: fileId });
  }

  get rows() {
    return this.db.cell.getRepository(TransferFile);
  }
}

function assertReady(row: TransferFile): TransferFile {
  if (row.state === 'ready') return row;
  throw new AppError('transfer.not_possible', {
    detail: row.state === 'writing' ? 'The file is still being written.' : 'The file could not be written.',
  });
}
