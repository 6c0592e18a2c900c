import { API_PREFIX } from '@rowhouse/contracts/constants';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { describeOperator, kindOf, operatorsOf } from '../../data/rows/column-kinds.js';
import { listFilterParameters, makeListPath } from '../../data/rows/make-list-path.js';
import type { ColumnView, TableView } from '../../data/schema/read-tables.js';
import { CopyButton } from '../../ui/code/copy-button.js';
import type { RowFilter } from './data-search.js';
import classes from './rows.module.css';

interface FilterBarProps {
  readonly table: TableView;
  readonly filters: readonly RowFilter[];
  readonly sort: string | undefined;
  /** The index of the edited filter. For a new filter, it is the number of existing filters. */
  readonly open: number | null;
  /** The column that the form of a new filter starts with. */
  readonly column: string | undefined;
  readonly onOpen: (index: number | null) => void;
  readonly onChange: (filters: readonly RowFilter[]) => void;
}

/** Shows the active filters, and the URL of the API request with the same filters. */
export function FilterBar({ table, filters, sort, open, column, onOpen, onChange }: FilterBarProps) {
  const parameters = [
    ...listFilterParameters(filters),
    ...(sort === undefined ? [] : [['sort', sort] as const]),
  ];
  const address = makeListPath(table, { filters, sort, select: null });
  return (
    <>
      <div className={classes.filters} role="group" aria-label="Filters">
        {filters.map((filter, index) => (
          <span key={filter.join('\u0000')} className={classes.chip}>
            <button
              type="button"
              onClick={() => onOpen(index)}
              aria-label={`Edit filter ${describeFilter(filter)}`}
            >
              {filter[0]} <em>{describeOperator(filter[1])}</em>{' '}
              {filter[1] === 'isnull'
                ? filter[2] === 'true'
                  ? ''
                  : 'not'
                : filter[2] === ''
                  ? '“”'
                  : filter[2]}
            </button>
            <button
              type="button"
              onClick={() => onChange(filters.filter((_, position) => position !== index))}
              aria-label={`Remove filter ${describeFilter(filter)}`}
            >
              <IconX size={13} />
            </button>
          </span>
        ))}
        {filters.length > 1 ? (
          <button type="button" className={classes.textButton} onClick={() => onChange([])}>
            Clear all
          </button>
        ) : null}
        <span className={classes.address}>
          <code title="API request for these rows">
            GET {API_PREFIX}/{table.path}?{parameters.map(([name, value]) => `${name}=${value}`).join('&')}
          </code>
          <CopyButton text={`${API_PREFIX}${address}`} label="Copy API URL" />
        </span>
      </div>
      {open === null ? null : (
        <FilterForm
          key={`${open} ${column ?? ''}`}
          columns={table.columns}
          column={column}
          filter={filters[open] ?? null}
          onCancel={() => onOpen(null)}
          onApply={(filter) => {
            onChange(open < filters.length ? filters.with(open, filter) : [...filters, filter]);
            onOpen(null);
          }}
        />
      )}
    </>
  );
}

function describeFilter([column, operator, value]: RowFilter): string {
  return `${column} ${describeOperator(operator)} ${value}`;
}

function FilterForm({
  columns,
  column: initialColumn,
  filter,
  onApply,
  onCancel,
}: {
  columns: readonly ColumnView[];
  column: string | undefined;
  filter: RowFilter | null;
  onApply: (filter: RowFilter) => void;
  onCancel: () => void;
}) {
  const [name, setName] = useState(filter?.[0] ?? initialColumn ?? columns[0]?.name ?? '');
  const column = columns.find((candidate) => candidate.name === name);
  const operators = column === undefined ? [] : operatorsOf(column);
  const [operator, setOperator] = useState(filter?.[1] ?? operators[0]?.value ?? 'eq');
  const chosen = operators.find((candidate) => candidate.value === operator);
  const [value, setValue] = useState(filter?.[2] ?? '');
  const choices =
    chosen?.takes === 'flag' || (column !== undefined && kindOf(column) === 'bool')
      ? ['true', 'false']
      : chosen?.takes === 'one' && column?.labels
        ? [...column.labels]
        : null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onApply([name, operator, choices !== null && !choices.includes(value) ? (choices[0] ?? '') : value]);
  };
  const names = columns.some((candidate) => candidate.name === name)
    ? columns.map((candidate) => candidate.name)
    : [name, ...columns.map((candidate) => candidate.name)];
  const pickColumn = (next: string): void => {
    setName(next);
    const found = columns.find((candidate) => candidate.name === next);
    const known = found === undefined ? [] : operatorsOf(found);
    if (!known.some((candidate) => candidate.value === operator)) setOperator(known[0]?.value ?? 'eq');
  };
  return (
    <form
      className={classes.filterForm}
      onSubmit={submit}
      aria-label="Filter"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <NativeSelect
        size="xs"
        label="Column"
        data={names}
        value={name}
        onChange={(event) => pickColumn(event.currentTarget.value)}
        autoFocus
      />
      <NativeSelect
        size="xs"
        label="Condition"
        data={operators.map(({ value: id, label }) => ({ value: id, label }))}
        value={operator}
        onChange={(event) => setOperator(event.currentTarget.value)}
      />
      {choices ? (
        <NativeSelect
          size="xs"
          label="Value"
          data={choices}
          value={choices.includes(value) ? value : (choices[0] ?? '')}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      ) : (
        <TextInput
          size="xs"
          label={chosen?.takes === 'list' ? 'Values, separated by commas' : 'Value'}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      <Button size="xs" type="submit">
        Apply filter
      </Button>
      <Button size="xs" variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
