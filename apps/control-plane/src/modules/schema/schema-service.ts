import { Injectable } from '@nestjs/common';
import type { PutSchemaRequest, WorkingSchemaResponse } from '@rowhouse/contracts';
import type { RenameHint } from '@rowhouse/ddl-plan';
import { maySetCounter } from '@rowhouse/query-engine';
import { quoteName, type Snapshot } from '@rowhouse/schema-model';
import { FILE_FRAME } from '@rowhouse/sql-files';
import { ReachFinder } from '../../access/reach-finder.js';
import type { RequestContext } from '../../access/request-context.js';
import { toIso } from '../../http/timestamps.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { SchemaPlanner } from '../deploys/schema-planner.js';
import { isSameSchema } from './compare-schemas.js';
import { renderSchema, describeTables } from './render-schema.js';
import { findUndoPath } from './undo-path.js';
import { WorkingSchemaStore, type NewRevision, type Revision } from './working-schema-store.js';

/** Reads and changes the working schema of a project by SQL text. The worker parses it with the engine. */
@Injectable()
export class SchemaService {
  constructor(
    private readonly db: PlatformDb,
    private readonly schemas: WorkingSchemaStore,
    private readonly planner: SchemaPlanner,
    private readonly reachFinder: ReachFinder,
    private readonly audit: AuditWriter,
  ) {}

  async find(projectId: string, projectName: string): Promise<WorkingSchemaResponse> {
    return this.describe(projectId, projectName, await this.schemas.newest(projectId));
  }

  /** Applies a text. A text that changes nothing creates no revision. */
  async put(context: RequestContext, body: PutSchemaRequest): Promise<WorkingSchemaResponse> {
    const { id: projectId, name } = context.project;
    const newest = await this.schemas.newestOn(projectId, body.base_revision);
    const mode = body.mode ?? 'replace';
    const renames = body.renames ?? [];
    const {
      draft,
      notes,
      passesNames = false,
    } = await this.planner.plan({ projectId, base: newest.snapshot, mode, sql: body.sql, targetIds: [] });
    const isChange = passesNames || renames.length > 0 || (mode === 'apply' && maySetCounter(body.sql));
    return this.describe(
      projectId,
      name,
      await this.#keep(context, newest, draft, { statements: body.sql, mode, renames, isChange }),
      notes,
    );
  }

  /**
   * Stores a draft that is composed of parts of other schemas. The engine first checks the draft and reports
   * conflicts.
   */
  async putSnapshot(
    context: RequestContext,
    newest: Revision,
    snapshot: Snapshot,
    statements: string,
  ): Promise<WorkingSchemaResponse> {
    const { id: projectId, name } = context.project;
    const { draft, notes } = await this.planner.plan({
      projectId,
      base: snapshot,
      mode: 'apply',
      sql: '',
      targetIds: [],
    });
    return this.describe(projectId, name, await this.#keep(context, newest, draft, { statements }), notes);
  }

  /** Makes an earlier revision the draft again. */
  async putBack(
    context: RequestContext,
    newest: Revision,
    earlier: Revision,
  ): Promise<WorkingSchemaResponse> {
    const { id: projectId, name } = context.project;
    const snapshot = earlier.snapshot ?? {
      format: 1,
      engine: newest.snapshot?.engine ?? 'mariadb',
      tables: [],
    };
    const restores = earlier.restores ?? earlier.revision;
    // The change counts even if both schemas look the same, because their names may refer to different
    // objects.
    const isChange = restores !== (newest.restores ?? newest.revision);
    return this.describe(
      projectId,
      name,
      await this.#keep(context, newest, snapshot, {
        statements: `-- Revision ${earlier.revision} again`,
        restores,
        isChange,
      }),
    );
  }

  /** Returns the response for a revision, including which changes can be undone. */
  async describe(
    projectId: string,
    projectName: string,
    { revision, snapshot, createdAt }: Revision,
    notes: readonly string[] = [],
  ): Promise<WorkingSchemaResponse> {
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

  /** Stores a revision. A change without effect creates no revision. */
  async #keep(
    context: RequestContext,
    newest: Revision,
    snapshot: Snapshot,
    { isChange = false, ...text }: RevisionText,
  ): Promise<Revision> {
    const { id: projectId } = context.project;
    if (!isChange && (await isSameSchema(snapshot, newest.snapshot))) return newest;
    await this.reachFinder.assertAccessUnchanged(context);
    const revision = await this.db.cellTransaction(async (manager) => {
      const added = await this.schemas.add(manager, {
        projectId,
        base: newest.revision,
        snapshot,
        createdBy: context.accountId,
        ...text,
      });
      await this.audit.record(manager, context, {
        action: 'schema.change',
        target: projectId,
        detail: { revision: added, ...(text.restores === undefined ? {} : { restores: text.restores }) },
      });
      return added;
    });
    return { revision, snapshot, createdAt: new Date(), restores: text.restores ?? null };
  }
}

interface RevisionText extends Pick<NewRevision, 'statements' | 'mode' | 'renames' | 'restores'> {
  /**
   * Whether the change counts although the schema looks the same, because a name refers to another object.
   */
  readonly isChange?: boolean;
}

/** Returns the renames that were declared in addition to a text, as statements to put before the text. */
export function renameText(renames: readonly RenameHint[]): string {
  return renames
    .map((hint) =>
      hint.kind === 'table'
        ? `RENAME TABLE ${quoteName(hint.from)} TO ${quoteName(hint.to)};\n`
        : `ALTER TABLE ${quoteName(hint.table)} RENAME COLUMN ${quoteName(hint.from)} TO ${quoteName(hint.to)};\n`,
    )
    .join('');
}
