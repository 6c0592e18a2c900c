import axios from 'axios';
import {
  createTask,
  deleteManyTasks,
  deleteTask,
  getTask,
  listTasks,
  patchManyTasks,
  patchTask,
} from './api';

const [, , , key = ''] = process.argv;
axios.defaults.headers.common.Authorization = `Bearer ${key}`;

async function create(title: string, priority: number) {
  const { data } = await createTask({ title, priority });
  if (Array.isArray(data)) throw new Error('one task was expected');
  return data;
}

async function run(): Promise<unknown> {
  const item = await create('one', 1);
  const two = await create('two', 5);
  await create('three', 9);
  const listed = await listTasks({ filters: { priority__gte: 5 }, sort: '-priority' });
  const read = await getTask(item.id);
  const updated = await patchTask(item.id, { priority: 7 });
  const patched = await patchManyTasks({ done: true }, { filters: { priority__gte: 7 } });
  const removed = await deleteManyTasks({ filters: { priority__gte: 9 } });
  const left = await listTasks({ sort: 'id' });
  await deleteTask(two.id);
  const gone = await getTask(two.id, undefined, { validateStatus: () => true });
  return {
    listed: listed.data.map((task) => task.title),
    read: read.data.title,
    updated: updated.data ? updated.data.priority : null,
    patched: patched.data,
    removed: removed.data,
    left: left.data.map((task) => task.title),
    gone: gone.status,
  };
}

void run().then((result) => console.log(JSON.stringify(result)));
