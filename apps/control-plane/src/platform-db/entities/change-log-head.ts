import { Entity, PrimaryColumn } from 'typeorm';
import { BigCountColumn } from '../columns.js';

/** The last sequence number of a cell's change log. */
@Entity('change_log_head')
export class ChangeLogHead {
  @PrimaryColumn('varchar', { length: 16 })
  cellId!: string;

  @BigCountColumn() lastSeq!: number;
}
