import { client } from './api/client.gen';
import {
  createTask,
  deleteManyTasks,
  deleteTask,
  getTask,
  listTasks,
  patchManyTasks,
  patchTask,
} from './api/sdk.gen';
import { createThree, printData } from './steps';

const [, , baseUrl = '', key = ''] = process.argv;
client.setConfig({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

async function create(title: string, priority: number) {
  const { data } = await createTask({ body: { title, priority } });
  if (data === undefined || Array.isArray(data)) throw new Error('one task was expected');
  return data;
}

async function run(): Promise<void> {
  const [item, two] = await createThree(create);
  const listed = await listTasks({ query: { filters: { priority__gte: 5 }, sort: '-priority' } });
  const read = await getTask({ path: { id: item.id } });
  const updated = await patchTask({ path: { id: item.id }, body: { priority: 7 } });
  const patched = await patchManyTasks({ query: { filters: { priority__gte: 7 } }, body: { done: true } });
  const removed = await deleteManyTasks({ query: { filters: { priority__gte: 9 } } });
  const left = await listTasks({ query: { sort: 'id' } });
  await deleteTask({ path: { id: two.id } });
  const gone = await getTask({ path: { id: two.id } });
  printData({ listed, read, updated, patched, removed, left }, gone.response?.status);
}

void run();
