// @ts-check
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rootDir } from '@rowhouse/local/paths';

/** @typedef {{ what: string, found: unknown, expected: unknown }} Check */

const MODULE = pathToFileURL(join(rootDir, 'examples', 'react-admin', 'src', 'data-provider.ts')).href;
/** A table whose numbers exceed the precision of JavaScript. */
export const READINGS =
  'CREATE TABLE readings (id BIGINT PRIMARY KEY, amount DECIMAL(20,2) NOT NULL, note TEXT NULL)';

/**
 * Calls every method of the data provider against a database with the blog schema and the table `READINGS`.
 * @param {string} url base URL of the data API
 * @param {string} apiKey
 * @returns {Promise<Check[]>} what was found, next to the correct value
 */
export async function driveDataProvider(url, apiKey) {
  const { createDataProvider } = await import(MODULE);
  const provider = createDataProvider({ url, apiKey, primaryKeys: { post_tags: ['post_id', 'tag_id'] } });
  /** @type {Check[]} */
  const checks = [];
  const check = (/** @type {string} */ what, /** @type {unknown} */ found, /** @type {unknown} */ expected) =>
    checks.push({ what, found, expected });
  await readAndCreate(provider, check);
  await changeAndDelete(provider, check);
  await useOtherKeys(provider, check);
  return checks;
}

/** @typedef {(what: string, found: unknown, expected: unknown) => unknown} CheckOne */

const SORT = { field: 'id', order: 'ASC' };
const titles = (/** @type {{ data: { title: string }[] }} */ { data }) =>
  data.map(({ title }) => title).join();
const fail = (/** @type {Promise<unknown>} */ call) =>
  call.then(
    () => 'no error',
    (/** @type {any} */ error) => ({
      status: error.status,
      errors: error.body?.errors,
      message: error.message,
    }),
  );

/** @param {any} provider @param {CheckOne} check */
async function readAndCreate(provider, check) {
  const ann = (
    await provider.create('users', { data: { username: 'ann', email: 'ann@example.test', bio: 'writes' } })
  ).data;
  const bob = (await provider.create('users', { data: { username: 'bob', email: 'bob@example.test' } })).data;
  check(
    'create returns the record with its id and version',
    [typeof ann.id, ann.username, typeof ann._etag],
    ['number', 'ann', 'string'],
  );
  for (let number = 1; number <= 12; number += 1) {
    await provider.create('posts', {
      data: {
        title: `Post ${String(number).padStart(2, '0')}`,
        content: 'x',
        user_id: number % 3 === 0 ? bob.id : ann.id,
        published: number % 2 === 0,
      },
    });
  }
  check(
    'create of a wrong body fails with a message for each field',
    await fail(provider.create('users', { data: { username: 'x', email: 'nobody' } })),
    {
      status: 422,
      errors: { email: 'This is not a valid email.' },
      message: 'email: This is not a valid email.',
    },
  );
  const list = (/** @type {object} */ filter, /** @type {object} */ more = {}) =>
    provider.getList('posts', { pagination: { page: 1, perPage: 20 }, sort: SORT, filter, ...more });
  const second = await list(
    {},
    { pagination: { page: 2, perPage: 5 }, sort: { field: 'title', order: 'DESC' } },
  );
  check(
    'getList sorts and pages',
    [titles(second), second.total],
    ['Post 07,Post 06,Post 05,Post 04,Post 03', 12],
  );
  check(
    'getList filters by equality',
    titles(await list({ published: true, user_id: bob.id })),
    'Post 06,Post 12',
  );
  check(
    'getList filters by operators',
    titles(await list({ title__contains: '1', id__gt: 1, title__ne: 'Post 10' })),
    'Post 11,Post 12',
  );
  check('getList filters by lists', titles(await list({ title: ['Post 02', 'Post 09'] })), 'Post 02,Post 09');
  check(
    'getList filters by nested names',
    titles(await list({ user: { username: 'bob' }, id__lte: 6 })),
    'Post 03,Post 06',
  );
  check(
    'getList filters by null',
    (
      await provider.getList('users', {
        pagination: { page: 1, perPage: 5 },
        sort: SORT,
        filter: { bio: null },
      })
    ).data.map((/** @type {any} */ item) => item.username),
    ['bob'],
  );
  check(
    'getList includes related records',
    (await list({ id: 1 }, { meta: { include: ['user'] } })).data[0]?.user?.username,
    'ann',
  );
  check('getList rejects unknown filters', /** @type {any} */ (await fail(list({ titel: 'x' }))).status, 422);
  const element = (await provider.getOne('posts', { id: 1 })).data;
  check(
    'getOne returns the record with its version',
    [element.id, element.title, typeof element._etag],
    [1, 'Post 01', 'string'],
  );
  check(
    'getOne of a missing record fails',
    /** @type {any} */ (await fail(provider.getOne('posts', { id: 99 }))).status,
    404,
  );
  check(
    'getMany returns the records',
    titles(await provider.getMany('posts', { ids: [2, 4] })),
    'Post 02,Post 04',
  );
  const related = await provider.getManyReference('posts', {
    target: 'user_id',
    id: bob.id,
    pagination: { page: 1, perPage: 2 },
    sort: SORT,
    filter: {},
  });
  check(
    'getManyReference returns the related records',
    [titles(related), related.total],
    ['Post 03,Post 06', 4],
  );
}

