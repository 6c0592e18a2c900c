import { Column, Entity, Index } from 'typeorm';
import { PrimaryIdColumn, TimeColumn } from '../columns.js';

/** Who signs in. */
@Entity('account')
@Index('account_email', ['email'], { unique: true })
export class Account {
  @PrimaryIdColumn() id!: string;

  @Column('varchar', { length: 254 })
  email!: string;

  @Column('varchar', { length: 100, default: '' })
  name!: string;

  @Column('varchar', { length: 255 })
  passwordHash!: string;

  @Column('boolean', { default: false })
  isOperator!: boolean;

  @TimeColumn({ nullable: true }) disabledAt!: Date | null;

  /** When the owner of the address showed to be the owner of the account. */
  @TimeColumn({ nullable: true }) emailVerifiedAt!: Date | null;

  /** Mail about what failed in projects of theirs. */
  @Column('boolean', { default: true })
  wantsNotices!: boolean;

  @TimeColumn() createdAt!: Date;
}
