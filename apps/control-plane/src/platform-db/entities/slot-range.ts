import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which cell the routing slots of keys belong to. */
@Entity('slot_range')
export class SlotRange {
  @PrimaryColumn('int', { unsigned: true })
  firstSlot!: number;

  @Column('int', { unsigned: true })
  lastSlot!: number;

  @Column('varchar', { length: 16 })
  cellId!: string;
}
