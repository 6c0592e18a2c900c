import { Column } from 'typeorm';
import { PrimaryIdColumn } from '../columns.js';

/** What every row of a cell has: an id, and the cell that keeps it. */
export abstract class CellRow {
  @PrimaryIdColumn() id!: string;

  @Column('varchar', { length: 16 }) cellId!: string;
}
