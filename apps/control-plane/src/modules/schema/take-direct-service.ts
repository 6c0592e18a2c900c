import { Injectable } from '@nestjs/common';
import type { TakenSchemaAnswer, TakeDirectRequest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { Routine, Snapshot, Table } from '@rowhouse/schema-model';
import type { CallContext } from '../../access/call-context.js';
import { findUnknownNames, refuseUnknownNames } from '../../http/refuse-unknown-names.js';
import { DeployService } from '../deploys/deploy-service.js';
import { describeObjects } from './compare-schemas.js';
import { DirectChanges, type DirectDifference } from './direct-changes.js';
import { SchemaService } from './schema-service.js';
import { WorkingSchemaStore } from './working-schema-store.js';

/** Adopts DDL changes of direct connections into the working schema on request. */
@Injectable()
export class TakeDirectService {
  constructor(
    private readonly deploys: DeployService,
    private readonly directs: DirectChanges,
    private readonly schemas: WorkingSchemaStore,
    private readonly service: SchemaService,
  ) {}

  /**
   * Adopts object by object, so other changes of the draft are kept. An object that both sides changed must
   * be named.
   */
  async take(call: CallContext, request: TakeDirectRequest): Promise<TakenSchemaAnswer> {
    const { id: projectId } = call.project;
    const [database] = await this.deploys.chooseTargets(projectId, [{ database: request.database }]);
    const newest = await this.schemas.newestOn(projectId, request.base_revision);
    const difference = database === undefined ? null : await this.directs.find(database);
    if (difference === null || difference.standing === null || difference.objects.length === 0) {
      throw new AppError('schema.not_possible', { detail: 'Nothing was changed over a direct connection since the last deploy.' });
    }
    assertSameEngine(newest.snapshot, difference.standing);
    const objects = request.objects === undefined ? difference.objects : assertKnown(request.objects, difference.objects);
    if (request.objects === undefined) await assertOneSided(objects, difference, newest.snapshot);
    const answer = await this.service.putSnapshot(call, newest, merge(newest.snapshot, difference.standing, objects), `-- Taken from ${database?.environment ?? ''}: ${objects.join(', ').replaceAll(/[\r\n]/g, ' ')}`);
    return { ...answer, taken: objects };
  }
}

/** Text of one engine cannot become part of a draft for the other. */
function assertSameEngine(draft: Snapshot | null, standing: Snapshot): void {
  if (draft === null || draft.tables.length === 0 || draft.engine === standing.engine) return;
  throw new AppError('schema.not_possible', { detail: `The draft is written for ${draft.engine}, and this database runs on ${standing.engine}.`, hint: 'Write the change into the draft as SQL.' });
}

function assertKnown(wanted: readonly string[], known: readonly string[]): string[] {
  refuseUnknownNames(findUnknownNames(wanted, known, (name, at) => ({ loc: ['body', 'objects', at], msg: `No direct connection changed ${name}.`, type: 'unknown_object' })));
  return [...new Set(wanted)];
}

async function assertOneSided(objects: readonly string[], { deployed, standing }: DirectDifference, draft: Snapshot | null): Promise<void> {
  const [before, now, wanted] = [await describeObjects(deployed), await describeObjects(standing), await describeObjects(draft)];
  const both = objects.filter((name) => wanted.get(name) !== before.get(name) && wanted.get(name) !== now.get(name));
  if (both.length === 0) return;
  throw new AppError('schema.needs_confirmation', {
    detail: `${both.join(', ')} changed in the working schema and over a direct connection.`,
    hint: 'Name in objects what to take: it stands in the draft then as it stands in the database.',
    extra: { objects: both },
  });
}

/** Returns the draft with the current state of the named objects. */
function merge(draft: Snapshot | null, standing: Snapshot, names: readonly string[]): Snapshot {
  const taken = new Set(names);
  const pick = <T>(kept: readonly T[], come: readonly T[], nameOf: (entry: T) => string): T[] =>
    [...kept.filter((entry) => !taken.has(nameOf(entry))), ...come.filter((entry) => taken.has(nameOf(entry)))].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const tableName = (table: Table): string => table.name;
  const routineName = (routine: Routine): string => `${routine.kind} ${routine.name}`;
  const routines = pick(draft?.routines ?? [], standing.routines ?? [], routineName);
  return { ...(draft ?? standing), tables: pick(draft?.tables ?? [], standing.tables, tableName), ...(routines.length === 0 ? {} : { routines }) };
}
