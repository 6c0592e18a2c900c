import type { ConnectionRole } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { CountColumn, IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** The account of a direct connection on the server. Its password is never stored. */
@Entity('connection_user')
@Index('connection_user_name', ['userName'], { unique: true })
@Index('connection_user_database', ['databaseId', 'createdAt'])
@Index('connection_user_previous', ['cellId', 'previousUntil'])
export class ConnectionUser extends CellRow {
  @IdColumn() databaseId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('varchar', { length: 16 })
  role!: ConnectionRole;

  @Column('varchar', { length: 32 })
  userName!: string;

  /** Whether the account requires TLS. */
  @Column('boolean', { default: false })
  requiresTls!: boolean;

  @IdColumn() createdBy!: string;

  /**
   * The accounts of users who know an earlier password. They may have an open session, or may have set a
   * password in one. A rotation without an overlap ends all sessions and clears the list. Null if the list is
   * empty.
   */
  @Column('json', { nullable: true })
  knownBy!: string[] | null;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) expiresAt!: Date | null;

  @TimeColumn({ nullable: true }) revokedAt!: Date | null;

  /** The time until which the password before the last rotation stays valid. */
  @TimeColumn({ nullable: true }) previousUntil!: Date | null;

  /**
   * The session limit of the account on its server. Null for the default. 0 locks the account until
   * `limitedUntil`.
   */
  @CountColumn({ nullable: true }) sessionsMax!: number | null;

  @TimeColumn({ nullable: true }) limitedUntil!: Date | null;
}
