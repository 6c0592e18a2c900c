import type { TaskError, TaskKind, TaskState } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { BigCountColumn, CountColumn, IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** Work that only the worker can do. */
@Entity('task')
@Index('task_queue', ['cellId', 'state', 'runAfter'])
export class TaskRow extends CellRow {
  @IdColumn() kind!: TaskKind;

  @IdColumn({ nullable: true }) databaseId!: string | null;

  @IdColumn({ nullable: true }) projectId!: string | null;

  @Column('varchar', { length: 16, default: 'queued' })
  state!: TaskState;

  @Column('longtext')
  payload!: string;

  @Column('longtext', { nullable: true })
  result!: string | null;

  @Column('json', { nullable: true })
  error!: TaskError | null;

  @CountColumn({ default: 0 }) attempt!: number;

  @Column('varchar', { length: 64, nullable: true })
  leaseOwner!: string | null;

  @TimeColumn({ nullable: true }) leaseExpiresAt!: Date | null;

  @BigCountColumn({ default: 0 }) fencingToken!: number;

  @TimeColumn() createdAt!: Date;

  @TimeColumn() runAfter!: Date;

  @TimeColumn({ nullable: true }) finishedAt!: Date | null;
}
