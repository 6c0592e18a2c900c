import { describe, expect, it } from 'vitest';
import { ALL, firstStatement, plan, rejection } from '../../../test/blog.js';
import { decodeBase64, encodeBase64 } from '../../values/base64.js';
import { matchesFormat, isIpv6 } from '../../values/check-format.js';
import { expandExponent } from '../../values/coerce-number.js';

/** Returns the value that the plan binds for one member of a body. */
function bound(name: string, json: string): unknown {
  const planned = plan('PATCH /types/1', { body: `{${JSON.stringify(name)}:${json}}` });
  const value = planned.kind === 'update' ? planned.changes[0]?.value : undefined;
  return value instanceof Uint8Array ? [...value] : value;
}

describe('values of a body', () => {
  it.each<[string, string, unknown]>([
    ['tiny', '-128', '-128'],
    ['tiny', '"5"', '5'],
    ['tiny', '5.0', '5'],
    ['big', '18446744073709551615', '18446744073709551615'],
    ['price', '99999999.99', '99999999.99'],
    ['price', '"1.50"', '1.5'],
    ['price', '1.5e2', '150'],
    ['price', '-0.00', '0'],
    ['ratio', '1.1', Math.fround(1.1)],
    ['mass', '"1e3"', 1000],
    ['flag', 'true', 1],
    ['flag', '0', 0],
    ['bits', '65535', '65535'],
    ['name', '"äöü😀67890"', 'äöü😀67890'],
    ['name', 'null', null],
    ['name', '"a\\u0000b"', 'a\0b'],
    ['state', '"new"', 'new'],
    ['state', '2', 'old'],
    ['state', '"3"', '3'],
    ['marks', '["c","a","c"]', 'a,c'],
    ['marks', '[]', ''],
    ['marks', '"b,a"', 'a,b'],
    ['day', '"2024-02-29"', '2024-02-29'],
    ['day', '"2026-01-01T00:00:00Z"', '2026-01-01'],
    ['at', '"2026-01-31T23:30:00.123456789-02:30"', '2026-02-01 02:00:00.123'],
    ['at', '"2026-01-31 10:00"', '2026-01-31 10:00:00'],
    ['stamp', '"2026-03-01T00:30:00+01"', '2026-02-28 23:30:00'],
    ['span', '"-100:30:00.5"', '-100:30:00'],
    ['year', '2026', '2026'],
    ['data', '{"b":[1.10],"$inc":1}', '{"b":[1.10],"$inc":1}'],
    ['data', 'null', null],
    ['data', '"x"', '"x"'],
    ['raw', '"/w=="', [255]],
    ['guid', '"123E4567-E89B-12D3-A456-426614174000"', '123e4567-e89b-12d3-a456-426614174000'],
    ['place', '{"type":"Point","coordinates":[1,2]}', '{"type":"Point","coordinates":[1,2]}'],
  ])('a write to the column %s accepts the value %s', (name, json, expected) => {
    expect(bound(name, json)).toEqual(expected);
  });

  it.each([
    ['tiny', '128'],
    ['tiny', '-129'],
    ['tiny', '1.5'],
    ['tiny', 'true'],
    ['tiny', '""'],
    ['tiny', '1e-2'],
    ['big', '-1'],
    ['big', '18446744073709551616'],
    ['price', '1.234'],
    ['price', '100000000'],
    ['price', '"x"'],
    ['price', '1e999'],
    ['ratio', '3.5e38'],
    ['mass', '1e309'],
    ['flag', '"true"'],
    ['flag', '2'],
    ['flag', 'null_'],
    ['bits', '65536'],
    ['name', '5'],
    ['name', 'true'],
    ['name', '[]'],
    ['name', '"12345678901"'],
    ['name', '"\\ud800"'],
    ['note', JSON.stringify('ä'.repeat(128))],
    ['state', '"New"'],
    ['state', '0'],
    ['state', '4'],
    ['state', '""'],
    ['marks', '["d"]'],
    ['marks', '[1]'],
    ['day', '"2026-02-29"'],
    ['day', '"2026-01-01T01:00:00Z"'],
    ['day', '20260101'],
    ['at', '"2026-01-01T24:00:00"'],
    ['at', '"2026-01-01T10:00:00+19:00"'],
    ['at', '"2024-02-31 00:00:00"'],
    ['span', '"839:00:00"'],
    ['span', '"838:59:59.5"'],
    ['year', '1900'],
    ['raw', '"AQIDBAU="'],
    ['raw', '"a"'],
    ['guid', '"123"'],
    ['address', '"1::2::3"'],
    ['place', '"POINT(1 2)"'],
    ['twice', '1'],
    ['nope', '1'],
    ['email', '"x"'],
    ['email', 'null'],
    ['tiny', '{"$inc":"x"}'],
    ['name', '{"$inc":1}'],
  ])('a write to the column %s rejects the value %s', (name, json) => {
    expect(
      rejection('PATCH /types?id=1', {
        body: `{${JSON.stringify(name)}:${json.replace('null_', '"null"')}}`,
      }),
    ).toContain(`422 body.invalid ["body","${name}"]`);
  });
});

