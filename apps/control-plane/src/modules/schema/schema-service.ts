import { Injectable } from '@nestjs/common';
import type { PutSchemaRequest, WorkingSchemaAnswer } from '@rowhouse/contracts';
import type { RenameHint } from '@rowhouse/ddl-plan';
import { maySetCounter } from '@rowhouse/query-engine';
import { quoteName, type Snapshot } from '@rowhouse/schema-model';
import { FILE_FRAME } from '@rowhouse/sql-files';
import type { CallContext } from '../../access/call-context.js';
import { toIso } from '../../http/to-iso.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { SchemaPlanner } from '../deploys/schema-planner.js';
import { describeTables } from './describe-tables.js';
import { isSameSchema } from './is-same-schema.js';
import { renderSchema } from './render-schema.js';
import { findUndoPath } from './undo-path.js';
import { WorkingSchemaStore, type NewRevision, type Revision } from './working-schema-store.js';

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
    return this.describe(projectId, projectName, await this.schemas.newest(projectId));
  }

  /** Text that changes nothing makes no revision. */
  async put(call: CallContext, body: PutSchemaRequest): Promise<WorkingSchemaAnswer> {
    const { id: projectId, name } = call.project;
    const newest = await this.schemas.newestOn(projectId, body.base_revision);
    const mode = body.mode ?? 'replace';
    const renames = body.renames ?? [];
    const { draft, notes, passesNames = false } = await this.planner.plan({ projectId, base: newest.snapshot, mode, sql: body.sql, targetIds: [] });
    const isChange = passesNames || renames.length > 0 || (mode === 'apply' && maySetCounter(body.sql));
    return this.describe(projectId, name, await this.#keep(call, newest, draft, { statements: body.sql, mode, renames, isChange }), notes);
  }

  /** A draft made of parts of others: the engine loads it, or says what does not fit together. */
  async putSnapshot(call: CallContext, newest: Revision, snapshot: Snapshot, statements: string): Promise<WorkingSchemaAnswer> {
    const { id: projectId, name } = call.project;
    const { draft, notes } = await this.planner.plan({ projectId, base: snapshot, mode: 'apply', sql: '', targetIds: [] });
    return this.describe(projectId, name, await this.#keep(call, newest, draft, { statements }), notes);
  }

  /** An earlier schema, which the engine took once, becomes the draft again. */
  async putBack(call: CallContext, newest: Revision, earlier: Revision): Promise<WorkingSchemaAnswer> {
    const { id: projectId, name } = call.project;
    const snapshot = earlier.snapshot ?? { format: 1, engine: newest.snapshot?.engine ?? 'mariadb', tables: [] };
    const restores = earlier.restores ?? earlier.revision;
    // The schemas may read the same and still have other objects under their names.
    const isChange = restores !== (newest.restores ?? newest.revision);
    return this.describe(projectId, name, await this.#keep(call, newest, snapshot, { statements: `-- Revision ${earlier.revision} again`, restores, isChange }));
  }

  /** As callers see it, with what can be taken back from there. */
  async describe(projectId: string, projectName: string, { revision, snapshot, createdAt }: Revision, notes: readonly string[] = []): Promise<WorkingSchemaAnswer> {
    const { undo, redo } = findUndoPath(await this.schemas.listLinks(projectId, revision));
    return {
      revision,
      sql: await renderSchema(snapshot),
      file_frame: FILE_FRAME,
      notes: [...notes],
      tables: await describeTables(snapshot, revision, projectName),
      updated_at: toIso(createdAt),
      undo_revision: undo,
      redo_revision: redo,
    };
  }

  /** What changes nothing makes no revision. */
  async #keep(call: CallContext, newest: Revision, snapshot: Snapshot, { isChange = false, ...text }: RevisionText): Promise<Revision> {
    const { id: projectId } = call.project;
    if (!isChange && (await isSameSchema(snapshot, newest.snapshot))) return newest;
    const revision = await this.db.cellTransaction((manager) => this.schemas.add(manager, { projectId, base: newest.revision, snapshot, createdBy: call.accountId, ...text }));
    await this.audit.write(call, { action: 'schema.change', target: projectId, detail: { revision, ...(text.restores === undefined ? {} : { restores: text.restores }) } });
    return { revision, snapshot, createdAt: new Date(), restores: text.restores ?? null };
  }
}

interface RevisionText extends Pick<NewRevision, 'statements' | 'mode' | 'renames' | 'restores'> {
  /** Whether this is a change even if the schema reads the same: a name stands for another object. */
  readonly isChange?: boolean;
}

/** The renames that an author declared beside a text, as statements in front of it. */
export function renameText(renames: readonly RenameHint[]): string {
  return renames.map((hint) => (hint.kind === 'table' ? `RENAME TABLE ${quoteName(hint.from)} TO ${quoteName(hint.to)};\n` : `ALTER TABLE ${quoteName(hint.table)} RENAME COLUMN ${quoteName(hint.from)} TO ${quoteName(hint.to)};\n`)).join('');
}
