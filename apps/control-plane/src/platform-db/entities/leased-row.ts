import { Column } from 'typeorm';
import { BigCountColumn, CountColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/**
 * A row that one worker at a time processes. The lease names the worker. The fencing token rejects writes of
 * a worker whose lease has expired.
 */
export abstract class LeasedRow extends CellRow {
  @CountColumn({ default: 0 }) attempt!: number;

  @Column('varchar', { length: 64, nullable: true })
  leaseOwner!: string | null;

  @TimeColumn({ nullable: true }) leaseExpiresAt!: Date | null;

  @BigCountColumn({ default: 0 }) fencingToken!: number;
}
