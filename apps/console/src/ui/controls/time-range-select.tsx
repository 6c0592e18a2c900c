import { NativeSelect } from '@mantine/core';
import { TIME_RANGES, type TimeRange } from '../formatting/time-ranges.js';

interface TimeRangeSelectProps {
  readonly range: TimeRange | undefined;
  readonly onChange: (range: TimeRange | undefined) => void;
}

/** Selects the period that a list covers, such as the last day. */
export function TimeRangeSelect({ range, onChange }: TimeRangeSelectProps) {
  return (
    <NativeSelect
      size="xs"
      label="Time"
      data={[
        { value: '', label: 'Any time' },
        ...Object.entries(TIME_RANGES).map(([value, { label }]) => ({ value, label })),
      ]}
      value={range ?? ''}
      onChange={(event) => onChange((event.currentTarget.value || undefined) as TimeRange | undefined)}
    />
  );
}
