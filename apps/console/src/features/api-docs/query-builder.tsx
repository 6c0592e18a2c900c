import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { writeSort } from '../../data/rows/parameter-names.js';
import type { TableView } from '../../data/schema/read-tables.js';
import classes from './api-docs.module.css';
import { OPERATORS, type ListQuery, type QueryFilter } from './list-query.js';

/** Fields that build the query of a list request. The examples next to them follow each change. */
export function QueryBuilder({
  table,
  query,
  onChange,
}: {
  table: TableView;
  query: ListQuery;
  onChange: (query: ListQuery) => void;
}) {
  const columns = table.columns.map((column) => column.name);
  const put = (position: number, change: Partial<QueryFilter>): void =>
    onChange({
      ...query,
      filters: query.filters.map((filter, index) => (index === position ? { ...filter, ...change } : filter)),
    });
  return (
    <div className={classes.builder} role="group" aria-label="Filters">
      {query.filters.map((filter, position) => (
        <div key={position} className={classes.filter}>
          <NativeSelect
            size="xs"
            aria-label={`Column of filter ${position + 1}`}
            data={columns}
            value={filter.column}
            onChange={(event) => put(position, { column: event.currentTarget.value })}
          />
          <NativeSelect
            size="xs"
            aria-label={`Comparison of filter ${position + 1}`}
            data={[...OPERATORS]}
            value={filter.operator}
            onChange={(event) => put(position, { operator: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            aria-label={`Value of filter ${position + 1}`}
            value={filter.value}
            onChange={(event) => put(position, { value: event.currentTarget.value })}
          />
          <ActionIcon
            size={28}
            aria-label={`Remove filter ${position + 1}`}
            onClick={() =>
              onChange({ ...query, filters: query.filters.filter((_, index) => index !== position) })
            }
          >
            <IconTrash size={15} />
          </ActionIcon>
        </div>
      ))}
      <div className={classes.filter}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={13} />}
          onClick={() =>
            onChange({
              ...query,
              filters: [...query.filters, { column: columns[0] ?? '', operator: 'eq', value: '' }],
            })
          }
        >
          Add filter
        </Button>
        <NativeSelect
          size="xs"
          aria-label="Sort"
          data={[
            { value: '', label: 'No sorting' },
            ...columns.flatMap((column) => [
              { value: writeSort({ column, isDescending: false }), label: `${column} ↑` },
              { value: writeSort({ column, isDescending: true }), label: `${column} ↓` },
            ]),
          ]}
          value={query.sort}
          onChange={(event) => onChange({ ...query, sort: event.currentTarget.value })}
        />
        {table.relationships.length > 0 ? (
          <NativeSelect
            size="xs"
            aria-label="Include"
            data={[
              { value: '', label: 'No related rows' },
              ...table.relationships.map((relationship) => ({
                value: relationship.name,
                label: `with ${relationship.name}`,
              })),
            ]}
            value={query.include}
            onChange={(event) => onChange({ ...query, include: event.currentTarget.value })}
          />
        ) : null}
        <TextInput
          size="xs"
          w={72}
          aria-label="Limit"
          inputMode="numeric"
          placeholder="limit"
          value={query.limit}
          onChange={(event) => onChange({ ...query, limit: event.currentTarget.value.replaceAll(/\D/g, '') })}
        />
      </div>
    </div>
  );
}