/** @param {any} provider @param {CheckOne} check */
async function changeAndDelete(provider, check) {
  const before = (await provider.getOne('posts', { id: 1, meta: { include: 'user' } })).data;
  const after = (
    await provider.update('posts', { id: 1, data: { ...before, title: 'New' }, previousData: before })
  ).data;
  check(
    'update returns the record with a new version',
    [after.title, after._etag === before._etag],
    ['New', false],
  );
  const stale = {
    status: 412,
    errors: {},
    message: 'Someone else changed this record. Reload it and try again.',
  };
  check(
    'update of an old version fails',
    await fail(provider.update('posts', { id: 1, data: { ...before, title: 'Lost' }, previousData: before })),
    stale,
  );
  check(
    'update with the new version succeeds',
    (await provider.update('posts', { id: 1, data: { ...after, title: 'Newer' }, previousData: after })).data
      .title,
    'Newer',
  );
  check(
    'update of a wrong value fails with a message for the field',
    Object.keys(
      /** @type {any} */ (
        await fail(provider.update('posts', { id: 1, data: { title: null }, previousData: {} }))
      ).errors,
    ),
    ['title'],
  );
  check(
    'updateMany returns the ids',
    (await provider.updateMany('posts', { ids: [2, 3], data: { title: 'Both' } })).data,
    [2, 3],
  );
  check(
    'updateMany changes these records',
    titles(await provider.getMany('posts', { ids: [1, 2, 3, 4] })),
    'Newer,Both,Both,Post 04',
  );
  check(
    'delete of an old version fails',
    await fail(provider.delete('posts', { id: 1, previousData: before })),
    stale,
  );
  const last = (await provider.getOne('posts', { id: 1 })).data;
  check(
    'delete returns the record',
    (await provider.delete('posts', { id: 1, previousData: last })).data.title,
    'Newer',
  );
  check('deleteMany returns the ids', (await provider.deleteMany('posts', { ids: [2, 3] })).data, [2, 3]);
  check(
    'deleted records are gone',
    titles(await provider.getMany('posts', { ids: [1, 2, 3, 4] })),
    'Post 04',
  );
}

/** @param {any} provider @param {CheckOne} check */
async function useOtherKeys(provider, check) {
  for (const name of ['a', 'b']) await provider.create('tags', { data: { name } });
  const linked = await Promise.all(
    [1, 2].map((tag) => provider.create('post_tags', { data: { post_id: 4, tag_id: tag } })),
  );
  check(
    'several key columns make one id',
    linked.map(({ data }) => data.id),
    ['4,1', '4,2'],
  );
  check(
    'getMany reads composite ids',
    (await provider.getMany('post_tags', { ids: ['4,2'] })).data.map(
      (/** @type {any} */ item) => item.tag_id,
    ),
    [2],
  );
  check('getOne reads a composite id', (await provider.getOne('post_tags', { id: '4,1' })).data.tag_id, 1);
  check(
    'deleteMany deletes composite ids',
    (await provider.deleteMany('post_tags', { ids: ['4,1', '4,2'] })).data.length,
    2,
  );
  const wide = { id: '9007199254740993', amount: '12345678901234567.89', note: null };
  const created = (await provider.create('readings', { data: wide })).data;
  const read = (await provider.getOne('readings', { id: created.id })).data;
  check(
    'numbers keep their digits',
    [
      created.id,
      read.amount,
      (await provider.getMany('readings', { ids: ['9007199254740992', created.id] })).data.length,
    ],
    [wide.id, wide.amount, 1],
  );
  check(
    'a change of a record with such numbers is saved',
    (await provider.update('readings', { id: created.id, data: { ...read, note: 'n' }, previousData: read }))
      .data.note,
    'n',
  );
}
