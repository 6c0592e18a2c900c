import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A named question or statement of a database. */
@Entity('saved_query')
@Index('saved_query_name', ['databaseId', 'name'], { unique: true })
export class SavedQuery extends CellRow {
  @IdColumn() databaseId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('varchar', { length: 8 })
  kind!: 'sql' | 'question';

  @Column('mediumtext')
  query!: string;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;

  @TimeColumn() updatedAt!: Date;
}
