import { Injectable } from '@nestjs/common';
import type { PutSchemaRequest, WorkingSchemaAnswer } from '@rowhouse/contracts';
import { renderSchemaSql } from '@rowhouse/ddl-plan';
import type { Snapshot } from '@rowhouse/schema-model';
import type { CallContext } from '../../access/call-context.js';
import { toIso } from '../../http/to-iso.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { SchemaPlanner } from '../deploys/schema-planner.js';
import { describeTables } from './describe-tables.js';
import { staleRevision, WorkingSchemaStore, type Revision } from './working-schema-store.js';

/** The working schema of a project, read and changed by SQL text. The worker's engine is the parser. */
@Injectable()
export class SchemaService {
  constructor(
    private readonly db: PlatformDb,
    private readonly schemas: WorkingSchemaStore,
    private readonly planner: SchemaPlanner,
    private readonly audit: AuditWriter,
  ) {}

  async find(projectId: string, projectName: string): Promise<WorkingSchemaAnswer> {
    return toAnswer(await this.schemas.newest(projectId), projectName, []);
  }

  /** Text that changes nothing makes no revision. */
  async put(call: CallContext, body: PutSchemaRequest): Promise<WorkingSchemaAnswer> {
    const { id: projectId, name } = call.project;
    const newest = await this.schemas.newest(projectId);
    if (body.base_revision !== undefined && body.base_revision !== newest.revision) throw staleRevision(newest.revision);
    const { draft, notes } = await this.planner.plan({ projectId, base: newest.snapshot, mode: body.mode ?? 'replace', sql: body.sql, targetIds: [] });
    if (JSON.stringify(draft) === JSON.stringify(newest.snapshot)) return toAnswer(newest, name, notes);
    const revision = await this.db.cellTransaction((manager) =>
      this.schemas.add(manager, { projectId, base: newest.revision, snapshot: draft, statements: `${renameText(body.renames ?? [])}${body.sql}`, createdBy: call.accountId }),
    );
    await this.audit.write(call, { action: 'schema.change', target: projectId, detail: { revision } });
    return toAnswer({ revision, snapshot: draft, createdAt: new Date() }, name, notes);
  }

  /** A draft made of parts of others: the engine loads it, or says what does not fit together. */
  async putSnapshot(call: CallContext, newest: Revision, snapshot: Snapshot, statements: string): Promise<WorkingSchemaAnswer> {
    const { id: projectId, name } = call.project;
    const { draft, notes } = await this.planner.plan({ projectId, base: snapshot, mode: 'apply', sql: '', targetIds: [] });
    if (JSON.stringify(draft) === JSON.stringify(newest.snapshot)) return toAnswer(newest, name, notes);
    const revision = await this.db.cellTransaction((manager) => this.schemas.add(manager, { projectId, base: newest.revision, snapshot: draft, statements, createdBy: call.accountId }));
    await this.audit.write(call, { action: 'schema.change', target: projectId, detail: { revision } });
    return toAnswer({ revision, snapshot: draft, createdAt: new Date() }, name, notes);
  }
}

/** Renames that the text does not show stand in front of it, where plans look for renames in words. */
function renameText(renames: NonNullable<PutSchemaRequest['renames']>): string {
  const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
  return renames.map((hint) => (hint.kind === 'table' ? `RENAME TABLE ${quote(hint.from)} TO ${quote(hint.to)};\n` : `ALTER TABLE ${quote(hint.table)} RENAME COLUMN ${quote(hint.from)} TO ${quote(hint.to)};\n`)).join('');
}

function toAnswer(revision: Revision, projectName: string, notes: readonly string[]): WorkingSchemaAnswer {
  return {
    revision: revision.revision,
    sql: revision.snapshot === null ? '' : renderSchemaSql(revision.snapshot),
    notes: [...notes],
    tables: describeTables(revision.snapshot, revision.revision, projectName),
    updated_at: toIso(revision.createdAt),
  };
}
