import type { MigrationOrigin, MigrationState, TaskError } from '@rowhouse/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { numberColumn } from '../column-transformers.js';

/** The journal: one deploy to one database. */
@Entity('migration')
@Index('migration_queue', ['cellId', 'state', 'createdAt'])
@Index('migration_database', ['databaseId', 'createdAt'])
export class MigrationRow {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  projectId!: string;

  @Column('varchar', { length: 40 })
  databaseId!: string;

  @Column('varchar', { length: 40 })
  serverId!: string;

  @Column('int', { unsigned: true })
  revision!: number;

  @Column('varchar', { length: 24 })
  state!: MigrationState;

  @Column('bigint', { unsigned: true, transformer: numberColumn })
  baseNumber!: number;

  @Column('bigint', { unsigned: true, nullable: true, transformer: numberColumn })
  publishedNumber!: number | null;

  @Column('longtext')
  plan!: string;

  @Column('char', { length: 64 })
  planHash!: string;

  @Column('char', { length: 64 })
  targetHash!: string;

  @Column('int', { unsigned: true, default: 0 })
  attempt!: number;

  @Column('varchar', { length: 64, nullable: true })
  leaseOwner!: string | null;

  @Column('datetime', { precision: 3, nullable: true })
  leaseExpiresAt!: Date | null;

  @Column('bigint', { unsigned: true, default: 0, transformer: numberColumn })
  fencingToken!: number;

  @Column('datetime', { precision: 3, nullable: true })
  heartbeatAt!: Date | null;

  @Column('decimal', { precision: 5, scale: 2, default: 0, transformer: numberColumn })
  progress!: number;

  @Column('json', { nullable: true })
  error!: TaskError | null;

  @Column('varchar', { length: 16, default: 'deploy' })
  origin!: MigrationOrigin;

  @Column('varchar', { length: 40, nullable: true })
  revertsId!: string | null;

  @Column('bigint', { unsigned: true, nullable: true, transformer: numberColumn })
  rowsDone!: number | null;

  @Column('bigint', { unsigned: true, nullable: true, transformer: numberColumn })
  rowsTotal!: number | null;

  @Column('int', { unsigned: true, nullable: true })
  etaSeconds!: number | null;

  @Column('datetime', { precision: 3, nullable: true })
  cancelRequestedAt!: Date | null;

  @Column('varchar', { length: 40 })
  createdBy!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;

  @Column('datetime', { precision: 3, nullable: true })
  startedAt!: Date | null;

  @Column('datetime', { precision: 6, nullable: true })
  ddlDoneAt!: Date | null;

  @Column('datetime', { precision: 3, nullable: true })
  finishedAt!: Date | null;
}