describe('create', () => {
  it('a write reports the faults of all its members together', () => {
    expect(rejection('POST /users', { body: { email: 'nope', Bio: 1 } })).toBe(
      '422 body.invalid ["body","email"] format; ["body","Bio"] extra_forbidden; ["body","username"] missing',
    );
    expect(rejection('POST /tags', { body: [{ name: 'ok' }, {}, 5] })).toBe(
      '422 body.invalid ["body",1,"name"] missing; ["body",2] dict_type',
    );
  });

  it('unknown members of a body are ignored only with unknown_fields=ignore', () => {
    expect(
      rejection('POST /tags', { body: { name: 'x', extra: 1 }, options: { unknownFields: 'ignore' } }),
    ).toBe('accepted');
    expect(
      rejection('PATCH /posts?id=1', { body: { comments: [] }, options: { unknownFields: 'ignore' } }),
    ).toContain('["body","comments"] related_record');
  });

  it('a create generates an omitted uuid column, but no other column', () => {
    expect(firstStatement('POST /types', { body: {} })).toMatchObject({
      params: ['11111111-2222-4333-8444-555555555555'],
    });
    expect(firstStatement('POST /types', { body: { uuid: 'mine' } })).toMatchObject({ params: ['mine'] });
  });

  it('a create treats null for an auto-increment column as omitted', () => {
    expect(firstStatement('POST /tags', { body: { id: null, name: 'x' } }).sql).toContain(
      '(`name`) VALUES (?)',
    );
    expect(firstStatement('POST /tags', { body: { id: 7, name: 'x' } }).params).toEqual(['7', 'x']);
    expect(rejection('POST /tags', { body: { id: 0, name: 'x' } })).toContain('["body","id"] out_of_range');
  });

  it('a create with more records than the limit is rejected', () => {
    expect(rejection('POST /tags', { body: [] })).toContain('too_short');
    expect(
      rejection('POST /tags', { body: Array.from({ length: 10_001 }, () => ({ name: 'x' })) }),
    ).toContain('too_long');
    expect(rejection('POST /tags')).toContain('["body"] missing');
    expect(rejection('POST /tags', { body: '"x"' })).toContain('dict_type');
  });

  it('a create by a key that may not read returns only the key of the record', () => {
    expect(plan('POST /tags', { body: { name: 'x' }, rights: { ...ALL, verbs: ['write'] } })).toMatchObject({
      returned: null,
    });
  });

  it('hidden columns can be written but are not returned', () => {
    const rights = { ...ALL, hiddenColumns: { users: ['bio'] } };
    const { sql } = firstStatement('POST /users', {
      rights,
      body: { username: 'a', email: 'a@b.co', bio: 'x' },
    });
    expect(sql).toBe(
      'INSERT INTO `users` (`username`, `email`, `bio`) VALUES (?, ?, ?) RETURNING `id`, `username`, `email`, `created_at`, `bio`',
    );
    expect(
      firstStatement('POST /users', { rights, body: { username: 'a', email: 'a@b.co', bio: 'x' } })
        .shape?.columns.filter((column) => column.isOutput)
        .map((column) => column.name),
    ).not.toContain('bio');
    expect(rejection('PATCH /users/1', { rights, body: { bo: 1 } })).not.toContain('bio');
  });
});

