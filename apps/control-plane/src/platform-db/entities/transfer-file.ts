import type { TaskError, TransferFileState, TransferKind } from '@rowhouse/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { numberColumn } from '../column-transformers.js';

/** A schema and pieces of rows. The pieces lie in `transfer_chunk`; neither they nor the schema are read with the row. */
@Entity('transfer_file')
@Index('transfer_file_project', ['projectId', 'createdAt'])
@Index('transfer_file_expiry', ['cellId', 'expiresAt'])
export class TransferFile {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  projectId!: string;

  @Column('varchar', { length: 40, nullable: true })
  databaseId!: string | null;

  @Column('varchar', { length: 16 })
  kind!: TransferKind;

  @Column('varchar', { length: 16, default: 'writing' })
  state!: TransferFileState;

  @Column('int', { unsigned: true, default: 0 })
  generation!: number;

  @Column('int', { unsigned: true, default: 0 })
  chunks!: number;

  @Column('char', { length: 64, default: '' })
  contentHash!: string;

  @Column('longblob', { nullable: true, select: false })
  schemaBody!: Buffer | null;

  @Column('longtext', { nullable: true })
  manifest!: string | null;

  @Column('int', { unsigned: true, nullable: true })
  revision!: number | null;

  @Column('bigint', { unsigned: true, default: 0, transformer: numberColumn })
  bytes!: number;

  @Column('bigint', { unsigned: true, default: 0, transformer: numberColumn })
  rowsTotal!: number;

  @Column('json', { nullable: true })
  error!: TaskError | null;

  @Column('varchar', { length: 40 })
  createdBy!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;

  @Column('datetime', { precision: 3, nullable: true })
  finishedAt!: Date | null;

  @Column('datetime', { precision: 3, nullable: true })
  expiresAt!: Date | null;
}
