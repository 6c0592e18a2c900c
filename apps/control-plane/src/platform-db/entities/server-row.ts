import type { EngineCapabilities, EngineKind } from '@rowhouse/schema-model';
import { Column, Entity, Index } from 'typeorm';
import type { ServerNode } from '@rowhouse/contracts';
import { BigCountColumn, CountColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A server with the MySQL protocol that hosts databases. Its credentials are encrypted for the worker. */
@Entity('server')
@Index('server_name', ['cellId', 'name'], { unique: true })
export class ServerRow extends CellRow {
  @Column('varchar', { length: 100 })
  name!: string;

  @Column('varchar', { length: 255 })
  host!: string;

  @CountColumn() port!: number;

  /** The port that workers can use when the regular port has no free connection. */
  @CountColumn({ nullable: true }) adminPort!: number | null;

  /** The other nodes of a cluster. Null for a single server. */
  @Column('json', { nullable: true })
  nodes!: ServerNode[] | null;

  @Column('varchar', { length: 255 })
  publicHost!: string;

  @CountColumn() publicPort!: number;

  @Column('varchar', { length: 16, default: 'off' })
  tls!: 'off' | 'required';

  /** Whether direct connections to the server use TLS. */
  @Column('varchar', { length: 16, default: 'off' })
  publicTls!: 'off' | 'required';

  /**
   * The certificate authority for direct connections as PEM. Null if clients trust the server's certificate
   * by default.
   */
  @Column('text', { nullable: true })
  publicCa!: string | null;

  @Column('varchar', { length: 16, default: 'mariadb' })
  engine!: EngineKind;

  @Column('varchar', { length: 64, default: '' })
  engineVersion!: string;

  @Column('json', { nullable: true })
  capabilities!: EngineCapabilities | null;

  @Column('varchar', { length: 16, default: 'active' })
  state!: 'active' | 'draining';

  /** The organization that the server is dedicated to. Null for a shared server. */
  @Column('varchar', { length: 40, nullable: true })
  organizationId!: string | null;

  @Column('int', { unsigned: true, default: 5000 })
  databasesMax!: number;

  @Column('int', { unsigned: true, default: 400 })
  connectionsMax!: number;

  /**
   * The maximum number of sessions of direct connections. Null means all sessions of `max_connections` that
   * gateways and the platform do not need.
   */
  @CountColumn({ nullable: true }) directConnectionsMax!: number | null;

  /** The maximum disk space of all databases on the server, in bytes. */
  @BigCountColumn({ nullable: true }) storageBytesMax!: number | null;

  @Column('varbinary', { length: 1024 })
  provisionerSealed!: Buffer;

  @Column('varbinary', { length: 1024 })
  observerSealed!: Buffer;

  @TimeColumn() createdAt!: Date;
}
