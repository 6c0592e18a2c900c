import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A project's synonym for a table or column. `columnName` is empty for a table. */
@Entity('synonym')
@Index('synonym_meaning', ['projectId', 'phrase', 'tableName', 'columnName'], { unique: true })
export class Synonym extends CellRow {
  @IdColumn() projectId!: string;

  @Column('varchar', { length: 80 })
  phrase!: string;

  @Column('varchar', { length: 64 })
  tableName!: string;

  @Column('varchar', { length: 64, default: '' })
  columnName!: string;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;
}
