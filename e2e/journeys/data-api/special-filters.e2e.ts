import { JSON_FILTERS } from '@rowhouse/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { create } from '../../support/schemas/blog.mjs';
import { deploy, signUp } from '../../support/control.mjs';
import { openApi, type Api } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

const SCHEMA =
  'CREATE TABLE notes (id INT PRIMARY KEY AUTO_INCREMENT, body TEXT NOT NULL, data JSON, place POINT, FULLTEXT KEY words (body));';

describe('filters on JSON, full text and geometry work', () => {
  const product = readProduct();
  let api: Api;

  beforeAll(async () => {
    const user = await signUp(product.control, { starter: 'empty' });
    await deploy(user, SCHEMA);
    api = openApi(product.gateways[0], user.key);
    await waitFor('the table is served', async () => (await api.get('/notes')).status === 200);
    await create(api, '/notes', {
      body: 'green apples and pears',
      data: { a: { b: 5 }, l: ['x', 10], on: true, 'odd "key.': 1 },
      place: { type: 'Point', coordinates: [1, 1] },
    });
    await create(api, '/notes', {
      body: 'yellow bananas',
      data: { a: { b: 'five' }, l: [2], on: false, none: null },
      place: { type: 'Point', coordinates: [9, 9] },
    });
    await create(api, '/notes', { body: 'nothing here' });
  });

  it.each<[string, number[]]>([
    ...JSON_FILTERS,
    ['data->a.b__isnull=true', [3]],
    ['data->none__isnull=true', [1, 2, 3]],
    ['data->`odd "key.`=1', [1]],
    ['_q=apples%20bananas', [1, 2]],
    ['place__within=0,0,2,2', [1]],
    ['place__within={"type":"Polygon","coordinates":[[[5,5],[10,5],[10,10],[5,10],[5,5]]]}', [2]],
  ])('the filter %s returns the expected notes', async (query, ids) => {
    const response = await api.get(
      `/notes?_select=id&sort=id&${query.replaceAll('"', '%22').replaceAll('{', '%7B').replaceAll('}', '%7D').replaceAll('`', '%60').replaceAll(' ', '%20').replaceAll('>', '%3E')}`,
    );
    expect([response.status, response.json]).toEqual([200, ids.map((id) => ({ id }))]);
  });
});
