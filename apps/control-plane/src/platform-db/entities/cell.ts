import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../columns.js';

/** A cell with its gateways, workers, Redis and servers. */
@Entity('cell')
export class Cell {
  @PrimaryColumn('varchar', { length: 16 })
  id!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @TimeColumn() createdAt!: Date;
}
