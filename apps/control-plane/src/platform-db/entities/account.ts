import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Who signs in. */
@Entity('account')
@Index('account_email', ['email'], { unique: true })
export class Account {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 254 })
  email!: string;

  @Column('varchar', { length: 100, default: '' })
  name!: string;

  @Column('varchar', { length: 255 })
  passwordHash!: string;

  @Column('boolean', { default: false })
  isOperator!: boolean;

  @Column('datetime', { precision: 3, nullable: true })
  disabledAt!: Date | null;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;
}
