import * as zod from './api';

const [, , baseUrl = '', key = ''] = process.argv;

async function send(
  method: string,
  path: string,
  query: Record<string, unknown> = {},
  body?: unknown,
): Promise<{ status: number; json: unknown }> {
  const url = new URL(`/v1/-/tasks${path}`, baseUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const init = { method, headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' } };
  const response = await fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  return { status: response.status, json: response.status === 204 ? null : await response.json() };
}

async function create(title: string, priority: number) {
  const task = zod.CreateTaskResponse.parse(
    (await send('POST', '', {}, zod.CreateTaskBody.parse({ title, priority }))).json,
  );
  if (Array.isArray(task)) throw new Error('one task was expected');
  return task;
}

async function list(query: unknown): Promise<string[]> {
  return zod.ListTasksResponse.parse((await send('GET', '', zod.ListTasksQueryParams.parse(query))).json).map(
    (task) => task.title,
  );
}

async function run(): Promise<unknown> {
  const item = await create('one', 1);
  const two = await create('two', 5);
  await create('three', 9);
  const listed = await list({ where: 'priority >= 5', sort: '-priority' });
  const read = zod.GetTaskResponse.parse((await send('GET', `/${item.id}`)).json);
  const updated = zod.PatchTaskResponse.parse(
    (await send('PATCH', `/${item.id}`, {}, zod.PatchTaskBody.parse({ priority: 7 }))).json,
  );
  const many = zod.PatchManyTasksQueryParams.parse({ where: 'priority >= 7' });
  const patched = zod.PatchManyTasksResponse.parse(
    (await send('PATCH', '', many, zod.PatchManyTasksBody.parse({ done: true }))).json,
  );
  const removed = zod.DeleteManyTasksResponse.parse(
    (await send('DELETE', '', zod.DeleteManyTasksQueryParams.parse({ where: 'priority >= 9' }))).json,
  );
  const left = await list({ sort: 'id' });
  await send('DELETE', `/${two.id}`);
  const { status } = await send('GET', `/${two.id}`);
  return { listed, read: read.title, updated: updated.priority, patched, removed, left, gone: status };
}

void run().then((result) => console.log(JSON.stringify(result)));
