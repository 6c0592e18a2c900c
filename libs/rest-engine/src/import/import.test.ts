import { AppError } from '@rowhouse/errors';
import { doSteps, type Rights } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { ALL, compile, describeError, firstStatement, PLAN_OPTIONS } from '../../test/blog.js';
import type { PlanOptions } from '../plan/plan-parts.js';
import { createLineWriter } from '../response/line-writer.js';
import type { Cell } from '../values/cell.js';
import { authorizePlan } from '../plan/authorize-plan.js';
import { importInserts, importUpsert } from '../sql/write/import-statements.js';
import { createHintBudget } from '../request/fault-list.js';
import { parseImport, planImport, planImportRow, type ImportPlan, type ImportRow } from './plan-import.js';
import { readRowsBodySteps, type RowsBody } from './read-rows-body.js';
import type { RowsFormat } from '../request/api-request.js';

const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

function read(
  text: string | Uint8Array,
  table = 'types',
  format: RowsFormat = 'csv',
  unknownFields: 'reject' | 'ignore' = 'reject',
): RowsBody {
  const found = compile().findByName(table);
  if (found === null) throw new Error('no table');
  return doSteps(
    readRowsBodySteps(typeof text === 'string' ? Uint8Array.from(Buffer.from(text)) : text, found, {
      format,
      unknownFields,
      decodeUtf8,
    }),
  );
}

const rejected = (callback: () => unknown): unknown => {
  try {
    callback();
    return 'accepted';
  } catch (error) {
    return error instanceof AppError
      ? [
          error.code,
          ...(error.faults?.map((fault) => `${JSON.stringify(fault.loc)} ${fault.msg}`) ?? [error.detail]),
        ]
      : error;
  }
};

