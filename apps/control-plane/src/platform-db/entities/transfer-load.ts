import type { LoadKind, LoadState, TaskError } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { BigCountColumn, CountColumn, IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** The values of a new load that are also the defaults of the columns. */
export const NEW_LOAD = { state: 'queued', chunksDone: 0, rowsDone: 0 } as const;

/** An import of a file's rows into a database. */
@Entity('transfer_load')
@Index('transfer_load_database', ['databaseId', 'createdAt'])
@Index('transfer_load_file', ['fileId', 'state'])
export class TransferLoad extends CellRow {
  @IdColumn() projectId!: string;

  @IdColumn() databaseId!: string;

  @IdColumn() fileId!: string;

  @Column('varchar', { length: 16 })
  kind!: LoadKind;

  @Column('varchar', { length: 16, default: 'queued' })
  state!: LoadState;

  @CountColumn({ default: 0 }) chunksDone!: number;

  @BigCountColumn({ default: 0 }) rowsDone!: number;

  @BigCountColumn({ default: 0 }) rowsTotal!: number;

  @Column('json', { nullable: true })
  error!: TaskError | null;

  @Column('json', { nullable: true })
  notes!: string[] | null;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) startedAt!: Date | null;

  @TimeColumn({ nullable: true }) finishedAt!: Date | null;
}
