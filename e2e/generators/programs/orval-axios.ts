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
import { createThree, printData } from './steps';

const [, , , key = ''] = process.argv;
axios.defaults.headers.common.Authorization = `Bearer ${key}`;

async function create(title: string, priority: number) {
  const { data } = await createTask({ title, priority });
  if (Array.isArray(data)) throw new Error('one task was expected');
  return data;
}

async function run(): Promise<void> {
  const [item, two] = await createThree(create);
  const listed = await listTasks({ filters: { priority__gte: 5 }, sort: '-priority' });
  const read = await getTask(item.id);
  const updated = await patchTask(item.id, { priority: 7 });
  const patched = await patchManyTasks({ done: true }, { filters: { priority__gte: 7 } });
  const removed = await deleteManyTasks({ filters: { priority__gte: 9 } });
  const left = await listTasks({ sort: 'id' });
  await deleteTask(two.id);
  const gone = await getTask(two.id, undefined, { validateStatus: () => true });
  printData({ listed, read, updated, patched, removed, left }, gone.status);
}

void run();
