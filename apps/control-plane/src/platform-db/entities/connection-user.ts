import type { ConnectionRole } from '@rowhouse/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A direct account on the server; its password is never stored. */
@Entity('connection_user')
@Index('connection_user_name', ['userName'], { unique: true })
@Index('connection_user_database', ['databaseId', 'createdAt'])
@Index('connection_user_previous', ['cellId', 'previousUntil'])
export class ConnectionUser {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  databaseId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('varchar', { length: 16 })
  role!: ConnectionRole;

  @Column('varchar', { length: 32 })
  userName!: string;

  @Column('varchar', { length: 40 })
  createdBy!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;

  @Column('datetime', { precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column('datetime', { precision: 3, nullable: true })
  revokedAt!: Date | null;

  /** Until then the password before the last rotation holds too. */
  @Column('datetime', { precision: 3, nullable: true })
  previousUntil!: Date | null;
}
