import { ERROR_CODES, listMysqlErrors, toErrorBody, toProblemBody } from '@rowhouse/errors';
import { compileSnapshot, nameSnapshot, type EngineKind, type Rights } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable, uniqueIndex } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { ALL, SNAPSHOT } from '../../test/blog.js';
import { mapDatabaseError } from './map-database-error.js';

type FaultPlan = Parameters<typeof mapDatabaseError>[1];
interface MapOptions {
  readonly call?: string;
  readonly rights?: Rights;
  readonly sqlState?: string;
  readonly engine?: EngineKind;
}

const check = (name: string): { name: string; clause: string; definition: string } => ({
  name,
  clause: '',
  definition: '',
});
/** The table's names contain characters that appear in error messages as separators. */
const odd = rawTable(
  "od`d.t'x",
  [rawColumn('id', 'int'), rawColumn("a'b`c", 'int'), rawColumn("a'b", 'int'), rawColumn('place', 'point')],
  {
    indexes: [
      uniqueIndex("u' for key 'x", ["a'b`c"]),
      { ...uniqueIndex('low', ['id']), columns: [{ name: null, prefixLength: null, descending: false }] },
    ],
    foreignKeys: [foreignKey("od`d.t'x", "a'b", "od`d.t'x")],
    checks: [check('c`h.k'), check("a'b")],
  },
);

function planOf({
  call: endpoint = 'update users',
  rights = ALL,
  engine = 'mariadb',
}: MapOptions): FaultPlan {
  const [kind = '', ...name] = endpoint.split(' ');
  const snapshot = nameSnapshot({ engine, tables: [...SNAPSHOT.tables, odd] }, null);
  const table = compileSnapshot(snapshot, 1, rights).findByName(name.join(' '));
  if (table === null) throw new Error('no table');
  return { kind: kind as FaultPlan['kind'], table };
}

function map(
  errno: number,
  message: string,
  options: MapOptions = {},
): Record<string, unknown> & { text: string } {
  const error = mapDatabaseError({ errno, sqlState: options.sqlState ?? 'HY000', message }, planOf(options));
  return {
    status: error.status,
    text: JSON.stringify(toErrorBody(error, 'r')),
    problem: toProblemBody(error, 'r'),
    ...error.extra,
  };
}

describe('every error number in the table', () => {
  it.each(
    (['mariadb', 'mysql'] as const).flatMap((engine) =>
      listMysqlErrors(engine).map(({ errno, code, kind }) => [engine, errno, code, kind] as const),
    ),
  )('mapDatabaseError maps the error of %s %i to %s', (engine, errno, code, kind) => {
    for (const endpoint of [
      'create users',
      'update_many users',
      'list users',
      'read users',
      'upsert users',
    ]) {
      const error = mapDatabaseError(
        { errno, sqlState: 'HY000', message: `canary 'x' for column 'email' at row 1` },
        planOf({ call: endpoint, engine }),
      );
      const isMoved = ['value', 'not_null', 'row', 'partition', 'expression', 'charset'].includes(kind);
      if (!isMoved) expect(error.code, endpoint).toBe(code);
      expect(error.status, endpoint).toBe(ERROR_CODES[isMoved ? error.code : code].status);
      expect(error.status).not.toBe(500);
      expect(JSON.stringify([toErrorBody(error, 'r'), toProblemBody(error, 'r')])).not.toContain('canary');
      expect(error.internal).toContain('canary');
      if ([503].includes(error.status)) expect(error.retryAfterSeconds ?? (kind === 'stale' ? 1 : 0)).toBe(1);
    }
  });

  it('mapDatabaseError maps an unknown error number to 500 without details', () => {
    for (const errno of [1, 1064, 1210, 5000])
      expect(map(errno, 'You have an error in your SQL near secret')).toMatchObject({
        status: 500,
        text: expect.not.stringContaining('secret') as unknown,
      });
  });
});

