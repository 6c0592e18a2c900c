import { expect, it } from 'vitest';
import { reportUse } from './code-commands.js';

it('the usage hint of generated code imports the client by a path relative to the current folder', () => {
  expect(reportUse('src/api', 'http://127.0.0.1:4100/')).toBe(
    "Usage: import { createClient } from './src/api/index.js'; createClient({ baseUrl: 'http://127.0.0.1:4100', key }). The schemas require zod: npm install zod",
  );
  expect(reportUse('', 'http://a')).toContain("from './index.js'");
  expect(reportUse('../api', 'http://a')).toContain("from '../api/index.js'");
});
