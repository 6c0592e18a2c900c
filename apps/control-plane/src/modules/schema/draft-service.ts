import { setImmediate as nextSlice } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type {
  EditedSchemaResponse,
  ProposalResponse,
  SchemaEditsRequest,
  SchemaPreviewResponse,
  SchemaPreviewRequest,
  SchemaStarterRequest,
  TableStructureResponse,
  WorkingSchemaResponse,
} from '@rowhouse/contracts';
import {
  diffSnapshotsSteps,
  editsToSql,
  lineageOfHints,
  readRequest,
  REQUEST_FORMS,
  type EditFault,
  type RenameHint,
  type SchemaEdit,
} from '@rowhouse/ddl-plan';
import { AppError, nearestNames, toAppError, validationError } from '@rowhouse/errors';
import type { Logger } from '@rowhouse/runtime';
import { runStepsInSlices, type Snapshot } from '@rowhouse/schema-model';
import type { RequestContext } from '../../access/request-context.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { LOGGER } from '../../platform/tokens.js';
import { DeployService } from '../deploys/deploy-service.js';
import { SchemaPlanner } from '../deploys/schema-planner.js';
import { LanguageModelService } from '../language-models/language-model-service.js';
import { askModeller, makeInstructions, readStatements } from './ask-modeller.js';
import { readStarter } from '../../starters/read-starter.js';
import { describeStructure } from './describe-structure.js';
import { renderSchema, describeTables } from './render-schema.js';
import { SchemaService } from './schema-service.js';
import { WorkingSchemaStore, type Revision } from './working-schema-store.js';

const EMPTY: Snapshot = { format: 1, engine: 'mariadb', tables: [] };

interface Written {
  readonly source: ProposalResponse['source'];
  readonly sql: string;
  /** The renames that the text requests. They count as neither drops nor additions. */
  readonly renames: readonly RenameHint[];
}

/** Changes the working schema by edits and by requests in plain language. */
@Injectable()
export class DraftService {
  constructor(
    private readonly schemas: WorkingSchemaStore,
    private readonly service: SchemaService,
    private readonly planner: SchemaPlanner,
    private readonly deploys: DeployService,
    private readonly audit: AuditWriter,
    private readonly models: LanguageModelService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Converts edits to SQL and applies the SQL. With `preview`, nothing is changed. */
  async edit(context: RequestContext, request: SchemaEditsRequest): Promise<EditedSchemaResponse> {
    const newest = await this.schemas.newestOn(context.project.id, request.base_revision);
    const sql = writeEdits(newest, request.edits as readonly SchemaEdit[]);
    if (request.preview === true)
      return { ...(await this.service.find(context.project.id, context.project.name)), statements: sql };
    const answer = await this.service.put(context, {
      sql: joinStatements(sql),
      mode: 'apply',
      base_revision: newest.revision,
    });
    return { ...answer, statements: sql };
  }

  /** Returns what a deploy of the change to a database would do. Nothing is changed. */
  async preview(context: RequestContext, request: SchemaPreviewRequest): Promise<SchemaPreviewResponse> {
    const { id: projectId, name } = context.project;
    const newest = await this.schemas.newest(projectId);
    const statements =
      request.edits === undefined ? [] : writeEdits(newest, request.edits as readonly SchemaEdit[]);
    const sql = request.sql ?? joinStatements(statements);
    const targets = await this.deploys.chooseTargets(projectId, [
      { database: request.database ?? 'development' },
    ]);
    const { draft, plans, notes } = await this.planner.plan({
      projectId,
      base: newest.snapshot,
      mode: request.mode ?? 'apply',
      sql,
      targetIds: targets.map((target) => target.id),
    });
    return {
      revision: newest.revision,
      statements: request.edits === undefined ? [sql] : statements,
      notes: [...notes],
      tables: await describeTables(draft, newest.revision, name),
      plans: [...plans],
    };
  }

  /** Returns a table of the newest revision with everything that edits can change. */
  async describeTable(projectId: string, name: string): Promise<TableStructureResponse> {
    const { revision, snapshot } = await this.schemas.newest(projectId);
    const table = snapshot?.tables.find((entry) => entry.name === name);
    if (snapshot !== null && table !== undefined) return describeStructure(snapshot, table, revision);
    const similarNames = nearestNames(
      name,
      (snapshot?.tables ?? []).map((entry) => entry.name),
    );
    throw new AppError('resource.not_found', {
      detail: 'The draft does not have this table.',
      ...(similarNames.length === 0 ? {} : { hint: `Did you mean ${similarNames.join(' or ')}?` }),
    });
  }

  /** Applies a starter like any other text. The server reports tables that already exist. */
  async applyStarter(
    context: RequestContext,
    { starter, mode = 'apply', base_revision: baseRevision }: SchemaStarterRequest,
  ): Promise<WorkingSchemaResponse> {
    const sql = (await readStarter(starter)) ?? '';
    return this.service.put(context, {
      sql,
      mode,
      ...(baseRevision === undefined ? {} : { base_revision: baseRevision }),
    });
  }

  /**
   * Creates a proposal. The proposal is tested on a scratch database, compared with the draft, and not
   * stored.
   */
  async propose(context: RequestContext, request: string): Promise<ProposalResponse> {
    const { id: projectId } = context.project;
    const newest = await this.schemas.newest(projectId);
    const written = await this.#write(projectId, newest, request);
    const { draft, notes } = await this.planner
      .plan({ projectId, base: newest.snapshot, mode: 'apply', sql: written.sql, targetIds: [] })
      .catch((error: unknown) => {
        throw written.source === 'model' ? asBadOutput(error, written.sql) : error;
      });
    const before = newest.snapshot ?? { ...EMPTY, engine: draft.engine };
    const diff = await runStepsInSlices(
      diffSnapshotsSteps(before, draft, lineageOfHints(before, draft, written.renames)),
      () => nextSlice(),
    );
    await this.audit.write(context, {
      action: 'schema.propose',
      target: projectId,
      detail: { source: written.source },
    });
    return {
      revision: newest.revision,
      source: written.source,
      sql: written.sql,
      statements: diff.steps.map((step) => step.sql),
      loss: [...diff.loss],
      impact: diff.impact,
      notes: [...notes],
    };
  }

  /**
   * Uses the language model if one is configured. Known sentence forms also work without a model, and while
   * it is unreachable.
   */
  async #write(projectId: string, newest: Revision, request: string): Promise<Written> {
    const model = await this.models.clientOf(projectId);
    if (model === null) return writeByRules(newest, request);
    try {
      const instructions = makeInstructions(
        newest.snapshot?.engine ?? 'mariadb',
        await renderSchema(newest.snapshot),
      );
      const read = readStatements(await askModeller(model, instructions, request));
      if ('unable' in read)
        throw notUnderstood(`The language model could not write this change: ${read.unable}`);
      return { source: 'model', sql: read.sql, renames: [] };
    } catch (error) {
      const fault = toAppError(error);
      if (fault.code !== 'llm.unavailable') throw fault;
      this.logger.warn({ err: fault }, 'the language model could not be reached');
      return writeByRules(newest, request);
    }
  }
}

