import { beforeEach, expect, it, vi } from 'vitest';
import { exportStream, type ExportInput } from './transfer-rows.js';

const callGateway = vi.hoisted(() => vi.fn());
vi.mock('../gateway/call-gateway.js', () => ({ callGateway }));

const DATABASE = { id: 'db_1', base_url: 'http://gateway.test' };

/** Responds in pieces of three bytes, which split characters and lines. */
function answerInPieces(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  return new Response(
    new ReadableStream({
      start(stream) {
        for (let index = 0; index < bytes.length; index += 3) stream.enqueue(bytes.slice(index, index + 3));
        stream.close();
      },
    }),
  );
}

async function exportText(
  text: string,
  input: Pick<ExportInput, 'form' | 'isDisarmed'>,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<string> {
  callGateway.mockResolvedValueOnce(answerInPieces(text));
  return (
    await exportStream(DATABASE, {
      ...input,
      request: { path: '/posts' },
      signal: new AbortController().signal,
      onBytes,
    })
  ).text();
}
const lastHeaders = (): unknown => (callGateway.mock.lastCall as [unknown, { headers: unknown }])[1].headers;

beforeEach(() => callGateway.mockReset());

it('exportStream returns the stream unchanged and reports progress', async () => {
  const reportedCount: number[] = [];
  expect(await exportText('id\n1 “x”\n', { form: 'csv' }, (bytes) => reportedCount.push(bytes))).toBe(
    'id\n1 “x”\n',
  );
  expect(reportedCount).toEqual([3, 6, 9, 12, 13]);
});

it('exportStream converts NDJSON lines to one JSON array', async () => {
  expect(JSON.parse(await exportText('{"a":"=1"}\n{"a":2}\n', { form: 'json' }))).toEqual([
    { a: '=1' },
    { a: 2 },
  ]);
  expect(await exportText('', { form: 'json' })).toBe('[]\n');
});

it('exportStream requests escaped formulas only for CSV', async () => {
  await exportText('id\n', { form: 'csv', isDisarmed: true });
  expect(lastHeaders()).toEqual({ Accept: 'text/csv', Prefer: 'csv-formulas=escape' });
  await exportText('id\n', { form: 'csv' });
  expect(lastHeaders()).toEqual({ Accept: 'text/csv' });
  await exportText('', { form: 'ndjson', isDisarmed: true });
  expect(lastHeaders()).toEqual({ Accept: 'application/x-ndjson' });
});
