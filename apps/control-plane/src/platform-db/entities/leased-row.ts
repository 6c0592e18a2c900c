import { Column } from 'typeorm';
import { BigCountColumn, CountColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A row that one worker at a time works on: the lease says which, the fencing token keeps one out whose lease ran out. */
export abstract class LeasedRow extends CellRow {
  @CountColumn({ default: 0 }) attempt!: number;

  @Column('varchar', { length: 64, nullable: true })
  leaseOwner!: string | null;

  @TimeColumn({ nullable: true }) leaseExpiresAt!: Date | null;

  @BigCountColumn({ default: 0 }) fencingToken!: number;
}