/** Throws 422 with a fault for each impossible edit. */
function writeEdits(newest: Revision, edits: readonly SchemaEdit[]): string[] {
  const { sql, faults } = editsToSql(newest.snapshot ?? EMPTY, edits);
  if (faults.length > 0) throw validationError('body.invalid', faults.map(toFieldFault));
  return sql;
}

function writeByRules({ snapshot }: Revision, request: string): Written {
  const schema = snapshot ?? EMPTY;
  const { edits, rest } = readRequest(schema, request);
  if (rest.length > 0 || edits.length === 0) {
    throw notUnderstood(`Not understood: ${(rest.length === 0 ? [request] : rest).join('; ')}`);
  }
  const { sql, faults } = editsToSql(schema, edits);
  if (faults.length > 0) throw notUnderstood(faults.map((fault) => fault.message).join(' '));
  return { source: 'rules', sql: joinStatements(sql), renames: edits.flatMap(toRename) };
}

function toRename(edit: SchemaEdit): RenameHint[] {
  if (edit.kind === 'rename_table') return [{ kind: 'table', from: edit.table, to: edit.to }];
  return edit.kind === 'rename_column'
    ? [{ kind: 'column', table: edit.table, from: edit.column, to: edit.to }]
    : [];
}

function notUnderstood(msg: string): AppError {
  return new AppError('schema.not_understood', {
    hint: `Send SQL, or a sentence like one of these: ${REQUEST_FORMS.slice(0, 5)
      .map((form) => `"${form}"`)
      .join(', ')}.`,
    extra: { forms: REQUEST_FORMS },
    faults: [{ loc: ['body', 'request'], msg, type: 'not_understood' }],
  });
}

/**
 * Joins statements with semicolons, because statements of edits contain no bodies with several statements.
 */
function joinStatements(sql: readonly string[]): string {
  return sql.map((statement) => `${statement};\n`).join('');
}

function asBadOutput(error: unknown, sql: string): unknown {
  const fault = toAppError(error);
  if (fault.status !== 422 && fault.status !== 409) return fault;
  return new AppError('llm.bad_output', {
    detail: `The SQL of the language model was rejected: ${fault.detail}`,
    extra: { sql },
    cause: error,
  });
}

function toFieldFault(fault: EditFault): { loc: (string | number)[]; msg: string; type: string } {
  const similarNames = nearestNames(fault.given, fault.known);
  const hint = similarNames.length === 0 ? '' : ` Did you mean ${similarNames.join(' or ')}?`;
  return {
    loc: ['body', 'edits', fault.edit, fault.member],
    msg: `${fault.message}${hint}`,
    type: 'invalid_edit',
  };
}
