import type { KeyResponse } from '@rowhouse/contracts';
import { NativeSelect } from '@mantine/core';
import { FilterBar } from '../../ui/controls/filter-bar.js';
import { SettledInput } from '../../ui/controls/settled-input.js';
import { TimeRangeSelect } from '../../ui/controls/time-range-select.js';
import type { LogSearch } from './log-search.js';

const STATUS_CHOICES = [
  { value: '', label: 'Any' },
  { value: '2xx', label: '2xx success' },
  { value: '4xx', label: '4xx client error' },
  { value: '5xx', label: '5xx server error' },
  { value: '401', label: '401 unauthorized' },
  { value: '404', label: '404 not found' },
  { value: '422', label: '422 invalid request' },
  { value: '429', label: '429 rate-limited' },
];
const SLOW_CHOICES = [
  { value: '', label: 'Any' },
  { value: '50', label: 'Over 50 ms' },
  { value: '250', label: 'Over 250 ms' },
  { value: '1000', label: 'Over 1 s' },
];

interface LogFiltersProps {
  readonly search: LogSearch;
  readonly keys: readonly KeyResponse[];
  readonly onChange: (part: { [Name in keyof LogSearch]?: LogSearch[Name] | undefined }) => void;
  readonly onClear: () => void;
}

export function LogFilters({ search, keys, onChange, onClear }: LogFiltersProps) {
  const { live: _live, line: _line, console: _console, ...filters } = search;
  const known = STATUS_CHOICES.some((choice) => choice.value === (search.status ?? ''));
  const statuses = known
    ? STATUS_CHOICES
    : [...STATUS_CHOICES, { value: search.status ?? '', label: search.status ?? '' }];
  const keyChoices = [
    { value: '', label: 'Any' },
    ...keys.map((key) => ({ value: key.id, label: `${key.name} …${key.last4}` })),
  ];
  if (search.key !== undefined && !keys.some((key) => key.id === search.key))
    keyChoices.push({ value: search.key, label: search.key });
  return (
    <FilterBar label="Filter requests" isFiltered={Object.keys(filters).length > 0} onClear={onClear}>
      <TimeRangeSelect range={search.range} onChange={(range) => onChange({ range })} />
      <NativeSelect
        size="xs"
        label="Status"
        data={statuses}
        value={search.status ?? ''}
        onChange={(event) => onChange({ status: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        size="xs"
        label="Duration"
        data={SLOW_CHOICES}
        value={search.slow === undefined ? '' : String(search.slow)}
        onChange={(event) => onChange({ slow: Number(event.currentTarget.value) || undefined })}
      />
      <NativeSelect
        size="xs"
        label="Key"
        data={keyChoices}
        value={search.key ?? ''}
        onChange={(event) => onChange({ key: event.currentTarget.value || undefined })}
      />
      <SettledInput
        size="xs"
        label="Route"
        placeholder="GET /posts/{id}"
        value={search.route ?? ''}
        onSettle={(value) => onChange({ route: value.trim() || undefined })}
      />
      <SettledInput
        size="xs"
        label="Request ID"
        placeholder="req_…"
        value={search.request ?? ''}
        onSettle={(value) => onChange({ request: value.trim() || undefined })}
      />
    </FilterBar>
  );
}
