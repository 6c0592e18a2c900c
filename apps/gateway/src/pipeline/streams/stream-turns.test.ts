import { expect, it } from 'vitest';
import { createStreamTurns } from './stream-turns.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('lets few streams go on in one turn of the event loop, in the order in which they stood back', async () => {
  const turns = createStreamTurns();
  const went: number[] = [];
  for (let stream = 0; stream < 5; stream += 1) turns.wait(() => went.push(stream));
  expect(went).toEqual([]);
  await nextTurn();
  expect(went).toEqual([0, 1]);
  turns.wait(() => went.push(9));
  await nextTurn();
  expect(went).toEqual([0, 1, 2, 3]);
  await nextTurn();
  await nextTurn();
  expect(went).toEqual([0, 1, 2, 3, 4, 9]);
});

it('lets others in between two turns of one stream', async () => {
  const turns = createStreamTurns();
  const order: string[] = [];
  let left = 3;
  const stream = (): void => {
    order.push('stream');
    if ((left -= 1) > 0) turns.wait(stream);
  };
  turns.wait(stream);
  const other = (): void => {
    order.push('other');
    if (left > 0) setImmediate(other);
  };
  setImmediate(other);
  while (left > 0) await nextTurn();
  expect(order.join(' ')).toMatch(/stream other stream other stream/);
});
