import type { MoveState, TaskError } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { BigCountColumn, CountColumn, IdColumn, TimeColumn } from '../columns.js';
import { LeasedRow } from './leased-row.js';

/** A move of a database to another server. Workers own its lease and checkpoint. */
@Entity('database_move')
@Index('database_move_queue', ['cellId', 'state', 'createdAt'])
@Index('database_move_database', ['databaseId', 'createdAt'])
export class DatabaseMove extends LeasedRow {
  @IdColumn() databaseId!: string;

  @IdColumn() fromServerId!: string;

  @IdColumn() toServerId!: string;

  @Column('varchar', { length: 16, default: 'queued' })
  state!: MoveState;

  /** The worker's checkpoint of the move. */
  @Column('longtext', { nullable: true, select: false })
  checkpoint?: string | null;

  @BigCountColumn({ default: 0 }) rowsDone!: number;

  @BigCountColumn({ default: 0 }) rowsTotal!: number;

  /** The number of attempted placement switches. */
  @CountColumn({ default: 0 }) switches!: number;

  /** How long writes were paused during the placement switch, in milliseconds. */
  @Column('int', { unsigned: true, nullable: true })
  pauseMs!: number | null;

  @Column('json', { nullable: true })
  error!: TaskError | null;

  @TimeColumn({ nullable: true }) cancelRequestedAt!: Date | null;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) startedAt!: Date | null;

  @TimeColumn({ nullable: true }) switchedAt!: Date | null;

  @TimeColumn({ nullable: true }) finishedAt!: Date | null;
}
