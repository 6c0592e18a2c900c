import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Facts about this installation, by name. */
@Entity('platform_setting')
export class PlatformSetting {
  @PrimaryColumn('varchar', { length: 64 })
  name!: string;

  @Column('varchar', { length: 1000 })
  value!: string;

  @Column('datetime', { precision: 3 })
  updatedAt!: Date;
}
