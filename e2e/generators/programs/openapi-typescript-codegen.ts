import { ApiError, OpenAPI, TasksService } from './api';

const [, , baseUrl = '', key = ''] = process.argv;
OpenAPI.BASE = baseUrl;
OpenAPI.TOKEN = key;

async function create(title: string, priority: number) {
  const task = await TasksService.createTask({ requestBody: { title, priority } });
  if (Array.isArray(task)) throw new Error('one task was expected');
  return task;
}

async function run(): Promise<unknown> {
  const item = await create('one', 1);
  const two = await create('two', 5);
  await create('three', 9);
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
