import { describe, expect, it } from 'vitest';
import { emitOperators } from './shared-parameters.js';

const options = (hasRegex: boolean): Parameters<typeof emitOperators>[0] => ({
  title: 'T',
  serverUrl: 'https://api.rowhouse.test',
  version: '1',
  settings: { require_limit: false, unknown_fields: 'reject', regex_enabled: hasRegex },
  rights: { tables: null, verbs: ['read'], hiddenColumns: {} },
});

describe('emitOperators', () => {
  it('the OpenAPI document mentions regular expressions only if they are enabled', () => {
    expect(String(emitOperators(options(true))['description'])).toContain('lte_column, regex.');
    expect(String(emitOperators(options(false))['description'])).not.toContain('regex');
  });
});
