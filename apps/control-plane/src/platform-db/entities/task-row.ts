import type { TaskError, TaskKind, TaskState } from '@rowhouse/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { numberColumn } from '../column-transformers.js';

/** Work that only the worker can do. */
@Entity('task')
@Index('task_queue', ['cellId', 'state', 'runAfter'])
export class TaskRow {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  kind!: TaskKind;

  @Column('varchar', { length: 40, nullable: true })
  databaseId!: string | null;

  @Column('varchar', { length: 40, nullable: true })
  projectId!: string | null;

  @Column('varchar', { length: 16, default: 'queued' })
  state!: TaskState;

  @Column('longtext')
  payload!: string;

  @Column('longtext', { nullable: true })
  result!: string | null;

  @Column('json', { nullable: true })
  error!: TaskError | null;

  @Column('int', { unsigned: true, default: 0 })
  attempt!: number;

  @Column('varchar', { length: 64, nullable: true })
  leaseOwner!: string | null;

  @Column('datetime', { precision: 3, nullable: true })
  leaseExpiresAt!: Date | null;

  @Column('bigint', { unsigned: true, default: 0, transformer: numberColumn })
  fencingToken!: number;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;

  @Column('datetime', { precision: 3 })
  runAfter!: Date;

  @Column('datetime', { precision: 3, nullable: true })
  finishedAt!: Date | null;
}
