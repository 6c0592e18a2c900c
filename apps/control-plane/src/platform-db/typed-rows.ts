import type { FindOptionsWhere, ObjectLiteral, Repository, UpdateResult } from 'typeorm';

type NullableKeys<E> = { [K in keyof E]: null extends E[K] ? K : never }[keyof E];

/** The columns of a new row. Only nullable columns may be omitted. */
export type Insertable<E> = Omit<E, NullableKeys<E>> & Partial<Pick<E, NullableKeys<E>>>;

/**
 * Inserts a row. TypeORM's own parameter type makes all columns optional, and also the members of JSON
 * columns. It would therefore not detect a missing column, and would reject the value of a JSON column.
 */
export async function insertRow<E extends ObjectLiteral>(
  repository: Repository<E>,
  row: Insertable<E>,
): Promise<void> {
  await repository.insert(row as never);
}

/** Updates rows, with the column types of the entity. */
export function updateRows<E extends ObjectLiteral>(
  repository: Repository<E>,
  where: FindOptionsWhere<E>,
  patch: Partial<E>,
): Promise<UpdateResult> {
  return repository.update(where, patch as never);
}
