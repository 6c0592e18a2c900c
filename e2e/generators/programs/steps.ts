/** Creates the three tasks of every program, and returns the first two. */
export async function createThree<Task>(
  create: (title: string, priority: number) => Promise<Task>,
): Promise<[Task, Task]> {
  const tasks: [Task, Task] = [await create('one', 1), await create('two', 5)];
  await create('three', 9);
  return tasks;
}

interface Titled {
  readonly title: string;
}

interface Found {
  readonly listed: readonly Titled[] | undefined;
  readonly read: Titled | undefined;
  readonly updated: { readonly priority?: unknown } | null | undefined | void;
  readonly patched: unknown;
  readonly removed: unknown;
  readonly left: readonly Titled[] | undefined;
}

/** Prints what a program has found, as `EXPECTED` in run-client.mjs lists it. */
export function print({ gone, ...found }: Found & { readonly gone: number | undefined }): void {
  const titlesOf = (tasks: readonly Titled[] | undefined) => tasks?.map((task) => task.title);
  console.log(
    JSON.stringify({
      listed: titlesOf(found.listed),
      read: found.read?.title,
      updated: found.updated ? found.updated.priority : null,
      patched: found.patched,
      removed: found.removed,
      left: titlesOf(found.left),
      gone,
    }),
  );
}

/** Prints the data of the responses that a program has found. */
export function printData(
  found: { readonly [Name in keyof Found]: { readonly data?: Found[Name] } },
  gone: number | undefined,
): void {
  print({
    listed: found.listed.data,
    read: found.read.data,
    updated: found.updated.data,
    patched: found.patched.data,
    removed: found.removed.data,
    left: found.left.data,
    gone,
  });
}
