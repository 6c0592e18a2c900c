import { Button, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import type { TableView } from '../../../../data/schema/read-tables.js';
import { COLUMN_TYPES, ColumnFields } from './column-fields.js';
import { CheckFields, ForeignKeyFields, IndexFields } from './part-fields.js';
import { describeName, makeColumn, makeKey, type ColumnForm, type TableForm } from './table-form.js';
import classes from './table-editor.module.css';

/** The fields for all editable parts of a table. */
export function TableFields({
  form,
  tables,
  onChange,
}: {
  form: TableForm;
  tables: readonly TableView[];
  onChange: (form: TableForm) => void;
}) {
  const typesId = useId();
  const put = (change: Partial<TableForm>): void => onChange({ ...form, ...change });
  const visible = form.columns.filter((column) => !column.isDropped);
  return (
    <div className={classes.fields}>
      <div className={classes.head}>
        <TextInput
          label="Table name"
          description={describeName(form.name, form.from)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={form.name}
          maxLength={64}
          spellCheck={false}
          autoComplete="off"
          placeholder="notes"
          autoFocus={form.from === null && form.name === ''}
          onChange={(event) => put({ name: event.currentTarget.value })}
        />
        <TextInput
          className={classes.wide}
          label="Comment"
          value={form.comment}
          maxLength={2_048}
          onChange={(event) => put({ comment: event.currentTarget.value })}
        />
      </div>
      <section aria-label="Columns" className={classes.parts}>
        <div className={classes.partsHead}>
          <h3>Columns</h3>
        </div>
        <div className={classes.columnHeads} aria-hidden="true">
          <span>Name</span>
          <span>Type</span>
          <span>Default</span>
          <span>Rules</span>
        </div>
        <ul>
          {form.columns.map((column) => (
            <ColumnFields
              key={column.key}
              column={column}
              isKey={form.primaryKey.includes(column.key)}
              isFirst={column === visible[0]}
              isLast={column === visible.at(-1)}
              typesId={typesId}
              onChange={(change) =>
                put({
                  columns: form.columns.map((entry) =>
                    entry.key === column.key ? { ...entry, ...change } : entry,
                  ),
                })
              }
              onKey={(isKey) =>
                put({
                  primaryKey: isKey
                    ? [...form.primaryKey, column.key]
                    : form.primaryKey.filter((key) => key !== column.key),
                  ...(isKey
                    ? {
                        columns: form.columns.map((entry) =>
                          entry.key === column.key ? { ...entry, nullable: false } : entry,
                        ),
                      }
                    : {}),
                })
              }
              onMove={(by) => put({ columns: moveColumn(form.columns, column, by) })}
              onRemove={() => onChange(removeColumn(form, column))}
            />
          ))}
        </ul>
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => put({ columns: [...form.columns, makeColumn(makeKey(form))] })}
          >
            Add column
          </Button>
        </div>
      </section>
      <ForeignKeyFields form={form} onChange={put} tables={tables} />
      <IndexFields form={form} onChange={put} />
      <CheckFields form={form} onChange={put} />
      <datalist id={typesId}>
        {COLUMN_TYPES.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
    </div>
  );
}

/** Moves a column by one position. Dropped columns are skipped, because they have no position. */
function moveColumn(columns: readonly ColumnForm[], column: ColumnForm, by: -1 | 1): ColumnForm[] {
  const order = [...columns];
  const from = order.indexOf(column);
  let to = from + by;
  while (order[to]?.isDropped === true) to += by;
  if (to < 0 || to >= order.length) return order;
  order.splice(from, 1);
  order.splice(to, 0, column);
  return order;
}

/**
 * Removes a column from the form. A new column disappears. An existing one is marked as dropped, together
 * with the keys and indexes that use no other column.
 */
function removeColumn(form: TableForm, column: ColumnForm): TableForm {
  const without = form.primaryKey.filter((key) => key !== column.key);
  if (column.from === null) {
    const free = <Part extends { columns: readonly string[] }>(parts: readonly Part[]): Part[] =>
      parts.filter((part) => !part.columns.includes(column.key));
    return {
      ...form,
      primaryKey: without,
      columns: form.columns.filter((entry) => entry.key !== column.key),
      indexes: free(form.indexes),
      foreignKeys: free(form.foreignKeys),
    };
  }
  const isOnlyHere = (part: { columns: readonly string[] }): boolean => part.columns.includes(column.key);
  return {
    ...form,
    primaryKey: without,
    columns: form.columns.map((entry) => (entry.key === column.key ? { ...entry, isDropped: true } : entry)),
    foreignKeys: form.foreignKeys.map((key) => (isOnlyHere(key) ? { ...key, isDropped: true } : key)),
    indexes: form.indexes.map((index) =>
      isOnlyHere(index) && index.columns.length === 1 ? { ...index, isDropped: true } : index,
    ),
  };
}
