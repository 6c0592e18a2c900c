import { Injectable } from '@nestjs/common';
import { TRANSFER_FILES_MAX, TRANSFER_KEPT_DAYS, type TransferKind } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import type { Snapshot } from '@rowhouse/schema-model';
import { decodeSnapshot } from '@rowhouse/snapshot-store';
import { In, IsNull, MoreThan, Not } from 'typeorm';
import { TransferFile } from '../../platform-db/entities/transfer-file.js';
import { TransferLoad } from '../../platform-db/entities/transfer-load.js';
import { PlatformDb } from '../../platform-db/platform-db.js';

const DAY_MS = 86_400_000;
const CHUNKS_PER_DELETE = 50;
const FILES_PER_SWEEP = 100;
const AT_WORK = ['queued', 'running', 'verifying'] as const;

export interface NewFile {
  readonly projectId: string;
  readonly kind: TransferKind;
  readonly databaseId: string | null;
  readonly revision: number | null;
  readonly createdBy: string;
  /** Undefined: the usual time; null: none. */
  readonly expiresAt?: Date | null;
}

/** Rows of `transfer_file` and their pieces. */
@Injectable()
export class TransferFiles {
  constructor(private readonly db: PlatformDb) {}

  async insert(file: NewFile): Promise<TransferFile> {
    const kept = await this.rows.count({ where: [{ projectId: file.projectId, state: Not('failed'), expiresAt: IsNull() }, { projectId: file.projectId, state: Not('failed'), expiresAt: MoreThan(new Date(this.db.nowMs())) }] });
    if (kept >= TRANSFER_FILES_MAX) throw new AppError('transfer.too_many', { hint: 'Delete one that is not needed.' });
    const id = createId('fil');
    const expiresAt = file.expiresAt === undefined ? new Date(this.db.nowMs() + TRANSFER_KEPT_DAYS * DAY_MS) : file.expiresAt;
    await this.rows.insert({ id, cellId: this.db.cellId, projectId: file.projectId, databaseId: file.databaseId, kind: file.kind, revision: file.revision, createdBy: file.createdBy, createdAt: new Date(), expiresAt } as never);
    return this.rows.findOneByOrFail({ id });
  }

  /** One of this project; its time is not over. Throws `resource.not_found`. */
  async find(projectId: string, id: string): Promise<TransferFile> {
    const row = await this.rows.findOneBy({ id, projectId });
    if (row === null || (row.expiresAt !== null && row.expiresAt.getTime() <= this.db.nowMs())) throw new AppError('resource.not_found', { detail: 'There is no such file.' });
    return row;
  }

  /** As `find`, and ready. */
  async findReady(projectId: string, id: string): Promise<TransferFile> {
    const row = await this.find(projectId, id);
    if (row.state === 'ready') return row;
    throw new AppError('transfer.not_possible', { detail: row.state === 'writing' ? 'The file is still being written.' : 'The file could not be written.' });
  }

  async list(projectId: string): Promise<TransferFile[]> {
    const own = { projectId, kind: In(['export', 'import']) };
    return this.rows.find({ where: [{ ...own, expiresAt: IsNull() }, { ...own, expiresAt: MoreThan(new Date(this.db.nowMs())) }], order: { createdAt: 'DESC', id: 'ASC' }, take: 200 });
  }

  async readSchema(file: Pick<TransferFile, 'id' | 'contentHash'>): Promise<Snapshot> {
    const row = await this.rows.findOne({ where: { id: file.id }, select: { id: true, schemaBody: true } });
    if (row === null || row.schemaBody === null) throw new AppError('internal.defect', { internal: `file ${file.id} has no schema` });
    return decodeSnapshot(row.schemaBody, file.contentHash);
  }

  async readChunk(file: Pick<TransferFile, 'id' | 'generation'>, ordinal: number): Promise<Buffer | null> {
    const [row] = await this.db.cell.query<{ body: Buffer }[]>('SELECT body FROM transfer_chunk WHERE cell_id = ? AND file_id = ? AND generation = ? AND ordinal = ?', [this.db.cellId, file.id, file.generation, ordinal]);
    return row?.body ?? null;
  }

  /** An uploaded piece: the worker has not begun with the file. */
  async writeUpload(fileId: string, ordinal: number, body: Buffer): Promise<void> {
    await this.db.cell.query(`INSERT INTO transfer_chunk (cell_id, file_id, generation, ordinal, table_name, rows_count, body) VALUES (?, ?, 0, ?, '', 0, ?)`, [this.db.cellId, fileId, ordinal, body]);
  }

  /** Nobody finds it from now on; what it holds is taken away at once, or by the sweep. */
  async remove(file: TransferFile): Promise<void> {
    if (await this.#isAtWork(file.id)) throw new AppError('transfer.not_possible', { detail: 'The file is being brought into a database.', hint: 'Cancel that first, or wait for its end.' });
    await this.end(file.id);
    await this.#drop(file.id);
  }

  /** Its time is over. */
  async end(fileId: string): Promise<void> {
    await this.db.cell.query(`UPDATE transfer_file SET expires_at = UTC_TIMESTAMP(3), state = IF(state = 'writing', 'failed', state) WHERE id = ? AND cell_id = ?`, [fileId, this.db.cellId]);
  }

  /** Takes away files whose time is over and that nothing reads any more. Answers their ids. */
  async sweep(): Promise<string[]> {
    const rows = await this.db.cell.query<{ id: string }[]>(
      `SELECT f.id FROM transfer_file f WHERE f.cell_id = ? AND f.expires_at <= UTC_TIMESTAMP(3)
         AND NOT EXISTS (SELECT 1 FROM transfer_load l WHERE l.file_id = f.id AND l.state IN ('queued', 'running', 'verifying')) LIMIT ${FILES_PER_SWEEP}`, [this.db.cellId]);
    for (const { id } of rows) await this.#drop(id);
    return rows.map((row) => row.id);
  }

  async #isAtWork(fileId: string): Promise<boolean> {
    return this.db.cell.getRepository(TransferLoad).existsBy({ fileId, state: In([...AT_WORK]) });
  }

  /** Pieces first, a few at a time: one statement must not hold the rows of a large file. */
  async #drop(fileId: string): Promise<void> {
    for (let deleted = CHUNKS_PER_DELETE; deleted === CHUNKS_PER_DELETE; ) {
      const result = await this.db.cell.query<{ affectedRows: number }>(`DELETE FROM transfer_chunk WHERE cell_id = ? AND file_id = ? LIMIT ${CHUNKS_PER_DELETE}`, [this.db.cellId, fileId]);
      deleted = result.affectedRows;
    }
    await this.rows.delete({ id: fileId });
  }

  get rows() {
    return this.db.cell.getRepository(TransferFile);
  }
}