describe('a CSV body', () => {
  it('imported CSV fields are converted by the types of their columns', () => {
    const { rows, lines } = read('id,name,flag,data,marks\n1,x,TRUE,"{""a"":[1]}","a,b"\n\n2,"",0,5,\n');
    expect(lines).toEqual([2, 4]);
    expect(rows.map((row) => Object.fromEntries(row as ReadonlyMap<string, unknown>))).toEqual([
      {
        id: '1',
        name: 'x',
        flag: true,
        data: new Map([['a', [{ kind: 'number', text: '1' }]]]),
        marks: 'a,b',
      },
      {
        id: '2',
        name: '',
        flag: { kind: 'number', text: '0' },
        data: { kind: 'number', text: '5' },
        marks: null,
      },
    ]);
  });

  it('imported fields of JSON columns are stored as data, even if they look like operators', () => {
    const plan = planFor('POST /types');
    for (const json of [
      '{"$value":{"$ref":"0.id"}}',
      '{"$value":5}',
      '{"$inc":1}',
      '{"$value":{"$value":{"$inc":1}}}',
    ]) {
      const [row] = read(
        `data,uuid\n"${json.replaceAll('"', '""')}",11111111-2222-4333-8444-555555555555\n`,
      ).rows;
      const planned = planImportRow(plan, row ?? null, PLAN_OPTIONS);
      expect(valuesOf(planned)['data']).toBe(json);
    }
  });

  it('an empty line of a CSV import means NULL in a file with one column', () => {
    expect(read('name\n\nx\n').rows).toEqual([new Map([['name', null]]), new Map([['name', 'x']])]);
  });

  it('all faults of a CSV import are reported together, with line and column', () => {
    expect(rejected(() => read('name,price\nx\ny,1,2\nz,"1""'))).toEqual([
      'body.invalid',
      '["body",0] Line 2: The record has 1 field, but the header has 2.',
      '["body",1] Line 3: The record has 3 fields, but the header has 2.',
      '["body",2] Line 4: A quoted field of this record has no closing quote.',
    ]);
    expect(rejected(() => read('email,data\n,"{""a"""\n'))).toEqual([
      'body.invalid',
      '["body",0,"email"] Line 2: The field is empty, which means NULL, and the column must not be ' +
        'null.',
      expect.stringContaining('["body",0,"data"] Line 2: The field is not valid JSON'),
    ]);
  });

  it('the header of a CSV import may contain only existing columns without repetition', () => {
    expect(rejected(() => read(''))).toEqual([
      'body.invalid',
      '["body"] CSV must start with a line of column names.',
    ]);
    expect(rejected(() => read('name,nmae,name,,twice\n'))).toEqual([
      'body.invalid',
      '["body","nmae"] Line 1: types has no column "nmae".',
      '["body","name"] Line 1: The column "name" appears twice.',
      '["body"] Line 1: Column 4 has no name.',
    ]);
    expect(rejected(() => read('id;name\n1;x\n'))).toContain(
      '["body"] Line 1: Fields must be separated by commas.',
    );
    expect(rejected(() => read('title,user\n', 'posts'))).toEqual([
      'body.invalid',
      '["body","user"] Line 1: CSV cannot contain related records.',
    ]);
    expect(read('name,other\nx,y\n', 'types', 'csv', 'ignore').rows).toEqual([new Map([['name', 'x']])]);
  });

  it('a CSV import rejects a header with too many fields before it reads the names', () => {
    const header = Array.from({ length: 4_097 }, (_, index) => `c${index}`).join(',');
    expect(rejected(() => read(`${header}\n`, 'types', 'csv', 'ignore'))).toEqual([
      'body.invalid',
      '["body"] Line 1: There are more than 4096 fields. No table has that many columns.',
    ]);
  });

  it('an import accepts a record with 200,000 values and a field with a million quotes', () => {
    const line = (count: number): string => `{"data":[${'1,'.repeat(count)}1]}\n`;
    expect(read(line(199_000), 'types', 'ndjson').rows).toHaveLength(1);
    expect(rejected(() => read(line(200_000), 'types', 'ndjson'))).toEqual([
      'body.invalid',
      '["body",0] Line 1: The value can have at most 200000 JSON values.',
    ]);
    expect(read(`note\n"${'""'.repeat(1_000_000)}"\n`).rows).toEqual([
      new Map([['note', '"'.repeat(1_000_000)]]),
    ]);
    expect(rejected(() => read(`note\n"${'""'.repeat(1_000_001)}"\n`))).toEqual([
      'body.invalid',
      expect.stringContaining('contains more than 1000000 quotes'),
    ]);
  });

  it('empty lines of an NDJSON import count for line numbers but store no record', () => {
    expect(read(`\n\n{"name":"a"}\n${'\n'.repeat(3_000_000)}{"name":"b"}`, 'types', 'ndjson').lines).toEqual([
      3, 3_000_004,
    ]);
  });

  it('a CSV import reads its body in steps of several KiB until its list of faults is full', () => {
    const long = 'x'.repeat(100_000);
    const { rows, lines } = read(`note,name\n${'\n'.repeat(70_000)}${long},a\n"${long}\n",b\n`, 'types');
    expect(lines).toEqual([70_002, 70_003]);
    expect(rows).toEqual([
      new Map([
        ['note', long],
        ['name', 'a'],
      ]),
      new Map([
        ['note', `${long}\n`],
        ['name', 'b'],
      ]),
    ]);
    const found = compile().findByName('types');
    if (found === null) throw new Error('no table');
    const steps = readRowsBodySteps(Buffer.from(`name\n${'a,b\n'.repeat(1_000_000)}`), found, {
      format: 'csv',
      unknownFields: 'reject',
      decodeUtf8,
    });
    expect(() => steps.next()).toThrow(expect.objectContaining({ code: 'body.invalid' }));
  });

  it('an NDJSON import has the same maximum number of records as a JSON array', () => {
    expect(rejected(() => read(`name\n${'x\n'.repeat(10_001)}`))).toEqual([
      'limit.bulk_rows',
      '["body"] A request can create at most 10000 records.',
    ]);
    expect(read(`name\n${'x\n'.repeat(10_000)}`).rows).toHaveLength(10_000);
  });

  it('an import reads back unchanged what a stream of the same table has written', () => {
    const { shape } = firstStatement(
      'GET /types?_select=id,name,price,ratio,flag,bits,state,marks,day,at,stamp,span,year,data,raw,guid,address,place',
    );
    const cells: Cell[] = [
      '18446744073709551615',
      ' a "b",\r\n',
      '-1.50',
      Math.fround(1.1),
      new Uint8Array([1]),
      new Uint8Array([1, 255]),
      'new',
      'a,c',
      '2026-01-31',
      '2026-01-31 10:00:00.5',
      '2026-01-31 10:00:00',
      '-838:59:59',
      2026,
      '{"a":"b\\"c"}',
      new Uint8Array([255, 0]),
      '123e4567-e89b-12d3-a456-426614174000',
      '::1',
      '{"type":"Point","coordinates":[1,2]}',
    ];
    if (shape === null) throw new Error('no shape');
    const writer = createLineWriter(shape, 'csv', { numbers: 'json', formulas: 'keep' });
    const { rows } = read(
      writer.head + writer.line(cells) + writer.line(cells.map((cell, index) => (index === 0 ? cell : null))),
    );
    const planned = rows.map((row) => valuesOf(planImportRow(planFor('POST /types'), row, PLAN_OPTIONS)));
    expect(planned[0]).toMatchObject({
      id: '18446744073709551615',
      name: ' a "b",\r\n',
      price: '-1.5',
      ratio: Math.fround(1.1),
      flag: 1,
      bits: '511',
      state: 'new',
      marks: 'a,c',
      day: '2026-01-31',
      at: '2026-01-31 10:00:00.5',
      stamp: '2026-01-31 10:00:00',
      span: '-838:59:59',
      data: '{"a":"b\\"c"}',
      raw: new Uint8Array([255, 0]),
      guid: '123e4567-e89b-12d3-a456-426614174000',
      address: expect.stringMatching(/1$/),
      place: '{"type":"Point","coordinates":[1,2]}',
    });
    expect(planned[1]).toMatchObject({
      id: '18446744073709551615',
      name: null,
      price: null,
      data: null,
      raw: null,
    });
  });
});

