import { describe, expect, it } from 'vitest';
import { completeWords } from './run-cli.js';

describe('completeWords', () => {
  it('completeWords completes commands, subcommands and options', () => {
    expect(completeWords(['sch'])).toEqual(['schema']);
    expect(completeWords(['keys', ''])).toEqual(['create', 'list', 'revoke', 'rotate']);
    expect(completeWords(['code', 'python', '--p'])).toEqual(['--project', '--pydantic']);
    expect(completeWords(['code', 'python', '--json', '--js'])).toEqual([]);
  });
});
