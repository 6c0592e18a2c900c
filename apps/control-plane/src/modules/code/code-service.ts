import { setImmediate as nextSlice } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { CodeResponse, CodeQuery, DatabaseSettings, PythonCodeQuery } from '@rowhouse/contracts';
import { emitPythonSteps, emitTypeScriptSteps, type GeneratedFile } from '@rowhouse/emitters';
import { runStepsInSlices, type Snapshot } from '@rowhouse/schema-model';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { writeTar } from '../migrations/write-tar.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';

const EMPTY: Snapshot = { format: 1, engine: 'mariadb', tables: [] };

/**
 * Generates code for the current or an earlier schema of a database. For hundreds of tables the code has
 * megabytes, so the generation yields to other requests.
 */
@Injectable()
export class CodeService {
  constructor(private readonly snapshots: SnapshotReader) {}

  async python(
    database: TenantDatabase,
    { pydantic, sqlalchemy, snapshot }: PythonCodeQuery,
  ): Promise<CodeResponse> {
    const steps = emitPythonSteps(await this.#find(database, snapshot), {
      pydantic,
      sqlalchemy,
      ...readColumnSettings(database),
    });
    return toResponse('python', database, snapshot, await runStepsInSlices(steps, nextSlice));
  }

  async typeScript(database: TenantDatabase, { snapshot }: CodeQuery): Promise<CodeResponse> {
    const steps = emitTypeScriptSteps(await this.#find(database, snapshot), {
      ...readColumnSettings(database),
    });
    return toResponse('typescript', database, snapshot, await runStepsInSlices(steps, nextSlice));
  }

  async #find(database: TenantDatabase, number: number | undefined): Promise<Snapshot> {
    if (number !== undefined && number !== database.snapshotNumber)
      return this.snapshots.numbered(database, number);
    return (await this.snapshots.deployed(database)) ?? EMPTY;
  }
}

/** Databases of older versions have no setting for number columns, so it has a default here. */
function readColumnSettings({ settings }: TenantDatabase): {
  hiddenColumns: DatabaseSettings['hidden_columns'];
  numberColumns: DatabaseSettings['number_columns'] | undefined;
} {
  return { hiddenColumns: settings.hidden_columns, numberColumns: settings.number_columns };
}

/** Returns the files as an archive, in chunks. */
export function packCode(code: CodeResponse): Iterable<Buffer> {
  const date = new Date();
  return writeTar(code.files.map((file) => ({ name: file.path, text: file.text, at: date })));
}

function toResponse(
  language: CodeResponse['language'],
  database: TenantDatabase,
  number: number | undefined,
  files: readonly GeneratedFile[],
): CodeResponse {
  return {
    language,
    database: database.id,
    snapshot: number ?? database.snapshotNumber,
    files: files.map((file) => ({ ...file })),
  };
}
