import { expect, it } from 'vitest';
import { readTables } from '../schema/read-tables.js';
import { fromTimeInput, toTimeInput } from './time-input.js';

function columnOf(kind: string, type = kind) {
  const [table] = readTables([{ name: 't', columns: [{ name: 'c', type, value_kind: kind }] }]);
  const column = table?.columns[0];
  if (column === undefined) throw new Error('no column');
  return column;
}

it('dates and times get an input of the browser, and a TIMESTAMP keeps its zone', () => {
  expect(toTimeInput(columnOf('date'), '2026-01-31')).toMatchObject({ type: 'date', value: '2026-01-31' });
  expect(toTimeInput(columnOf('datetime'), '2026-01-31T12:00:00')).toMatchObject({
    type: 'datetime-local',
    step: '1',
  });
  const timestamp = columnOf('timestamp', 'timestamp(3)');
  const input = toTimeInput(timestamp, '2026-01-31T12:00:00.500Z');
  expect(input).toEqual({ type: 'datetime-local', step: '0.001', value: '2026-01-31T12:00:00.500' });
  expect(fromTimeInput(timestamp, input?.value ?? '')).toBe('2026-01-31T12:00:00.500Z');
  expect(fromTimeInput(columnOf('datetime'), '2026-01-31T12:00')).toBe('2026-01-31T12:00:00');
  expect(fromTimeInput(columnOf('time'), '07:30')).toBe('07:30:00');
  expect(fromTimeInput(timestamp, '')).toBe('');
});

it('a value that an input of the browser cannot represent is edited as text', () => {
  expect(toTimeInput(columnOf('date'), '0000-00-00')).toBeNull();
  expect(toTimeInput(columnOf('time'), '-01:00:00')).toBeNull();
  expect(toTimeInput(columnOf('time'), '838:59:59')).toBeNull();
  expect(toTimeInput(columnOf('datetime'), '2026-01-31T12:00:00.123456')).toBeNull();
  expect(toTimeInput(columnOf('datetime'), 'soon')).toBeNull();
  expect(toTimeInput(columnOf('string'), '2026-01-31')).toBeNull();
});
