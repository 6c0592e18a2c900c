import createClient from 'openapi-fetch';
import type { components, paths } from './api';
import { createThree, printData } from './steps';

type Task = components['schemas']['Task'];

const [, , baseUrl = '', key = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

async function create(title: string, priority: number): Promise<Task> {
  const { data } = await client.POST('/v1/-/tasks', { body: { title, priority } });
  if (data === undefined || Array.isArray(data)) throw new Error('one task was expected');
  return data;
}

async function run(): Promise<void> {
  const [item, two] = await createThree(create);
  const listed = await client.GET('/v1/-/tasks', {
    params: { query: { filters: { priority__gte: 5 }, sort: '-priority' } },
  });
  const read = await client.GET('/v1/-/tasks/{id}', { params: { path: { id: item.id } } });
  const updated = await client.PATCH('/v1/-/tasks/{id}', {
    params: { path: { id: item.id } },
    body: { priority: 7 },
  });
  const patched = await client.PATCH('/v1/-/tasks', {
    params: { query: { filters: { priority__gte: 7 } } },
    body: { done: true },
  });
  const removed = await client.DELETE('/v1/-/tasks', {
    params: { query: { filters: { priority__gte: 9 } } },
  });
  const left = await client.GET('/v1/-/tasks', { params: { query: { sort: 'id' } } });
  await client.DELETE('/v1/-/tasks/{id}', { params: { path: { id: two.id } } });
  const deletedResponse = await client.GET('/v1/-/tasks/{id}', { params: { path: { id: two.id } } });
  printData({ listed, read, updated, patched, removed, left }, deletedResponse.response.status);
}

void run();
