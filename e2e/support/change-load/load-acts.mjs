// @ts-check
/** The operations of the load: reads, writes and includes on the tables that all golden changes share. */
import { ANY, SEEDED_BELOW, SEEDED_OWNERS } from '../schemas/golden-change.mjs';
import { matchAnyShape, matchRecord } from './match-record.mjs';

/**
 * @typedef {import('../schemas/golden-change.mjs').FullShape} FullShape
 * @typedef {import('./ledger.mjs').Ledger} Ledger
 * @typedef {import('./load-client.mjs').LoadClient} LoadClient
 * @typedef {{ client: LoadClient, ledger: Ledger, items: number, isAlone: boolean, dueMs: number, number: number, prefix: string }}
 *   Act `isAlone` means that nothing refers to items. `number` and `prefix` make each mark unique
 */

const random = (/** @type {number} */ below) => 1 + Math.floor(Math.random() * below);
/** Items from this number on are only written with If-Match, each by one client at a time. */
const CONDITIONAL_FROM = 1_000;

/** @param {FullShape} shape @param {number} i @returns {Record<string, unknown>} */
const seededItem = (shape, i) => ({
  id: i,
  mark: `s${i}`,
  owner_id: 1 + (i % SEEDED_OWNERS),
  title: `t${i}`,
  hits: ANY,
  ...shape.seeded(i),
});
/** @param {FullShape} shape @param {Record<string, unknown>} sent @returns {Record<string, unknown>} */
const madeItem = (shape, sent) => ({
  id: ANY,
  mark: sent['mark'],
  owner_id: sent['owner_id'],
  title: 'made',
  hits: 0,
  ...shape.created,
});
/** @param {FullShape} shape @param {string} mark @returns {Record<string, unknown>} */
const newItem = (shape, mark) => ({ mark, owner_id: random(SEEDED_OWNERS), title: 'made', ...shape.sends });

