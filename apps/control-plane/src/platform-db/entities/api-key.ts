import type { Rate, Scope, TableRights } from '@rowhouse/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An API key of a database; the key itself is stored as HMAC only. */
@Entity('api_key')
@Index('api_key_hash', ['keyHash'], { unique: true })
@Index('api_key_database', ['databaseId', 'createdAt'])
@Index('api_key_session', ['sessionId'])
@Index('api_key_creator', ['createdBy', 'kind'])
export class ApiKey {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  databaseId!: string;

  @Column('varchar', { length: 40 })
  lineageId!: string;

  @Column('varchar', { length: 16, default: 'api' })
  kind!: 'api' | 'session';

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('binary', { length: 32 })
  keyHash!: Buffer;

  @Column('char', { length: 4 })
  last4!: string;

  @Column('json')
  scopes!: Scope[];

  @Column('json', { nullable: true })
  tables!: TableRights | null;

  @Column('char', { length: 64, default: '' })
  rightsHash!: string;

  @Column('json', { nullable: true })
  origins!: string[] | null;

  @Column('json', { nullable: true })
  rate!: Rate | null;

  /** The key that took this one's place. */
  @Column('varchar', { length: 40, nullable: true })
  replacedBy!: string | null;

  /** Of a key of the console: the session that it ends with. */
  @Column('varchar', { length: 40, nullable: true })
  sessionId!: string | null;

  @Column('varchar', { length: 40 })
  createdBy!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;

  @Column('datetime', { precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column('datetime', { precision: 3, nullable: true })
  revokedAt!: Date | null;

  @Column('datetime', { precision: 3, nullable: true })
  lastUsedAt!: Date | null;
}
