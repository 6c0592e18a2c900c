import { Column, Entity, PrimaryColumn } from 'typeorm';
import { numberColumn } from '../column-transformers.js';

/** The last sequence number of a cell's change log. */
@Entity('change_log_head')
export class ChangeLogHead {
  @PrimaryColumn('varchar', { length: 16 })
  cellId!: string;

  @Column('bigint', { unsigned: true, transformer: numberColumn })
  lastSeq!: number;
}
