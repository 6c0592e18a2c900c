import type { LoadKind, LoadState, TaskError } from '@rowhouse/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { numberColumn } from '../column-transformers.js';

/** A file on its way into a database. */
@Entity('transfer_load')
@Index('transfer_load_database', ['databaseId', 'createdAt'])
@Index('transfer_load_file', ['fileId', 'state'])
export class TransferLoad {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  projectId!: string;

  @Column('varchar', { length: 40 })
  databaseId!: string;

  @Column('varchar', { length: 40 })
  fileId!: string;

  @Column('varchar', { length: 16 })
  kind!: LoadKind;

  @Column('varchar', { length: 16, default: 'queued' })
  state!: LoadState;

  @Column('int', { unsigned: true, default: 0 })
  chunksDone!: number;

  @Column('bigint', { unsigned: true, default: 0, transformer: numberColumn })
  rowsDone!: number;

  @Column('bigint', { unsigned: true, default: 0, transformer: numberColumn })
  rowsTotal!: number;

  @Column('json', { nullable: true })
  error!: TaskError | null;

  @Column('varchar', { length: 40 })
  createdBy!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;

  @Column('datetime', { precision: 3, nullable: true })
  startedAt!: Date | null;

  @Column('datetime', { precision: 3, nullable: true })
  finishedAt!: Date | null;
}