describe('an NDJSON body', () => {
  it('openRowReader returns one record for each line', () => {
    expect(read('{"name":"x"}\n \r\n{"name":null}\nnull', 'tags', 'ndjson')).toEqual({
      rows: [new Map([['name', 'x']]), new Map([['name', null]]), null],
      lines: [1, 3, 4],
    });
  });

  it('an NDJSON import with malformed JSON is rejected with the line number', () => {
    expect(rejected(() => read('{"name":"x"}\n{"name":\n', 'tags', 'ndjson'))).toEqual([
      'request.malformed_json',
      expect.stringMatching(/^Line 2: The body is not valid JSON/),
    ]);
    expect(
      rejected(() => read(Uint8Array.from([0x7b, 0x7d, 10, 0x22, 0xe4, 0x22]), 'tags', 'ndjson')),
    ).toEqual(['request.invalid_utf8', 'Line 2: The line is not valid UTF-8.']);
    expect(rejected(() => read(`[${'0,'.repeat(600_000)}0]`, 'tags', 'ndjson'))).toContain(
      '["body",0] Line 1: The value can have at most 200000 JSON values.',
    );
  });
});

describe('records of an import', () => {
  it('all records of an import share one budget for name suggestions', () => {
    const [plan, hints] = [planFor('POST /tags'), createHintBudget()];
    const hintOf = (member: string): string | undefined => {
      try {
        planImportRow(plan, new Map([[member, 'x']]), PLAN_OPTIONS, hints);
      } catch (error) {
        return error instanceof AppError ? error.hint : undefined;
      }
      return 'accepted';
    };
    expect(
      Array.from({ length: 12 }, () => hintOf('nmae'))
        .map((hint) => hint ?? '')
        .join(''),
    ).toBe('Did you mean name?'.repeat(10));
  });
});

function planFor(
  endpoint: string,
  headers: Record<string, string> = {},
  rights = ALL,
  planOptions: Partial<PlanOptions> = {},
): ImportPlan {
  const [, address = ''] = endpoint.split(' ');
  const [rawPath = '', rawQuery = ''] = address.split('?');
  return planImport(
    parseImport(
      { method: 'POST', rawPath, rawQuery, headers: { prefer: 'on-error=continue', ...headers } },
      compile(rights),
      { prefix: '/v1/-' },
    ),
    { ...PLAN_OPTIONS, ...planOptions },
  );
}

function valuesOf(planned: ImportRow): Record<string, unknown> {
  const values = planned.kind === 'create' ? planned.row : planned.row.insert;
  return Object.fromEntries(values.map((entry) => [entry.column.name, entry.value]));
}

