import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdColumn, PrimaryIdColumn, TimeColumn, numberColumn } from '../columns.js';

/** A numbered deployed schema of a database. */
@Entity('snapshot')
export class SnapshotRow {
  @PrimaryIdColumn() databaseId!: string;

  @PrimaryColumn('bigint', { unsigned: true, transformer: numberColumn })
  number!: number;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('char', { length: 64 })
  contentHash!: string;

  @Column('varchar', { length: 16, default: 'published' })
  state!: string;

  @Column('varchar', { length: 16 })
  origin!: string;

  @IdColumn({ nullable: true }) migrationId!: string | null;

  @TimeColumn() createdAt!: Date;
}
