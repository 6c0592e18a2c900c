import { gunzipSync, gzipSync } from 'node:zlib';
import type { TransferManifest } from '@rowhouse/contracts';
import type { Snapshot, Table } from '@rowhouse/schema-model';
import { FILE_FRAME } from '@rowhouse/sql-files';
import { expect, it } from 'vitest';
import { assertWritable, writeDump } from './write-dump.js';

const table = (name: string, createSql: string, triggers: Table['triggers'] = []): Table =>
  ({ name, kind: 'table', createSql, foreignKeys: [], triggers }) as unknown as Table;
const EVIL =
  'CREATE TRIGGER `evil` BEFORE INSERT ON `t` FOR EACH ROW SET @a=1 --\x01 ;; \\! id > /tmp/x\n, @b=2';
const snapshotOf = (...tables: Table[]): Snapshot => ({ format: 1, engine: 'mariadb', tables });
const MANIFEST = {
  tables: [{ name: 't', rows: 1, digest: null, nextNumber: '7' }],
  notes: ['left\nout \\! id'],
  problems: [],
  problemsTotal: 0,
} as TransferManifest;

async function write(snapshot: Snapshot): Promise<string> {
  const parts = [];
  for await (const part of writeDump({
    title: 'shop\r\n\\! id',
    readSnapshot: () => Promise.resolve(snapshot),
    manifest: MANIFEST,
    chunks: 1,
    readChunk: () => Promise.resolve(gzipSync('INSERT INTO `t` (`a`) VALUES\n(1);\n')),
  }))
    parts.push(part);
  return gunzipSync(Buffer.concat(parts)).toString();
}

it('a dump contains the schema, the rows, AUTO_INCREMENT values and triggers without comments', async () => {
  const text = await write(
    snapshotOf(
      table('t', 'CREATE TABLE `t` (\n  `a` int\n)', [
        { name: 'evil', timing: 'BEFORE', event: 'INSERT', createSql: EVIL },
      ]),
    ),
  );
  expect(text).toBe(
    [
      FILE_FRAME.head,
      '-- shop  /! id\n-- left out /! id\n\nCREATE TABLE `t` (\n  `a` int\n);\n\n',
      'INSERT INTO `t` (`a`) VALUES\n(1);\n',
      'ALTER TABLE `t` AUTO_INCREMENT = 7;\n',
      `CREATE TRIGGER \`evil\` BEFORE INSERT ON \`t\` FOR EACH ROW SET @a=1 ${' '.repeat(21)}\n, @b=2;\n`,
      FILE_FRAME.tail,
    ].join(''),
  );
});

it('a dump is rejected if it could not be loaded again because a table name contains CR LF', async () => {
  await expect(
    assertWritable(snapshotOf(table('a\r\nb', 'CREATE TABLE `a\r\nb` (\n  `a` int\n)'))),
  ).rejects.toThrow(
    expect.objectContaining({ code: 'transfer.not_possible', detail: expect.stringContaining('CR LF') }),
  );
});
