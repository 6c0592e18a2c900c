import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { TableView } from '../../../../data/schema/read-tables.js';
import {
  makeKey,
  type CheckForm,
  type ForeignKeyForm,
  type IndexForm,
  type IndexType,
  type TableForm,
} from './table-form.js';
import classes from './table-editor.module.css';

interface PartsProps {
  readonly form: TableForm;
  readonly onChange: (change: Partial<TableForm>) => void;
}

export function IndexFields({ form, onChange }: PartsProps) {
  const add = (): void =>
    onChange({
      indexes: [
        ...form.indexes,
        {
          key: makeKey(form),
          from: null,
          name: '',
          isDropped: false,
          type: 'plain',
          columns: [],
          isFixed: false,
        },
      ],
    });
  const put = (index: IndexForm, change: Partial<IndexForm>): void =>
    onChange({ indexes: putPart(form.indexes, index, change) });
  return (
    <PartList
      title="Indexes"
      addLabel="Add index"
      onAdd={add}
      hint={form.indexes.length === 0 ? 'No other indexes.' : undefined}
    >
      {form.indexes.map((index, position) => (
        <Part
          key={index.key}
          label={index.name === '' ? `index ${position + 1}` : index.name}
          isDropped={index.isDropped}
          onToggle={() => onChange({ indexes: togglePart(form.indexes, index) })}
        >
          <NativeSelect
            size="xs"
            aria-label={`Kind of index ${position + 1}`}
            data={KINDS}
            value={index.type}
            disabled={index.isFixed}
            onChange={(event) => put(index, { type: event.currentTarget.value as IndexType })}
          />
          <ColumnChoice
            label={`Columns of index ${position + 1}`}
            form={form}
            chosen={index.columns}
            isFixed={index.isFixed}
            onChange={(columns) => put(index, { columns })}
          />
        </Part>
      ))}
    </PartList>
  );
}

const KINDS = [
  { value: 'plain', label: 'index' },
  { value: 'unique', label: 'unique' },
  { value: 'fulltext', label: 'full text' },
  { value: 'spatial', label: 'spatial' },
];
const ACTIONS = [
  { value: 'restrict', label: 'Restrict' },
  { value: 'cascade', label: 'Cascade' },
  { value: 'set null', label: 'Set to NULL' },
  { value: 'no action', label: 'No action' },
];

export function ForeignKeyFields({
  form,
  onChange,
  tables,
}: PartsProps & { readonly tables: readonly TableView[] }) {
  const others = tables.filter((table) => table.kind === 'table');
  const add = (): void =>
    onChange({
      foreignKeys: [
        ...form.foreignKeys,
        {
          key: makeKey(form),
          from: null,
          name: '',
          isDropped: false,
          columns: [],
          to: '',
          toColumns: [],
          onDelete: 'restrict',
          onUpdate: 'restrict',
        },
      ],
    });
  const put = (key: ForeignKeyForm, change: Partial<ForeignKeyForm>): void =>
    onChange({ foreignKeys: putPart(form.foreignKeys, key, change) });
  return (
    <PartList
      title="Foreign keys"
      addLabel="Add foreign key"
      onAdd={add}
      hint={form.foreignKeys.length === 0 ? 'No foreign keys.' : undefined}
    >
      {form.foreignKeys.map((key, index) => {
        const target = others.find((table) => table.name === key.to);
        return (
          <Part
            key={key.key}
            label={key.name === '' ? `foreign key ${index + 1}` : key.name}
            isDropped={key.isDropped}
            onToggle={() => onChange({ foreignKeys: togglePart(form.foreignKeys, key) })}
          >
            {key.columns.length > 1 ? (
              <span className="rh-mono">{key.columns.join(', ')}</span>
            ) : (
              <NativeSelect
                size="xs"
                label="Column"
                aria-label={`Column of foreign key ${index + 1}`}
                data={['', ...listColumns(form)]}
                value={key.columns[0] ?? ''}
                onChange={(event) =>
                  put(key, { columns: event.currentTarget.value === '' ? [] : [event.currentTarget.value] })
                }
              />
            )}
            <NativeSelect
              size="xs"
              label="References"
              aria-label={`Table of foreign key ${index + 1}`}
              data={['', ...others.map((table) => table.name)]}
              value={key.to}
              onChange={(event) =>
                put(key, {
                  to: event.currentTarget.value,
                  toColumns: [
                    ...(others.find((table) => table.name === event.currentTarget.value)?.primaryKey ?? []),
                  ].slice(0, 1),
                })
              }
            />
            {key.toColumns.length > 1 ? (
              <span className="rh-mono">{key.toColumns.join(', ')}</span>
            ) : (
              <NativeSelect
                size="xs"
                label="Column"
                aria-label={`Referenced column of foreign key ${index + 1}`}
                data={['', ...(target?.columns.map((column) => column.name) ?? [])]}
                value={key.toColumns[0] ?? ''}
                onChange={(event) =>
                  put(key, { toColumns: event.currentTarget.value === '' ? [] : [event.currentTarget.value] })
                }
              />
            )}
            <NativeSelect
              size="xs"
              label="On delete"
              aria-label={`On delete of foreign key ${index + 1}`}
              data={ACTIONS}
              value={key.onDelete}
              onChange={(event) => put(key, { onDelete: event.currentTarget.value })}
            />
          </Part>
        );
      })}
    </PartList>
  );
}

