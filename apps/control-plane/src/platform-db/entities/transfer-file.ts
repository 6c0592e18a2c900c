import type { TaskError, TransferFileState, TransferKind } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { BigCountColumn, CountColumn, IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** The values of a new file that are also the defaults of the columns. */
export const NEW_FILE = {
  state: 'writing',
  generation: 0,
  chunks: 0,
  contentHash: '',
  bytes: 0,
  rowsTotal: 0,
} as const;

/**
 * An export file: a schema and chunks of rows. The chunks are in `transfer_chunk`. Reading this row reads
 * neither the chunks nor the schema.
 */
@Entity('transfer_file')
@Index('transfer_file_project', ['projectId', 'createdAt'])
@Index('transfer_file_expiry', ['cellId', 'expiresAt'])
export class TransferFile extends CellRow {
  @IdColumn() projectId!: string;

  @IdColumn({ nullable: true }) databaseId!: string | null;

  @Column('varchar', { length: 16 })
  kind!: TransferKind;

  @Column('varchar', { length: 16, default: 'writing' })
  state!: TransferFileState;

  @CountColumn({ default: 0 }) generation!: number;

  @CountColumn({ default: 0 }) chunks!: number;

  @Column('char', { length: 64, default: '' })
  contentHash!: string;

  @Column('longblob', { nullable: true, select: false })
  schemaBody!: Buffer | null;

  @Column('longtext', { nullable: true })
  manifest!: string | null;

  @Column('int', { unsigned: true, nullable: true })
  revision!: number | null;

  @BigCountColumn({ default: 0 }) bytes!: number;

  @BigCountColumn({ default: 0 }) rowsTotal!: number;

  @Column('json', { nullable: true })
  error!: TaskError | null;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) finishedAt!: Date | null;

  @TimeColumn({ nullable: true }) expiresAt!: Date | null;
}
