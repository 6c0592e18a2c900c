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

const [, , baseUrl = '', key = ''] = process.argv;
client.setConfig({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

async function create(title: string, priority: number) {
  const { data } = await createTask({ body: { title, priority } });
  if (data === undefined || Array.isArray(data)) throw new Error('one task was expected');
  return data;
}

async function run(): Promise<unknown> {
  const item = await create('one', 1);
  const two = await create('two', 5);
  await create('three', 9);
  const listed = await listTasks({ query: { filters: { priority__gte: 5 }, sort: '-priority' } });
  const read = await getTask({ path: { id: item.id } });
  const updated = await patchTask({ path: { id: item.id }, body: { priority: 7 } });
  const patched = await patchManyTasks({ query: { filters: { priority__gte: 7 } }, body: { done: true } });
  const removed = await deleteManyTasks({ query: { filters: { priority__gte: 9 } } });
  const left = await listTasks({ query: { sort: 'id' } });
  await deleteTask({ path: { id: two.id } });
  const gone = await getTask({ path: { id: two.id } });
  return {
    listed: listed.data?.map((task) => task.title),
    read: read.data?.title,
    updated: updated.data ? updated.data.priority : null,
    patched: patched.data,
    removed: removed.data,
    left: left.data?.map((task) => task.title),
    gone: gone.response?.status,
  };
}

void run().then((result) => console.log(JSON.stringify(result)));
