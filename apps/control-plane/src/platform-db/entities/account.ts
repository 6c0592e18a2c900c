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

  @TimeColumn() createdAt!: Date;
}
