import type { TaskError, TaskKind, TaskState } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../columns.js';
import { LeasedRow } from './leased-row.js';

/** Work that only the worker can do. */
@Entity('task')
@Index('task_queue', ['cellId', 'state', 'runAfter'])
export class TaskRow extends LeasedRow {
  @IdColumn() kind!: TaskKind;

  @IdColumn({ nullable: true }) databaseId!: string | null;

  @IdColumn({ nullable: true }) projectId!: string | null;

  /**
   * The account that created the project. Each account has a quota of the workers' slots, over all its
   * projects.
   */
  @IdColumn({ nullable: true }) accountId!: string | null;

  @Column('varchar', { length: 16, default: 'queued' })
  state!: TaskState;

  @Column('longtext')
  payload!: string;

  @Column('longtext', { nullable: true })
  result!: string | null;

  @Column('json', { nullable: true })
  error!: TaskError | null;

  @TimeColumn() createdAt!: Date;

  @TimeColumn() runAfter!: Date;

  @TimeColumn({ nullable: true }) finishedAt!: Date | null;
}
