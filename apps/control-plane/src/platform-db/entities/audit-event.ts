import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One control action: who, what, from where. */
@Entity('audit_event')
@Index('audit_event_organization', ['organizationId', 'id'])
@Index('audit_event_project', ['projectId', 'id'])
export class AuditEvent {
  @PrimaryGeneratedColumn('increment', { type: 'bigint', unsigned: true })
  id!: string;

  @Column('datetime', { precision: 3 })
  at!: Date;

  @Column('varchar', { length: 40, nullable: true })
  organizationId!: string | null;

  @Column('varchar', { length: 40, nullable: true })
  projectId!: string | null;

  @Column('varchar', { length: 40, nullable: true })
  accountId!: string | null;

  @Column('varchar', { length: 64 })
  action!: string;

  @Column('varchar', { length: 100, default: '' })
  target!: string;

  @Column('json', { nullable: true })
  detail!: Record<string, unknown> | null;

  @Column('varchar', { length: 64, default: '' })
  address!: string;

  @Column('varchar', { length: 64, default: '' })
  requestId!: string;
}
