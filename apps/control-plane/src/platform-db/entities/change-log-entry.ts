import type { ChangeKind } from '@rowhouse/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BigCountColumn, IdColumn, TimeColumn, numberColumn } from '../columns.js';

/** An entry of a cell's ordered change log. */
@Entity('change_log')
@Index('change_log_time', ['cellId', 'createdAt'])
export class ChangeLogEntry {
  @PrimaryColumn('varchar', { length: 16 })
  cellId!: string;

  @PrimaryColumn('bigint', { unsigned: true, transformer: numberColumn })
  seq!: number;

  @IdColumn() databaseId!: string;

  @Column('varchar', { length: 16 })
  kind!: ChangeKind;

  @BigCountColumn() version!: number;

  @TimeColumn() createdAt!: Date;
}
