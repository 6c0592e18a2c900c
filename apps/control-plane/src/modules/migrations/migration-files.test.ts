import type { MigrationResponse } from '@rowhouse/contracts';
import { CHANGE_FRAME } from '@rowhouse/sql-files';
import { describe, expect, it } from 'vitest';
import { isExported, toExported, toMigrationFiles } from './migration-files.js';
import { writeTar } from './write-tar.js';

const migration = (
  id: string,
  published: number | null,
  more: Partial<MigrationResponse> = {},
): MigrationResponse =>
  ({
    id: `mig_${id}`,
    environment: 'development',
    state: 'published',
    origin: 'deploy',
    reverts: null,
    revision: 1,
    by: { kind: 'account', id: 'acc_1', name: 'Ada\nLovelace' },
    base_snapshot: (published ?? 1) - 1,
    published_snapshot: published,
    created_at: '2026-01-02T03:04:05.000Z',
    finished_at: '2026-01-02T03:04:06.000Z',
    plan: { steps: [{ sql: `ALTER TABLE ${id} ADD x int` }] } as unknown as MigrationResponse['plan'],
    ...more,
  }) as MigrationResponse;

describe('toMigrationFiles', () => {
  it('each published migration has a numbered SQL file', () => {
    const all = [
      migration('c', 4, { origin: 'direct', by: null }),
      migration('b', null, { state: 'failed' }),
      migration('a', 2, { state: 'reverted' }),
    ];
    const files = toMigrationFiles(all.filter(isExported).map(toExported));
    expect(files.map((file) => file.name)).toEqual(['0001_deploy_a.sql', '0002_direct_c.sql']);
    expect(files[0]?.text).toBe(
      `${CHANGE_FRAME.head}-- mig_a of development: deploy\n-- 2026-01-02T03:04:05.000Z, account Ada Lovelace; snapshot 1 to 2, revision 1\n\nALTER TABLE a ADD x int;\n\n${CHANGE_FRAME.tail}`,
    );
  });
  it('a migration file ends each body of several statements with its own delimiter', () => {
    const plan = {
      steps: [{ sql: 'CREATE TRIGGER `t` BEFORE INSERT ON `a` FOR EACH ROW BEGIN SET NEW.x = 1; END' }],
    } as unknown as MigrationResponse['plan'];
    expect(toMigrationFiles([toExported(migration('a', 2, { plan }))])[0]?.text).toContain(
      'DELIMITER ;;\nCREATE TRIGGER',
    );
  });
});

describe('the text of a migration', () => {
  const textOf = (sql: string): string =>
    toMigrationFiles([
      toExported(migration('a', 2, { plan: { steps: [{ sql }] } as unknown as MigrationResponse['plan'] })),
    ])[0]?.text.slice(CHANGE_FRAME.head.length) ?? '';

  it('a migration file contains a replaced trigger as statements without comments', () => {
    const create =
      'CREATE TRIGGER `t` BEFORE INSERT ON `a` FOR EACH ROW BEGIN SET NEW.x = 1; --\x01 ;; \\! id\n END';
    const text = textOf(`DROP TRIGGER \`t\`;\n${create};\n`);
    expect(text).toContain('\nDROP TRIGGER `t`;\n\nDELIMITER ;;\nCREATE TRIGGER `t` BEFORE INSERT');
    expect(text).not.toMatch(/\x01|\\|id/);
  });
  it('a migration file names the parts that it omits', () => {
    expect(textOf('CREATE PROCEDURE `p`() DELETE FROM mysql.user')).toContain(
      '-- Omitted: Names must not contain a database: mysql.\n',
    );
  });
});

describe('writeTar', () => {
  it('writeTar writes an archive that tar can read', () => {
    const archive = Buffer.concat([
      ...writeTar([
        { name: 'a.sql', text: 'SELECT 1;\n', at: new Date(1_000_000) },
        { name: 'empty.sql', text: '', at: new Date(0) },
      ]),
    ]);
    expect(archive.length % 512).toBe(0);
    expect(archive.toString('latin1', 0, 5)).toBe('a.sql');
    expect(archive.toString('latin1', 124, 135)).toBe('00000000012');
    const sum = [...archive.subarray(0, 512)].reduce(
      (total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte),
      0,
    );
    expect(Number.parseInt(archive.toString('latin1', 148, 154), 8)).toBe(sum);
    expect(archive.toString('utf8', 512, 522)).toBe('SELECT 1;\n');
    expect(archive.toString('latin1', 1024, 1033)).toBe('empty.sql');
  });
  it('writeTar yields an archive in parts of some hundred kibibytes', () => {
    const chunks = [
      ...writeTar(
        Array.from({ length: 40 }, (_, index) => ({
          name: `${index}.sql`,
          text: 'x'.repeat(64 * 1024),
          at: new Date(0),
        })),
      ),
    ];
    expect(chunks).toHaveLength(11);
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(512 * 1024);
  });
  it.each(['日本.py', 'ä', 'x'.repeat(101), `${'日'.repeat(30)}.py`, `${'é'.repeat(43)}.py`])(
    'writeTar adds an extended header for the name %s',
    (name) => {
      const archive = Buffer.concat([...writeTar([{ name, text: 'text', at: new Date(0) }])]);
      expect(archive.toString('latin1', 156, 157)).toBe('x');
      const size = Number.parseInt(archive.toString('latin1', 124, 135), 8);
      const record = archive.subarray(512, 512 + size).toString('utf8');
      expect(record).toBe(`${size} path=${name}\n`);
      const next = 512 + Math.ceil(size / 512) * 512;
      expect([
        archive.toString('latin1', next + 156, next + 157),
        archive.toString('utf8', next + 512, next + 516),
      ]).toEqual(['0', 'text']);
    },
  );
});
