import { isTimeRange, type TimeRange } from '../../ui/formatting/time-ranges.js';

/** The search parameters of the team page. */
export interface TeamSearch {
  readonly tab?: 'audit';
  readonly invite?: boolean;
  readonly action?: string;
  readonly account?: string;
  readonly range?: TimeRange;
}

export function readTeamSearch(search: Record<string, unknown>): TeamSearch {
  const text = (name: 'action' | 'account'): object =>
    typeof search[name] === 'string' && /^[\w.]{1,64}$/.test(search[name]) ? { [name]: search[name] } : {};
  return {
    ...(search['tab'] === 'audit' ? { tab: 'audit' as const } : {}),
    ...(search['invite'] === true ? { invite: true } : {}),
    ...text('action'),
    ...text('account'),
    ...(isTimeRange(search['range']) ? { range: search['range'] } : {}),
  };
}
