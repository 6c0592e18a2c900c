import { Injectable } from '@nestjs/common';
import type { TakenSchemaResponse, TakeDirectRequest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { Routine, Snapshot, Table } from '@rowhouse/schema-model';
import type { RequestContext } from '../../access/request-context.js';
import { findUnknownNames, rejectUnknownNames } from '../../http/reject-unknown-names.js';
import { DeployService } from '../deploys/deploy-service.js';
import { describeObjects } from './compare-schemas.js';
import { DirectChanges, type DirectDifference } from './direct-changes.js';
import { SchemaService } from './schema-service.js';
import { WorkingSchemaStore } from './working-schema-store.js';

/** Adopts DDL changes of direct connections into the working schema, on request. */
@Injectable()
export class TakeDirectService {
  constructor(
    private readonly deploys: DeployService,
    private readonly directs: DirectChanges,
    private readonly schemas: WorkingSchemaStore,
    private readonly service: SchemaService,
  ) {}

  /**
   * Adopts changes object by object, so that other changes of the draft remain. An object that both sides
   * changed must be named in the request.
   */
  async take(context: RequestContext, request: TakeDirectRequest): Promise<TakenSchemaResponse> {
    const { id: projectId } = context.project;
    const [database] = await this.deploys.chooseTargets(projectId, [{ database: request.database }]);
    const newest = await this.schemas.newestOn(projectId, request.base_revision);
    const difference = database === undefined ? null : await this.directs.find(database);
    if (difference === null || difference.existing === null || difference.objects.length === 0) {
      throw new AppError('schema.not_possible', {
        detail: 'Nothing has changed over direct connections since the last deploy.',
      });
    }
    assertSameEngine(newest.snapshot, difference.existing);
    const objects =
      request.objects === undefined ? difference.objects : assertKnown(request.objects, difference.objects);
    if (request.objects === undefined) await assertOneSided(objects, difference, newest.snapshot);
    const answer = await this.service.putSnapshot(
      context,
      newest,
      merge(newest.snapshot, difference.existing, objects),
      `-- Taken from ${database?.environment ?? ''}: ${objects.join(', ').replaceAll(/[\r\n]/g, ' ')}`,
    );
    return { ...answer, taken: objects };
  }
}

/** Throws when the engines differ. The SQL of one engine cannot become part of a draft for the other. */
function assertSameEngine(draft: Snapshot | null, existing: Snapshot): void {
  if (draft === null || draft.tables.length === 0 || draft.engine === existing.engine) return;
  throw new AppError('schema.not_possible', {
    detail: `The draft is for ${draft.engine}, but this database runs on ${existing.engine}.`,
    hint: 'Make the change in the draft with SQL.',
  });
}

function assertKnown(requested: readonly string[], known: readonly string[]): string[] {
  rejectUnknownNames(
    findUnknownNames(requested, known, (name, index) => ({
      loc: ['body', 'objects', index],
      msg: `No direct connection changed ${name}.`,
      type: 'unknown_object',
    })),
  );
  return [...new Set(requested)];
}

async function assertOneSided(
  objects: readonly string[],
  { deployed, existing }: DirectDifference,
  draft: Snapshot | null,
): Promise<void> {
  const [before, now, requested] = [
    await describeObjects(deployed),
    await describeObjects(existing),
    await describeObjects(draft),
  ];
  const both = objects.filter(
    (name) => requested.get(name) !== before.get(name) && requested.get(name) !== now.get(name),
  );
  if (both.length === 0) return;
  throw new AppError('schema.needs_confirmation', {
    detail: `${both.join(', ')} changed in the working schema and over a direct connection.`,
    hint: 'List these objects in `objects`. The draft then gets their definitions from the database.',
    extra: { objects: both },
  });
}

/** Returns the draft with the current state of the named objects. */
function merge(draft: Snapshot | null, existing: Snapshot, names: readonly string[]): Snapshot {
  const taken = new Set(names);
  const pick = <T>(retained: readonly T[], come: readonly T[], nameOf: (entry: T) => string): T[] =>
    [
      ...retained.filter((entry) => !taken.has(nameOf(entry))),
      ...come.filter((entry) => taken.has(nameOf(entry))),
    ].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const tableName = (table: Table): string => table.name;
  const routineName = (routine: Routine): string => `${routine.kind} ${routine.name}`;
  const routines = pick(draft?.routines ?? [], existing.routines ?? [], routineName);
  return {
    ...(draft ?? existing),
    tables: pick(draft?.tables ?? [], existing.tables, tableName),
    ...(routines.length === 0 ? {} : { routines }),
  };
}