describe('an import', () => {
  it('an import requires the rights to write its records', () => {
    expect(planFor('POST /tags')).toMatchObject({
      kind: 'create',
      touches: [{ table: 'tags', verb: 'write' }],
      preferences: { onError: 'continue' },
    });
    expect(planFor('POST /tags', { prefer: 'on-error=stop, tx=rollback' }).touches).toContainEqual({
      table: 'tags',
      verb: 'read',
    });
    expect(
      planFor('POST /tags?_on_conflict=name', { prefer: 'on-error=stop, resolution=ignore-duplicates' }),
    ).toMatchObject({
      kind: 'upsert',
      constraint: 'name',
      resolution: 'ignore',
      touches: [{ verb: 'write' }, { verb: 'read' }],
    });
  });

  it('authorizePlan requires the rights of a create or an upsert for an import', () => {
    for (const [call, verbs, missing] of [
      ['POST /tags', ['read', 'delete'], 'write'],
      ['POST /tags?_on_conflict=name', ['write'], 'read'],
      ['POST /tags?_on_conflict=name', ['read'], 'write'],
    ] as const) {
      const rights: Rights = { ...ALL, tables: { tags: verbs } };
      const plan = planFor(call, {}, rights);
      expect(rejected(() => authorizePlan(plan, rights, []))).toEqual([
        'auth.scope',
        `The key does not have the scope "${missing}" on tags.`,
      ]);
      expect(authorizePlan(planFor(call), ALL, []).kind).toBe(plan.kind);
    }
  });

  it('an import cannot change records of a table that requires If-Match', () => {
    const demanding = { requireIfMatch: ['tags'] };
    expect(rejected(() => planFor('POST /tags?_on_conflict=name', {}, ALL, demanding))).toEqual([
      'record.precondition_required',
      expect.any(String),
    ]);
    expect(
      planFor(
        'POST /tags?_on_conflict=name',
        { prefer: 'on-error=stop, resolution=ignore-duplicates' },
        ALL,
        demanding,
      ).kind,
    ).toBe('upsert');
    expect(planFor('POST /tags', {}, ALL, demanding).kind).toBe('create');
  });

  it('importInserts combines consecutive records into one INSERT', () => {
    const plan = planFor('POST /tags');
    const rows = ['a', 'b', 'c'].map((name) => planImportRow(plan, new Map([['name', name]]), PLAN_OPTIONS));
    const inserts = importInserts(
      plan,
      rows.flatMap((planned) => (planned.kind === 'create' ? [planned.row] : [])),
    );
    expect(inserts.map(({ statement, from, until }) => [statement.params, from, until])).toEqual([
      [['a', 'b'], 0, 2],
      [['c'], 2, 3],
    ]);
    const upsert = planFor('POST /tags?_on_conflict=name');
    const row = planImportRow(
      upsert,
      new Map([
        ['name', 'a'],
        ['description', 'x'],
      ]),
      PLAN_OPTIONS,
    );
    if (upsert.kind !== 'upsert' || row.kind !== 'upsert') throw new Error('no upsert');
    const statements = importUpsert(upsert, row.row);
    expect(statements).toMatchObject({ check: { params: ['a'] }, update: { params: ['x', 'a'] } });
    expect(statements.insert().params).toEqual(['a', 'x']);
  });

  it.each<[string, Record<string, string>, string]>([
    ['POST /nowhere', {}, '404'],
    ['POST /tags/1', {}, '405'],
    ['POST /recent-posts', {}, '405 table.read_only'],
    ['POST /_search/tags', {}, '415'],
    ['POST /tags?limit=1', {}, '422 params.invalid'],
    ['POST /tags?_on_conflict=id2', {}, '422 params.invalid'],
    ['POST /tags', { 'idempotency-key': 'a' }, '422 params.invalid ["header","Idempotency-Key"]'],
    ['POST /tags', { 'if-match': '*' }, '422 params.invalid ["header","If-Match"]'],
    ['POST /tags', { prefer: 'on-error=maybe' }, '422 params.invalid'],
    ['POST /tags', { accept: 'application/json' }, '406'],
    ['POST /tags', { accept: 'text/csv' }, '406'],
  ])('parseImport responds to %s with the headers %o: %s', (endpoint, headers, expected) => {
    let found = 'accepted';
    try {
      planFor(endpoint, headers);
    } catch (error) {
      found = describeError(error);
    }
    expect(found).toContain(expected);
  });

  it.each(['*/*', 'application/json, text/plain, */*', 'application/x-ndjson', ''])(
    'an import may send its report for the Accept header %j',
    (accept) => {
      expect(planFor('POST /tags', { accept }).kind).toBe('create');
    },
  );
});
