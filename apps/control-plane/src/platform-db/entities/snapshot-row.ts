import { Column, Entity, PrimaryColumn } from 'typeorm';
import { numberColumn } from '../column-transformers.js';

/** A numbered deployed schema of a database. */
@Entity('snapshot')
export class SnapshotRow {
  @PrimaryColumn('varchar', { length: 40 })
  databaseId!: string;

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

  @Column('varchar', { length: 40, nullable: true })
  migrationId!: string | null;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;
}
