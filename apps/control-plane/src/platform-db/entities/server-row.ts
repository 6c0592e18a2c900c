import type { EngineCapabilities, EngineKind } from '@rowhouse/schema-model';
import { Column, Entity, Index } from 'typeorm';
import type { ServerNode } from '@rowhouse/contracts';
import { BigCountColumn, CountColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A MySQL-protocol endpoint that hosts databases. Its credentials are sealed to the worker. */
@Entity('server')
@Index('server_name', ['cellId', 'name'], { unique: true })
export class ServerRow extends CellRow {
  @Column('varchar', { length: 100 })
  name!: string;

  @Column('varchar', { length: 255 })
  host!: string;

  @CountColumn() port!: number;

  /** Where workers log in even when the port is full of other sessions. */
  @CountColumn({ nullable: true }) adminPort!: number | null;

  /** The other nodes of a cluster; null: it is none. */
  @Column('json', { nullable: true })
  nodes!: ServerNode[] | null;

  @Column('varchar', { length: 255 })
  publicHost!: string;

  @CountColumn() publicPort!: number;

  @Column('varchar', { length: 16, default: 'off' })
  tls!: 'off' | 'required';

  /** How direct connections reach it. */
  @Column('varchar', { length: 16, default: 'off' })
  publicTls!: 'off' | 'required';

  /** The authority they check its certificate by, PEM; null: one that systems know. */
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

  /** The only organization whose databases go here; null for a shared server. */
  @Column('varchar', { length: 40, nullable: true })
  organizationId!: string | null;

  @Column('int', { unsigned: true, default: 5000 })
  databasesMax!: number;

  @Column('int', { unsigned: true, default: 400 })
  connectionsMax!: number;

  /** The sessions that direct connections may hold; null: what gateways and the platform leave of `max_connections`. */
  @CountColumn({ nullable: true }) directConnectionsMax!: number | null;

  /** What its databases may take on its disk together. */
  @BigCountColumn({ nullable: true }) storageBytesMax!: number | null;

  @Column('varbinary', { length: 1024 })
  provisionerSealed!: Buffer;

  @Column('varbinary', { length: 1024 })
  observerSealed!: Buffer;

  @TimeColumn() createdAt!: Date;
}
