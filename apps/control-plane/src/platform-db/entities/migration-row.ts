import type { MigrationOrigin, MigrationState, TaskError } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { BigCountColumn, CountColumn, IdColumn, TimeColumn, numberColumn } from '../columns.js';
import { LeasedRow } from './leased-row.js';

/** A row of the migration journal: one deploy to one database. */
@Entity('migration')
@Index('migration_queue', ['cellId', 'state', 'createdAt'])
@Index('migration_database', ['databaseId', 'createdAt'])
export class MigrationRow extends LeasedRow {
  @IdColumn() projectId!: string;

  @IdColumn() databaseId!: string;

  @IdColumn() serverId!: string;

  @CountColumn() revision!: number;

  @Column('varchar', { length: 24 })
  state!: MigrationState;

  @BigCountColumn() baseNumber!: number;

  @BigCountColumn({ nullable: true }) publishedNumber!: number | null;

  @Column('longtext')
  plan!: string;

  @Column('char', { length: 64 })
  planHash!: string;

  @Column('char', { length: 64 })
  targetHash!: string;

  @TimeColumn({ nullable: true }) heartbeatAt!: Date | null;

  @Column('decimal', { precision: 5, scale: 2, default: 0, transformer: numberColumn })
  progress!: number;

  @Column('json', { nullable: true })
  error!: TaskError | null;

  @Column('varchar', { length: 16, default: 'deploy' })
  origin!: MigrationOrigin;

  @IdColumn({ nullable: true }) revertsId!: string | null;

  @BigCountColumn({ nullable: true }) rowsDone!: number | null;

  @BigCountColumn({ nullable: true }) rowsTotal!: number | null;

  @Column('int', { unsigned: true, nullable: true })
  etaSeconds!: number | null;

  @TimeColumn({ nullable: true }) cancelRequestedAt!: Date | null;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) startedAt!: Date | null;

  @Column('datetime', { precision: 6, nullable: true })
  ddlDoneAt!: Date | null;

  @TimeColumn({ nullable: true }) finishedAt!: Date | null;

  /** When the failure of the migration was reported by email. */
  @TimeColumn({ nullable: true }) toldAt!: Date | null;
}
