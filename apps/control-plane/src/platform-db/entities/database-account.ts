import type { TableRights } from '@rowhouse/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { PrimaryIdColumn, TimeColumn } from '../columns.js';

/** An account of the platform on the tenant's server. */
@Entity('database_account')
@Index('database_account_user', ['userName'], { unique: true })
export class DatabaseAccount {
  @PrimaryIdColumn() databaseId!: string;

  @PrimaryColumn('varchar', { length: 16 })
  kind!: string;

  @PrimaryColumn('char', { length: 64, default: '' })
  rightsHash!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 32 })
  userName!: string;

  @Column('varbinary', { length: 512 })
  secretSealed!: Buffer;

  @Column('json', { nullable: true })
  rights!: TableRights | null;

  @TimeColumn() createdAt!: Date;
}
