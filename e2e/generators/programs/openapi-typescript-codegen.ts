import { ApiError, OpenAPI, TasksService } from './api';
import { createThree, print } from './steps';

const [, , baseUrl = '', key = ''] = process.argv;
OpenAPI.BASE = baseUrl;
OpenAPI.TOKEN = key;

async function create(title: string, priority: number) {
  const task = await TasksService.createTask({ requestBody: { title, priority } });
  if (Array.isArray(task)) throw new Error('one task was expected');
  return task;
}

async function run(): Promise<void> {
  const [item, two] = await createThree(create);
  const listed = await TasksService.listTasks({ filters: { priority__gte: 5 }, sort: '-priority' });
  const read = await TasksService.getTask({ id: item.id });
  const updated = await TasksService.patchTask({ id: item.id, requestBody: { priority: 7 } });
  const patched = await TasksService.patchManyTasks({
    filters: { priority__gte: 7 },
    requestBody: { done: true },
  });
  const removed = await TasksService.deleteManyTasks({ filters: { priority__gte: 9 } });
  const left = await TasksService.listTasks({ sort: 'id' });
  await TasksService.deleteTask({ id: two.id });
  const gone = await TasksService.getTask({ id: two.id }).then(
    () => 200,
    (err: unknown) => (err instanceof ApiError ? err.status : 0),
  );
  print({ listed, read, updated, patched, removed, left, gone });
}

void run();
