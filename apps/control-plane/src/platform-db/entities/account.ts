import { Column, Entity, Index } from 'typeorm';
import { PrimaryIdColumn, TimeColumn } from '../columns.js';

/** A user's account. */
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

  /** When the user confirmed the email address. */
  @TimeColumn({ nullable: true }) emailVerifiedAt!: Date | null;

  /** When two-factor authentication was turned on, or null while it is off. */
  @TimeColumn({ nullable: true }) twoFactorAt!: Date | null;

  /** Whether the user wants emails about failures in their projects. */
  @Column('boolean', { default: true })
  wantsNotices!: boolean;

  @TimeColumn() createdAt!: Date;
}
