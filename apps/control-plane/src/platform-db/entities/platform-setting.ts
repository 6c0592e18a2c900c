import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../columns.js';

/** A property of this installation by name. */
@Entity('platform_setting')
export class PlatformSetting {
  @PrimaryColumn('varchar', { length: 64 })
  name!: string;

  @Column('varchar', { length: 1000 })
  value!: string;

  @TimeColumn() updatedAt!: Date;
}
