import { describe, expect, it } from 'vitest';
import type { ControlApi } from './control-api-caller.js';
import { SCHEMA_TOOLS } from './schema-tools.js';

const PLAN = {
  environment: 'production',
  steps: [],
  loss: [],
  impact: {},
  needsRebuild: [],
  possibleRenames: [],
  notes: [],
  drift: [],
  hash: 'h',
};

describe('submit_data_modeling_request', () => {
  it('submit_data_modeling_request returns the change if there is no development database', async () => {
    const requests: string[] = [];
    const answers: Readonly<Record<string, unknown>> = {
      'PUT /api/projects/prj_1/schema': { revision: 3, notes: [] },
      'GET /api/projects/prj_1': { databases: [{ id: 'db_1', environment: 'production' }] },
      'GET /api/projects/prj_1/diff': { plans: [PLAN] },
    };
    const api: ControlApi = {
      call: (method, path) => {
        requests.push(`${method} ${path}`);
        return Promise.resolve(answers[`${method} ${path}`]);
      },
    };
    const tool = SCHEMA_TOOLS.find(({ listed }) => listed.name === 'submit_data_modeling_request');
    expect(await tool?.run(api, { project_id: 'prj_1', sql: 'CREATE TABLE a (id INT)' })).toMatchObject({
      revision: 3,
      plans: [{ environment: 'production', hash: 'h' }],
    });
    expect(requests).toEqual(Object.keys(answers));
  });
});