/** @type {Record<string, { weight: number, run: (act: Act) => Promise<void> }>} */
export const ACTS = {
  read: {
    weight: 26,
    async run({ client, items, dueMs }) {
      const i = random(items);
      const {
        answer: response,
        shapes,
        blame,
      } = await client.ask({
        kind: 'read',
        method: 'GET',
        path: `/${client.pickShape().table}/${i}`,
        ok: [200],
        dueMs,
      });
      if (response === null) return;
      const fault = matchAnyShape(response.json, shapes, (shape) => seededItem(shape, i));
      if (fault !== null) blame(fault);
    },
  },
  include: {
    weight: 12,
    async run({ client, dueMs, isAlone }) {
      const i = random(SEEDED_BELOW);
      const related = isAlone ? ['owner'] : ['owner', 'notes', 'pins'];
      const {
        answer: response,
        shapes,
        blame,
      } = await client.ask({
        kind: 'include',
        method: 'GET',
        path: `/${client.pickShape().table}/${i}?include=${related.join(',')}`,
        ok: [200],
        dueMs,
      });
      if (response === null) return;
      const fault =
        matchAnyShape(response.json, shapes, (shape) => ({
          ...seededItem(shape, i),
          ...Object.fromEntries(related.map((name) => [name, ANY])),
        })) ?? judgeRelated(response.json, i, related.slice(1));
      if (fault !== null) blame(fault);
    },
  },
  list: {
    weight: 12,
    async run({ client, items, dueMs }) {
      const from = random(items - 10);
      const {
        answer: response,
        shapes,
        blame,
      } = await client.ask({
        kind: 'list',
        method: 'GET',
        path: `/${client.pickShape().table}?id__gte=${from}&sort=id&limit=5&include=owner`,
        ok: [200],
        dueMs,
      });
      if (response === null) return;
      const records = Array.isArray(response.json) ? response.json : [];
      if (records.length !== 5) return blame(`${records.length} records`);
      for (const [index, record] of records.entries()) {
        const fault = matchAnyShape(record, shapes, (shape) => ({
          ...seededItem(shape, from + index),
          owner: ANY,
        }));
        if (fault !== null) blame(fault);
        else if (record.owner?.id !== record.owner_id)
          blame(`item ${record.id} with owner ${record.owner?.id} instead of ${record.owner_id}`);
      }
    },
  },
  'list from a child': {
    weight: 6,
    async run({ client, dueMs, isAlone }) {
      const from = random(SEEDED_BELOW - 10);
      const { answer: response, blame } = await client.ask({
        kind: 'list from a child',
        method: 'GET',
        path: `/notes?id__gte=${from}&sort=id&limit=5${isAlone ? '' : '&include=item.owner'}`,
        ok: [200],
        dueMs,
      });
      if (response === null || isAlone) return;
      for (const note of response.json)
        if (String(note.item?.id) !== String(note.item_id) || note.item?.mark !== note.mark.split('/')[0])
          blame(`note ${note.mark} with item ${note.item?.id} instead of ${note.item_id}`);
    },
  },
  stream: {
    weight: 2,
    async run({ client, items, dueMs }) {
      const from = random(items - 60);
      const {
        answer: response,
        shapes,
        blame,
      } = await client.ask({
        kind: 'stream',
        method: 'GET',
        path: `/${client.pickShape().table}?id__gte=${from}&sort=id&limit=50`,
        headers: { Accept: 'application/x-ndjson' },
        ok: [200],
        dueMs,
      });
      if (response === null) return;
      const records = response.text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
      if (records.length !== 50) return blame(`${records.length} records of a stream`);
      for (const [index, record] of records.entries()) {
        const fault = matchAnyShape(record, shapes, (shape) => seededItem(shape, from + index));
        if (fault !== null) blame(fault);
      }
    },
  },
  query: {
    weight: 5,
    async run({ client, items, dueMs }) {
      const from = random(items - 10);
      const sql = `SELECT i.*, o.name AS owner_name FROM ${client.pickShape().table} i JOIN owners o ON o.id = i.owner_id WHERE i.id BETWEEN ${from} AND ${from + 4} ORDER BY i.id`;
      const {
        answer: response,
        shapes,
        blame,
      } = await client.ask({
        kind: 'query',
        method: 'POST',
        path: '/query',
        body: { query: sql },
        ok: [200],
        dueMs,
      });
      if (response === null) return;
      if (response.json?.length !== 5) return blame(`${response.json?.length} rows`);
      for (const [at, row] of response.json.entries()) {
        const fault = matchAnyShape(row, shapes, (shape) => ({
          ...seededItem(shape, from + at),
          owner_name: `o${1 + ((from + at) % SEEDED_OWNERS)}`,
        }));
        if (fault !== null) blame(fault);
      }
    },
  },
  document: {
    weight: 1,
    async run({ client, dueMs }) {
      const {
        answer: response,
        shapes,
        blame,
      } = await client.ask({ kind: 'document', method: 'GET', path: '/openapi.json', ok: [200], dueMs });
      if (response === null) return;
      const paths = Object.keys(response.json?.paths ?? {});
      if (!shapes.some((shape) => paths.some((path) => path.endsWith(`/${shape.table}`))))
        blame('the document does not have the table');
    },
  },
  increment: {
    weight: 12,
    async run({ client, ledger, dueMs }) {
      const i = random(SEEDED_BELOW);
      const hits = (ledger.hits[`s${i}`] ??= { sure: 0, unsure: 0 });
      const { answer: response } = await client.ask({
        kind: 'increment',
        method: 'PATCH',
        path: `/${client.pickShape().table}/${i}`,
        body: { hits: { $inc: 1 } },
        ok: [200],
        dueMs,
      });
      if (response !== null) hits.sure += 1;
      else hits.unsure += 1;
    },
  },
  conditional: {
    weight: 4,
    async run({ client, items, dueMs, number }) {
      const i = CONDITIONAL_FROM + (number % (items - CONDITIONAL_FROM));
      const path = `/${client.pickShape().table}/${i}`;
      const read = await client.ask({ kind: 'read', method: 'GET', path, ok: [200], dueMs });
      if (read.answer === null) return;
      const {
        answer: response,
        shapes,
        blame,
      } = await client.ask({
        kind: 'conditional',
        method: 'PATCH',
        path,
        body: { hits: 0 },
        headers: { 'If-Match': String(read.answer.headers.etag) },
        ok: [200, 412],
      });
      // 412 is correct only if the change was published between the read and the write, because it gives the
      // record a new version.
      if (response?.status === 412 && shapes.length === 1 && read.shapes.length === 1)
        blame('412, and nobody else writes this record');
    },
  },
  create: {
    weight: 8,
    async run(act) {
      await makeItem(act, 'create');
    },
  },
  'create with related records': {
    weight: 4,
    async run(act) {
      const { client, ledger, dueMs, number, prefix } = act;
      if (act.isAlone) return void (await makeItem(act, 'create'));
      const mark = `${prefix}${number}`;
      const shape = client.pickShape();
      const body = {
        ...newItem(shape, mark),
        notes: [{ mark: `${mark}/1` }, { mark: `${mark}/2` }],
        pins: [{ mark: `${mark}/1` }],
      };
      const { answer: response } = await client.ask({
        kind: 'create with related records',
        method: 'POST',
        path: `/${shape.table}`,
        body,
        ok: [201],
        dueMs,
      });
      const state = response === null ? 'unsure' : 'made';
      ledger.items[mark] = state;
      ledger.notes[`${mark}/1`] = ledger.notes[`${mark}/2`] = ledger.pins[`${mark}/1`] = state;
    },
  },
  'create a child': {
    weight: 4,
    async run({ client, ledger, dueMs, number, prefix }) {
      const i = random(SEEDED_BELOW);
      const mark = `s${i}/${prefix}${number}`;
      const { answer: response, blame } = await client.ask({
        kind: 'create a child',
        method: 'POST',
        path: '/notes',
        body: { mark, item_id: i },
        ok: [201],
        dueMs,
      });
      ledger.notes[mark] = response === null ? 'unsure' : 'made';
      const fault = response === null ? null : matchRecord(response.json, { id: ANY, mark, item_id: i });
      if (fault !== null) blame(fault);
    },
  },
  'refuse a child': {
    weight: 1,
    async run({ client, dueMs, number, prefix, isAlone }) {
      if (isAlone) return;
      await client.ask({
        kind: 'refuse a child',
        method: 'POST',
        path: '/notes',
        body: { mark: `nowhere ${prefix}${number}`, item_id: 2_000_000_000 },
        ok: [409],
        dueMs,
      });
    },
  },
  'make and delete': {
    weight: 3,
    async run(act) {
      const { client, ledger, number, prefix } = act;
      const mark = `${prefix}${number}`;
      const created = await makeItem(act, 'create');
      if (created === null) return;
      const note = await client.ask({
        kind: 'create a child',
        method: 'POST',
        path: '/notes',
        body: { mark: `${mark}/n`, item_id: created },
        ok: [201],
      });
      ledger.notes[`${mark}/n`] = note.answer === null ? 'unsure' : 'made';
      const pin = await client.ask({
        kind: 'create a child',
        method: 'POST',
        path: '/pins',
        body: { mark: `${mark}/p`, item_id: created },
        ok: [201],
      });
      ledger.pins[`${mark}/p`] = pin.answer === null ? 'unsure' : 'made';
      const removed = await client.ask({
        kind: 'delete',
        method: 'DELETE',
        path: `/${client.pickShape().table}/${created}`,
        ok: [200, 204],
      });
      ledger.items[mark] = removed.answer !== null ? 'gone' : 'unsure';
    },
  },
  'delete above': {
    weight: 2,
    async run(act) {
      const { client, ledger, number, prefix } = act;
      const owner = await client.ask({
        kind: 'create an owner',
        method: 'POST',
        path: '/owners',
        body: { name: `${prefix}${number}` },
        ok: [201],
        dueMs: act.dueMs,
      });
      if (owner.answer === null) return;
      const mark = `${prefix}${number}`;
      const shape = client.pickShape();
      const item = await client.ask({
        kind: 'create',
        method: 'POST',
        path: `/${shape.table}`,
        body: { ...newItem(shape, mark), owner_id: owner.answer.json.id },
        ok: [201],
      });
      ledger.items[mark] = item.answer === null ? 'unsure' : 'made';
      const removed = await client.ask({
        kind: 'delete above',
        method: 'DELETE',
        path: `/owners/${owner.answer.json.id}`,
        ok: [200, 204],
      });
      if (item.answer !== null) ledger.items[mark] = removed.answer !== null ? 'gone' : 'unsure';
    },
  },
  batch: {
    weight: 3,
    async run({ client, ledger, dueMs, number, prefix }) {
      const mark = `${prefix}${number}`;
      const shape = client.pickShape();
      const i = random(SEEDED_BELOW);
      const operations = [
        { method: 'POST', path: `/${shape.table}`, body: newItem(shape, mark) },
        { method: 'PATCH', path: `/${shape.table}/${i}`, body: { hits: { $inc: 1 } } },
      ];
      const { answer: response } = await client.ask({
        kind: 'batch',
        method: 'POST',
        path: '/_batch',
        body: { operations },
        ok: [200],
        dueMs,
      });
      const hits = (ledger.hits[`s${i}`] ??= { sure: 0, unsure: 0 });
      ledger.items[mark] = response === null ? 'unsure' : 'made';
      if (response === null) hits.unsure += 1;
      else hits.sure += 1;
    },
  },
  once: {
    weight: 3,
    async run({ client, ledger, dueMs, number, prefix }) {
      const mark = `${prefix}${number}`;
      const shape = client.pickShape();
      const ask = {
        kind: 'once',
        method: 'POST',
        path: `/${shape.table}`,
        body: newItem(shape, mark),
        headers: { 'Idempotency-Key': mark },
        ok: [201],
      };
      const first = await client.ask({ ...ask, dueMs });
      ledger.items[mark] = first.answer === null ? 'unsure' : 'made';
      if (first.answer === null) return;
      const again = await client.ask(ask);
      if (again.answer !== null && again.answer.text !== first.answer.text)
        again.blame('the answer of a write that was sent again is another');
    },
  },
};

