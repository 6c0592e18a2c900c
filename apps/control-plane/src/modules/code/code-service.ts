import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { CodeAnswer, CodeQuery, DatabaseSettings, PythonCodeQuery } from '@rowhouse/contracts';
import { emitPythonSteps, emitTypeScriptSteps, type GeneratedFile } from '@rowhouse/emitters';
import { doStepsInTurns, type Snapshot } from '@rowhouse/schema-model';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { writeTar } from '../migrations/write-tar.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';

const EMPTY: Snapshot = { format: 1, engine: 'mariadb', tables: [] };

/**
 * Generates code for the current or an earlier schema of a database. For hundreds of tables it is megabytes,
 * so it yields to other requests.
 */
@Injectable()
export class CodeService {
  constructor(private readonly snapshots: SnapshotReader) {}

  async python(database: TenantDatabase, { pydantic, sqlalchemy, snapshot }: PythonCodeQuery): Promise<CodeAnswer> {
    const steps = emitPythonSteps(await this.#find(database, snapshot), { pydantic, sqlalchemy, ...readColumnSettings(database) });
    return toAnswer('python', database, snapshot, await doStepsInTurns(steps, nextTurn));
  }

  async typeScript(database: TenantDatabase, { snapshot }: CodeQuery): Promise<CodeAnswer> {
    const steps = emitTypeScriptSteps(await this.#find(database, snapshot), { ...readColumnSettings(database) });
    return toAnswer('typescript', database, snapshot, await doStepsInTurns(steps, nextTurn));
  }

  async #find(database: TenantDatabase, number: number | undefined): Promise<Snapshot> {
    if (number !== undefined && number !== database.snapshotNumber) return this.snapshots.numbered(database, number);
    return (await this.snapshots.deployed(database)) ?? EMPTY;
  }
}

/** Databases of older versions have no setting for number columns. */
function readColumnSettings({ settings }: TenantDatabase): { hiddenColumns: DatabaseSettings['hidden_columns']; numberColumns: DatabaseSettings['number_columns'] | undefined } {
  return { hiddenColumns: settings.hidden_columns, numberColumns: settings.number_columns };
}

/** Returns the files as an archive in pieces. */
export function packCode(code: CodeAnswer): Iterable<Buffer> {
  const at = new Date();
  return writeTar(code.files.map((file) => ({ name: file.path, text: file.text, at })));
}

function toAnswer(language: CodeAnswer['language'], database: TenantDatabase, number: number | undefined, files: readonly GeneratedFile[]): CodeAnswer {
  return { language, database: database.id, snapshot: number ?? database.snapshotNumber, files: files.map((file) => ({ ...file })) };
}
