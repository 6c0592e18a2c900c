import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A word of a project's own for a table or a column; `columnName` is '' for the table. */
@Entity('synonym')
@Index('synonym_meaning', ['projectId', 'phrase', 'tableName', 'columnName'], { unique: true })
export class Synonym {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  projectId!: string;

  @Column('varchar', { length: 80 })
  phrase!: string;

  @Column('varchar', { length: 64 })
  tableName!: string;

  @Column('varchar', { length: 64, default: '' })
  columnName!: string;

  @Column('varchar', { length: 40 })
  createdBy!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;
}
