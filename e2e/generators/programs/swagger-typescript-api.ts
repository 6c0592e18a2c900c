import { Api } from './api';
import { createThree, printData } from './steps';

const [, , baseUrl = '', key = ''] = process.argv;
// This generator ignores the media types of bodies that are components, so the program states them.
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
const { v1 } = new Api({ baseUrl, baseApiParams: { headers, format: 'json' } });

async function create(title: string, priority: number) {
  const { data } = await v1.createTask({ title, priority });
  if (Array.isArray(data)) throw new Error('one task was expected');
  return data;
}

async function run(): Promise<void> {
  const [item, two] = await createThree(create);
  const listed = await v1.listTasks({ where: 'priority >= 5', sort: '-priority' });
  const read = await v1.getTask(item.id);
  const updated = await v1.patchTask(item.id, { priority: 7 });
  const patched = await v1.patchManyTasks({ done: true }, { where: 'priority >= 7' });
  const removed = await v1.deleteManyTasks({ where: 'priority >= 9' });
  const left = await v1.listTasks({ sort: 'id' });
  await v1.deleteTask(two.id);
  const gone = await v1.getTask(two.id).then(
    () => 200,
    (err: { status: number }) => err.status,
  );
  printData({ listed, read, updated, patched, removed, left }, gone);
}

void run().catch((err: { url?: string; error?: unknown }) => {
  console.error(err.url ?? err, JSON.stringify(err.error));
  process.exitCode = 1;
});
