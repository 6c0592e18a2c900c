import { Column } from 'typeorm';
import { PrimaryIdColumn } from '../columns.js';

/** The common columns of a cell's rows: an id and the cell. */
export abstract class CellRow {
  @PrimaryIdColumn() id!: string;

  @Column('varchar', { length: 16 }) cellId!: string;
}
