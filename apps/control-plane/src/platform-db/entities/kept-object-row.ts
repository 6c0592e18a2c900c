import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A dropped table or column that can still be taken back. The worker writes it. */
@Entity('kept_object')
@Index('kept_object_name', ['databaseId', 'keptName', 'tableName'], { unique: true })
@Index('kept_object_expiry', ['cellId', 'outcome', 'expiresAt'])
export class KeptObjectRow {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  databaseId!: string;

  @Column('varchar', { length: 40 })
  migrationId!: string;

  @Column('int', { unsigned: true })
  step!: number;

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

  @Column('datetime', { precision: 3 })
  keptAt!: Date;

  @Column('datetime', { precision: 3 })
  expiresAt!: Date;

  @Column('varchar', { length: 16, nullable: true })
  outcome!: 'restored' | 'purged' | null;

  @Column('datetime', { precision: 3, nullable: true })
  endedAt!: Date | null;
}