describe('database errors', () => {
  it('a duplicate key error contains its constraint and columns on both engines', () => {
    for (const key of ['email', 'users.email']) {
      expect(map(1062, `Duplicate entry 'a for key 'x'' for key '${key}'`)).toMatchObject({
        status: 409,
        constraint: 'email',
        columns: ['email'],
      });
    }
    expect(map(1062, "Duplicate entry 'secret' for key 'email'").text).not.toContain('secret');
    expect(
      map(1062, "Duplicate entry '1' for key 'od`d.t'x.low'", { call: "create od`d.t'x" }),
    ).toMatchObject({ constraint: 'low', columns: [] });
    expect(map(1062, "Duplicate entry '1' for key 'tags.name'")).toMatchObject({
      constraint: 'name',
      columns: ['name'],
      table: 'tags',
    });
  });

  it('an error response names no hidden column and no unknown key', () => {
    const rights = { ...ALL, hiddenColumns: { users: ['email'] } };
    expect(map(1062, "Duplicate entry 'x' for key 'email'", { rights }).text).not.toContain('email');
    expect(map(1062, "Duplicate entry 'x' for key 'nope'")).toMatchObject({ status: 409 });
    expect(map(1406, "Data too long for column 'email' at row 1", { rights }).text).not.toContain('email');
    expect(
      map(1062, "Duplicate entry '1' for key 'tags.name'", {
        rights: { ...ALL, tables: { users: ['write'] } },
      }).text,
    ).not.toContain('name');
  });

  const used =
    'Cannot delete or update a parent row: a foreign key constraint fails (`db`.`comments`, CONSTRAINT `fk_comments_post_id_posts` FOREIGN KEY (`post_id`) REFERENCES `posts` (`id`))';

  it('a foreign key error names only visible tables', () => {
    expect(map(1451, used, { call: 'delete posts' })).toMatchObject({
      status: 409,
      table: 'comments',
      columns: ['post_id'],
      constraint: 'fk_comments_post_id_posts',
    });
    expect(map(1451, used, { call: 'delete posts' }).text).toContain(
      'Records of comments still reference this one',
    );
    expect(
      map(1452, used.replace('Cannot delete or update a parent row', 'Cannot add or update a child row'), {
        call: 'update comments',
      }).text,
    ).toContain('No record of posts matches post_id');
    expect(
      map(1451, used, { call: 'delete posts', rights: { ...ALL, tables: { posts: ['read', 'delete'] } } })
        .text,
    ).not.toContain('comments');
    expect(map(1217, 'Cannot delete or update a parent row', { call: 'delete posts' })).toMatchObject({
      status: 409,
    });
  });

  it('unusual names in server messages are recognized on both engines', () => {
    const call = "update od`d.t'x";
    for (const [table, key] of [
      ["od``d.t'x", "fk_od``d.t'x_a'b_od``d.t'x"],
      ["od`d.t'x", "fk_od`d.t'x_a'b_od`d.t'x"],
    ] as const) {
      expect(
        map(
          1452,
          `Cannot add or update a child row: a foreign key constraint fails (\`db\`.\`${table}\`, CONSTRAINT \`${key}\` FOREIGN KEY (\`a'b\`) REFERENCES \`${table}\` (\`id\`))`,
          { call },
        ),
      ).toMatchObject({ columns: ["a'b"] });
    }
    expect(map(1062, "Duplicate entry '1' for key 'od`d.t'x.u' for key 'x'", { call })).toMatchObject({
      status: 409,
    });
    for (const message of [
      "CONSTRAINT `c``h.k` failed for `db`.`od``d.t'x`",
      "CONSTRAINT `od``d.t'x.c``h.k` failed for `db`.`od``d.t'x`",
    ])
      expect(map(4025, message, { call })).toMatchObject({ status: 422, constraint: 'c`h.k' });
    expect(map(3819, "Check constraint 'c`h.k' is violated.", { call, engine: 'mysql' })).toMatchObject({
      status: 422,
      constraint: 'c`h.k',
    });
    for (const message of [
      "Column 'a'b`c' cannot be null",
      "Out of range value for column 'a'b`c' at row 1",
      "Incorrect integer value: 'for column 'id'' for column `db`.`od`d.t'x`.`a'b`c` at row 1",
    ])
      expect(map(1264, message, { call }).text).toContain(JSON.stringify(['body', "a'b`c"]));
    expect(
      map(
        3616,
        'Longitude 200.0 is out of range in function st_geomfromgeojson. It must be within (-180, 180].',
        { call, engine: 'mysql' },
      ).text,
    ).toContain('["body","place"]');
  });

  it('an error response contains the message of SIGNAL 45000, but of no other server error', () => {
    expect(map(1644, 'Too late for this', { sqlState: '45000' }).text).toContain('Too late for this');
    for (const errno of [1, 1054, 1062, 30_001])
      expect(map(errno, 'Too late for this', { sqlState: '45000' })).toMatchObject({
        status: 422,
        text: expect.stringContaining('Too late for this') as unknown,
      });
    for (const [errno, sqlState] of [
      [1644, '01234'],
      [31_001, 'HY000'],
      [5555, '99999'],
      [1644, '45001'],
    ] as const) {
      expect(map(errno, 'Internal words', { sqlState })).toMatchObject({
        status: 422,
        text: expect.not.stringContaining('Internal words') as unknown,
      });
      expect(map(errno, 'Internal words', { sqlState }).text).toContain('record.rejected');
    }
  });

  it('the error for a rejected value names its column', () => {
    expect(map(1406, "Data too long for column 'username' at row 1").text).toContain('["body","username"]');
    expect(map(1264, "Out of range value for column 'id' at row 1").text).toContain('["body","id"]');
    expect(
      map(1366, "Incorrect string value: '\\xF0' for column `db`.`users`.`bio` at row 1").text,
    ).toContain('["body","bio"]');
    expect(
      map(3140, 'Invalid JSON text: "Invalid value." at position 0 in value for column \'users.bio\'.', {
        engine: 'mysql',
      }).text,
    ).toContain('["body","bio"]');
    expect(map(1048, "Column 'email' cannot be null")).toMatchObject({
      status: 422,
      problem: { errors: [{ pointer: '/body/email' }] },
    });
    expect(map(1267, 'Illegal mix of collations', { call: 'list users' }).text).toContain('"params.invalid"');
    expect(map(1292, "Truncated incorrect DOUBLE value: 'x'", { call: 'list users' }).text).toContain(
      '"params.invalid"',
    );
  });

  it('a full disk and an unavailable server are reported as different errors', () => {
    expect(map(1030, 'Got error 28 "No space left on device" from storage engine InnoDB')).toMatchObject({
      status: 507,
    });
    expect(map(1030, 'Got error 168 "Unknown (generic) error" from storage engine')).toMatchObject({
      status: 503,
    });
  });
});
