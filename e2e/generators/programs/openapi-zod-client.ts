import { createApiClient } from './api';

const [, , baseUrl = '', key = ''] = process.argv;
const api = createApiClient(baseUrl, { axiosConfig: { headers: { Authorization: `Bearer ${key}` } } });

async function create(title: string, priority: number) {
  const task = await api.createTask({ title, priority });
  if (Array.isArray(task)) throw new Error('one task was expected');
  return task;
}

async function run(): Promise<unknown> {
  const item = await create('one', 1);
  const two = await create('two', 5);
  await create('three', 9);
  const listed = await api.listTasks({ queries: { filters: { priority__gte: 5 }, sort: '-priority' } });
  const read = await api.getTask({ params: { id: item.id } });
  const updated = await api.patchTask({ priority: 7 }, { params: { id: item.id } });
  const patched = await api.patchManyTasks({ done: true }, { queries: { filters: { priority__gte: 7 } } });
  const removed = await api.deleteManyTasks(undefined, { queries: { filters: { priority__gte: 9 } } });
  const left = await api.listTasks({ queries: { sort: 'id' } });
  await api.deleteTask(undefined, { params: { id: two.id } });
  const gone = await api.getTask({ params: { id: two.id } }).then(
    () => 200,
    (err: { response?: { status: number } }) => err.response?.status,
  );
  return {
    listed: listed.map((task) => task.title),
    read: read.title,
    updated: updated.priority,
    patched,
    removed,
    left: left.map((task) => task.title),
    gone,
  };
}

void run().then((result) => console.log(JSON.stringify(result)));
