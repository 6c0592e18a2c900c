import { configureStore } from '@reduxjs/toolkit';
import { api } from './api';
import { createThree, print } from './steps';

const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
});
const { createTask, deleteManyTasks, deleteTask, getTask, listTasks, patchManyTasks, patchTask } =
  api.endpoints;

async function create(title: string, priority: number) {
  const task = await store.dispatch(createTask.initiate({ body: { title, priority } })).unwrap();
  if (Array.isArray(task)) throw new Error('one task was expected');
  return task;
}

async function run(): Promise<void> {
  const [item, two] = await createThree(create);
  const listed = await store
    .dispatch(listTasks.initiate({ where: 'priority >= 5', sort: '-priority' }))
    .unwrap();
  const read = await store.dispatch(getTask.initiate({ id: item.id })).unwrap();
  const updated = await store
    .dispatch(patchTask.initiate({ id: item.id, taskUpdate: { priority: 7 } }))
    .unwrap();
  const patched = await store
    .dispatch(patchManyTasks.initiate({ where: 'priority >= 7', body: { done: true } }))
    .unwrap();
  const removed = await store.dispatch(deleteManyTasks.initiate({ where: 'priority >= 9' })).unwrap();
  const left = await store.dispatch(listTasks.initiate({ sort: 'id' })).unwrap();
  await store.dispatch(deleteTask.initiate({ id: two.id })).unwrap();
  const gone = await store
    .dispatch(getTask.initiate({ id: two.id }))
    .unwrap()
    .then(
      () => 200,
      (err: { status: number }) => err.status,
    );
  print({ listed, read, updated, patched, removed, left, gone });
}

void run();