export function CheckFields({ form, onChange }: PartsProps) {
  const add = (): void =>
    onChange({
      checks: [
        ...form.checks,
        { key: makeKey(form), from: null, name: '', isDropped: false, expression: '' },
      ],
    });
  return (
    <PartList
      title="Checks"
      addLabel="Add check"
      onAdd={add}
      hint={
        form.checks.length === 0
          ? 'No checks. A check is a condition every row must meet, such as price >= 0.'
          : undefined
      }
    >
      {form.checks.map((check, index) => (
        <Part
          key={check.key}
          label={check.name === '' ? `check ${index + 1}` : check.name}
          isDropped={check.isDropped}
          onToggle={() => onChange({ checks: togglePart(form.checks, check) })}
        >
          <TextInput
            className={classes.wide}
            size="xs"
            aria-label={`Expression of check ${index + 1}`}
            value={check.expression}
            spellCheck={false}
            onChange={(event) =>
              onChange({
                checks: putPart<CheckForm>(form.checks, check, { expression: event.currentTarget.value }),
              })
            }
          />
        </Part>
      ))}
    </PartList>
  );
}

function PartList({
  title,
  addLabel,
  onAdd,
  hint,
  children,
}: {
  title: string;
  addLabel: string;
  onAdd: () => void;
  hint: string | undefined;
  children: ReactNode;
}) {
  return (
    <section className={classes.parts} aria-label={title}>
      <div className={classes.partsHead}>
        <h3>{title}</h3>
        <Button size="compact-xs" variant="default" leftSection={<IconPlus size={13} />} onClick={onAdd}>
          {addLabel}
        </Button>
      </div>
      {hint === undefined ? null : <p className={classes.hint}>{hint}</p>}
      <ul>{children}</ul>
    </section>
  );
}

function Part({
  label,
  isDropped,
  onToggle,
  children,
}: {
  label: string;
  isDropped: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  return (
    <li className={classes.part} data-dropped={isDropped || undefined}>
      {isDropped ? <s className="rh-mono">{label}</s> : <div className={classes.partFields}>{children}</div>}
      <ActionIcon size={26} aria-label={isDropped ? `Keep ${label}` : `Drop ${label}`} onClick={onToggle}>
        {isDropped ? <IconArrowBackUp size={15} /> : <IconTrash size={15} />}
      </ActionIcon>
    </li>
  );
}

function ColumnChoice({
  label,
  form,
  chosen,
  isFixed,
  onChange,
}: {
  label: string;
  form: TableForm;
  chosen: readonly string[];
  isFixed: boolean;
  onChange: (columns: string[]) => void;
}) {
  return (
    <fieldset className={classes.choice}>
      <legend className="rh-spoken">{label}</legend>
      {form.columns
        .filter((column) => !column.isDropped && column.name !== '')
        .map((column) => (
          <Checkbox
            key={column.key}
            size="xs"
            label={column.name}
            checked={chosen.includes(column.key)}
            disabled={isFixed}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? [...chosen, column.key]
                  : chosen.filter((entry) => entry !== column.key),
              )
            }
          />
        ))}
    </fieldset>
  );
}

function listColumns(form: TableForm): { value: string; label: string }[] {
  return form.columns
    .filter((column) => !column.isDropped && column.name !== '')
    .map((column) => ({ value: column.key, label: column.name }));
}

interface AnyPart {
  readonly key: string;
  readonly from: string | null;
  readonly isDropped: boolean;
}

function putPart<Form extends AnyPart>(parts: readonly Form[], part: Form, change: Partial<Form>): Form[] {
  return parts.map((entry) => (entry.key === part.key ? { ...entry, ...change } : entry));
}

/**
 * Removes a part of the table. A new part disappears at once. An existing part is marked as dropped, which
 * the user can undo.
 */
function togglePart<Form extends AnyPart>(parts: readonly Form[], part: Form): Form[] {
  if (part.from === null) return parts.filter((entry) => entry.key !== part.key);
  return parts.map((entry) => (entry.key === part.key ? { ...entry, isDropped: !entry.isDropped } : entry));
}
