import { Column, Entity, Index } from 'typeorm';
import { CountColumn, IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A dropped table or column that can still be restored. The worker writes it. */
@Entity('kept_object')
@Index('kept_object_name', ['databaseId', 'keptName', 'tableName'], { unique: true })
@Index('kept_object_expiry', ['cellId', 'outcome', 'expiresAt'])
export class SoftDeletedObjectRow extends CellRow {
  @IdColumn() databaseId!: string;

  @IdColumn() migrationId!: string;

  @CountColumn() step!: number;

  @Column('varchar', { length: 8 })
  kind!: 'table' | 'column';

  @Column('varchar', { length: 64 })
  tableName!: string;

  @Column('varchar', { length: 64, nullable: true })
  columnName!: string | null;

  @Column('varchar', { length: 64 })
  keptName!: string;

  @Column('mediumtext')
  definition!: string;

  @TimeColumn() keptAt!: Date;

  @TimeColumn() expiresAt!: Date;

  @Column('varchar', { length: 16, nullable: true })
  outcome!: 'restored' | 'purged' | null;

  @TimeColumn({ nullable: true }) endedAt!: Date | null;

  /**
   * The worker that is permanently deleting the object. The column applies while the worker's lease lasts.
   */
  @Column('varchar', { length: 64, nullable: true })
  purgeOwner!: string | null;

  @TimeColumn({ nullable: true }) purgeUntil!: Date | null;
}
