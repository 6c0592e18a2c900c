import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CountColumn } from '../columns.js';

/** Which cell the routing slots of keys belong to. */
@Entity('slot_range')
export class SlotRange {
  @PrimaryColumn('int', { unsigned: true })
  firstSlot!: number;

  @CountColumn() lastSlot!: number;

  @Column('varchar', { length: 16 })
  cellId!: string;
}
