import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A word of a project's own for a table or a column; `columnName` is '' for the table. */
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
