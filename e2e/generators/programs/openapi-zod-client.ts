import { createApiClient } from './api';
import { createThree, print } from './steps';

const [, , baseUrl = '', key = ''] = process.argv;
const api = createApiClient(baseUrl, { axiosConfig: { headers: { Authorization: `Bearer ${key}` } } });

async function create(title: string, priority: number) {
  const task = await api.createTask({ title, priority });
  if (Array.isArray(task)) throw new Error('one task was expected');
  return task;
}

async function run(): Promise<void> {
  const [item, two] = await createThree(create);
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
  print({ listed, read, updated, patched, removed, left, gone });
}

void run();
