import { Injectable } from '@nestjs/common';
import type { CodeAnswer, PythonCodeQuery } from '@rowhouse/contracts';
import { emitPython, emitTypeScript, type GeneratedFile } from '@rowhouse/emitters';
import type { Snapshot } from '@rowhouse/schema-model';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';

const EMPTY: Snapshot = { format: 1, engine: 'mariadb', tables: [] };

/** Code made of the schema that a database runs. */
@Injectable()
export class CodeService {
  constructor(private readonly snapshots: SnapshotReader) {}

  async python(database: TenantDatabase, { pydantic, sqlalchemy }: PythonCodeQuery): Promise<CodeAnswer> {
    const snapshot = await this.#find(database);
    return toAnswer('python', database, emitPython(snapshot, { pydantic, sqlalchemy, hiddenColumns: database.settings.hidden_columns }));
  }

  async typeScript(database: TenantDatabase): Promise<CodeAnswer> {
    const snapshot = await this.#find(database);
    return toAnswer('typescript', database, emitTypeScript(snapshot, { hiddenColumns: database.settings.hidden_columns }));
  }

  async #find(database: TenantDatabase): Promise<Snapshot> {
    return (await this.snapshots.deployed(database)) ?? EMPTY;
  }
}

function toAnswer(language: CodeAnswer['language'], database: TenantDatabase, files: readonly GeneratedFile[]): CodeAnswer {
  return { language, database: database.id, snapshot: database.snapshotNumber, files: files.map((file) => ({ ...file })) };
}
