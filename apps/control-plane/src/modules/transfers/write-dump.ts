import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { TransferManifest } from '@rowhouse/contracts';
import { renderSchemaSql } from '@rowhouse/ddl-plan';
import { quoteName, type Snapshot } from '@rowhouse/schema-model';

const compress = promisify(gzip);

export interface DumpParts {
  readonly title: string;
  /** Asked for twice: a client may take its rows for hours, and a schema has megabytes. */
  readonly readSnapshot: () => Promise<Snapshot>;
  readonly manifest: TransferManifest;
  readonly chunks: number;
  readonly readChunk: (ordinal: number) => Promise<Buffer | null>;
}

/** A file as one gzip of SQL text that command-line clients of both engines read: schema, rows, triggers. */
export async function* writeDump(parts: DumpParts): AsyncGenerator<Buffer> {
  yield compress(Buffer.from(makeHead(parts.title, await parts.readSnapshot())));
  for (let ordinal = 0; ordinal < parts.chunks; ordinal += 1) {
    const body = await parts.readChunk(ordinal);
    // Half a dump must not look like a whole one: the download breaks off.
    if (body === null) throw new Error(`piece ${ordinal} of a file is gone`);
    yield body;
  }
  yield compress(Buffer.from(makeTail(parts.manifest, await parts.readSnapshot())));
}

function makeHead(title: string, snapshot: Snapshot): string {
  const tables = snapshot.tables.map(({ triggers: _triggers, ...table }) => table);
  return [
    `-- ${title.replaceAll(/[^\x20-\x7e]/g, ' ')}`,
    'SET NAMES utf8mb4;',
    "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', time_zone = '+00:00', foreign_key_checks = 0;",
    renderSchemaSql({ ...snapshot, tables }),
    '',
  ].join('\n');
}

function makeTail(manifest: TransferManifest, snapshot: Snapshot): string {
  const numbers = manifest.tables.flatMap((table) => (table.nextNumber === null ? [] : [`ALTER TABLE ${quoteName(table.name)} AUTO_INCREMENT = ${table.nextNumber};\n`]));
  const triggers = snapshot.tables.flatMap((table) => (table.triggers ?? []).map((trigger) => `DELIMITER ;;\n${trigger.createSql} ;;\nDELIMITER ;\n`));
  return [...numbers, ...triggers, 'SET SESSION foreign_key_checks = 1;\n'].join('');
}
