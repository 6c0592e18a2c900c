import {
  createTask,
  deleteManyTasks,
  deleteTask,
  getTask,
  listTasks,
  patchManyTasks,
  patchTask,
} from './api';
import { createThree } from './steps';

const [, , , key = ''] = process.argv;
const init: RequestInit = { headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' } };

async function create(title: string, priority: number) {
  const { data } = await createTask({ title, priority }, undefined, init);
  if (Array.isArray(data) || !('id' in data)) throw new Error('one task was expected');
  return data;
}

async function list(where: string | undefined, sort: string): Promise<string[]> {
  const answer = await listTasks(where === undefined ? { sort } : { where, sort }, init);
  if (answer.status !== 200) throw new Error('a list was expected');
  return answer.data.map((task) => task.title);
}

async function run(): Promise<unknown> {
  const [item, two] = await createThree(create);
  const listed = await list('priority >= 5', '-priority');
  const read = await getTask(item.id, undefined, init);
  const updated = await patchTask(item.id, { priority: 7 }, init);
  const patched = await patchManyTasks({ done: true }, { where: 'priority >= 7' }, init);
  const removed = await deleteManyTasks({ where: 'priority >= 9' }, init);
  const left = await list(undefined, 'id');
  await deleteTask(two.id, init);
  const gone = await getTask(two.id, undefined, init);
  return {
    listed,
    read: read.status === 200 ? read.data.title : null,
    updated: updated.status === 200 ? updated.data.priority : null,
    patched: patched.data,
    removed: removed.data,
    left,
    gone: gone.status,
  };
}

void run().then((result) => console.log(JSON.stringify(result)));
