import { QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createQueryClient } from './query-client.js';

it('the query client ignores a response that was requested before a change, even the first one', async () => {
  const client = createQueryClient(() => undefined);
  const answers: ((text: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['draft'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  const leave = observer.subscribe(() => undefined);
  const isAgain = client.invalidateQueries({ queryKey: ['draft'] });
  answers[0]?.('before the change');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('after it');
  await isAgain;
  expect(client.getQueryData(['draft'])).toBe('after it');
  leave();
});