/**
 * @param {Act} act
 * @param {string} kind
 * @returns {Promise<string | number | null>} its id, or null if it was rejected or is wrong
 */
async function makeItem({ client, ledger, dueMs, number, prefix }, kind) {
  const mark = `${prefix}${number}`;
  const shape = client.pickShape();
  const body = newItem(shape, mark);
  const {
    answer: response,
    shapes,
    blame,
  } = await client.ask({ kind, method: 'POST', path: `/${shape.table}`, body, ok: [201], dueMs });
  ledger.items[mark] = response === null ? 'unsure' : 'made';
  if (response === null) return null;
  const fault = matchAnyShape(response.json, shapes, (item) => madeItem(item, body));
  if (fault !== null) blame(fault);
  return fault === null ? response.json.id : null;
}

/** @param {any} item @param {number} i @param {string[]} lists @returns {string | null} */
function judgeRelated(item, i, lists) {
  if (item.owner?.id !== item.owner_id || item.owner?.name !== `o${item.owner_id}`)
    return `owner ${JSON.stringify(item.owner)} of item ${i}`;
  for (const name of lists) {
    /** @type {any[]} */
    const list = item[name];
    if (!Array.isArray(list) || !list.some((child) => child.mark === `s${i}`))
      return `${name} of item ${i} lack the first one`;
    const unmatched = list.find(
      (child) => String(child.item_id) !== String(i) || child.mark.split('/')[0] !== `s${i}`,
    );
    if (unmatched !== undefined) return `${name} of item ${i} hold ${JSON.stringify(unmatched)}`;
  }
  return null;
}
