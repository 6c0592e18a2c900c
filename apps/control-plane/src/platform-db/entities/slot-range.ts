import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CountColumn } from '../columns.js';

/** The cell of a range of routing slots. */
@Entity('slot_range')
export class SlotRange {
  @PrimaryColumn('int', { unsigned: true })
  firstSlot!: number;

  @CountColumn() lastSlot!: number;

  @Column('varchar', { length: 16 })
  cellId!: string;
}