describe('update', () => {
  it('an update may repeat the generated number of its record', () => {
    expect(rejection('PUT /posts/1', { body: { id: 1, title: 'x' } })).toBe('accepted');
    expect(rejection('PUT /posts/1', { body: { id: 2 } })).toContain('["body","id"] key_changed');
    const moved = firstStatement('PUT /post-tags/1,2', { body: { post_id: 1, tag_id: 3 } });
    expect([moved.sql, moved.params]).toEqual([
      'UPDATE `post_tags` SET `tag_id` = ? WHERE `post_id` = ? AND `tag_id` = ?',
      ['3', '1', '2'],
    ]);
    expect(rejection('PUT /posts/1', { body: [] })).toContain('dict_type');
    for (const endpoint of ['PATCH /posts', 'PATCH /posts?id__in=1,2'])
      expect(rejection(endpoint, { body: [{ id: 1, title: 'a' }] })).toBe(
        '422 body.invalid ["body"] dict_type',
      );
  });

  it('an update at a UUID address may check the numeric key', () => {
    const statement = firstStatement('PUT /types/11111111-2222-4333-8444-555555555555', {
      body: { id: 3, tiny: 1 },
    });
    expect(statement.sql).toBe('UPDATE `types` SET `tiny` = ? WHERE `uuid` = ? AND `id` = ?');
    expect(statement.params).toEqual(['1', '11111111-2222-4333-8444-555555555555', '3']);
  });

  it('$inc adds decimals without losing digits', () => {
    expect(
      firstStatement('PATCH /types/1', { body: '{"big":{"$inc":-9007199254740993},"price":{"$inc":"0.5"}}' }),
    ).toMatchObject({
      sql: 'UPDATE `types` SET `big` = COALESCE(`big`, 0) + CAST(? AS SIGNED), `price` = COALESCE(`price`, 0) + CAST(? AS DECIMAL(65,2)) WHERE `id` = ?',
      params: ['-9007199254740993', '0.5', '1'],
    });
  });
});

describe('conversions of values', () => {
  it('a binary column accepts and returns base64', () => {
    for (let length = 0; length < 8; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 77 + 200) % 256);
      expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
      expect(decodeBase64(encodeBase64(bytes).replace(/=+$/, ''))).toEqual(bytes);
    }
    for (const text of ['a', 'a===', 'AB==', '====', 'a b=', 'é===', '-_-_'])
      expect(decodeBase64(text)).toBeNull();
  });

  it('a decimal with an exponent is stored without the exponent', () => {
    expect(['1e3', '1.5e-3', '-12.34e1', '1E+2', '5'].map(expandExponent)).toEqual([
      '1000',
      '0.0015',
      '-123.4',
      '100',
      '5',
    ]);
    expect(expandExponent('1e101')).toBeNull();
  });

  it('a column with a format rejects texts in another format', () => {
    for (const email of ['a@b.co', 'a.b+c@sub.example.org', 'ü@exämple.org'])
      expect(matchesFormat(email, 'email')).toBe(true);
    for (const email of ['a', 'a@b', '@b.co', 'a b@c.de', 'a@b..co', '.a@b.co', 'a@-b.co', 'a@b.co '])
      expect(matchesFormat(email, 'email')).toBe(false);
    expect(matchesFormat('https://example.org/x?y=1', 'uri')).toBe(true);
    expect(matchesFormat('example.org', 'uri')).toBe(false);
    for (const address of ['::', '::1', '1::', '2001:db8::1', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8'])
      expect(isIpv6(address)).toBe(true);
    for (const address of [
      '',
      ':',
      ':::',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '::g',
      '1::2::3',
      '12345::',
      '1.2.3.4',
    ])
      expect(isIpv6(address)).toBe(false);
  });
});
