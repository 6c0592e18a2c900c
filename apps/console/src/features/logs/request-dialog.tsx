import type { RequestItem } from '@rowhouse/contracts';
import { CopyButton } from '../../ui/code/copy-button.js';
import { Dialog } from '../../ui/dialogs/lazy-dialog.js';
import { formatCount, formatMilliseconds } from '../../ui/formatting/format-number.js';
import { Tag } from '../../ui/layout/tag.js';
import classes from './logs.module.css';
import { nameRoute } from './name-route.js';
import { nameKey, toneOfStatus } from './request-table.js';

/** The log stores milliseconds, which tell requests of the same second apart. */
const TIME_FORMAT: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZoneName: 'short',
};

/** Shows all details of a request in the log. The log never contains values, bodies or keys. */
export function RequestDialog({ item, onClose }: { item: RequestItem | null; onClose: () => void }) {
  return (
    <Dialog
      opened={item !== null}
      onClose={onClose}
      size="lg"
      title={item === null ? 'Request' : nameRoute(item.route) || item.method}
    >
      {item === null ? null : (
        <dl className={classes.facts}>
          <div>
            <dt>Method</dt>
            <dd className="rh-mono">{item.method}</dd>
          </div>
          <div className={classes.wide}>
            <dt>Route</dt>
            <dd className="rh-mono">{item.route || 'none'}</dd>
          </div>
          <div>
            <dt>Status</dt>
            <dd>
              <Tag mono tone={toneOfStatus(item.status)}>
                {String(item.status)}
              </Tag>
            </dd>
          </div>
          {item.code === '' ? null : (
            <div>
              <dt>Code</dt>
              <dd className="rh-mono">{item.code}</dd>
            </div>
          )}
          <div>
            <dt>Duration</dt>
            <dd>{formatMilliseconds(item.duration_ms)}</dd>
          </div>
          <div>
            <dt>Rows</dt>
            <dd>{formatCount(item.rows_out)}</dd>
          </div>
          <div>
            <dt>Time</dt>
            <dd>
              <time dateTime={item.at}>{new Date(item.at).toLocaleString(undefined, TIME_FORMAT)}</time>
            </dd>
          </div>
          <div>
            <dt>Key</dt>
            <dd>{nameKey(item)}</dd>
          </div>
          {item.key_id === null ? null : (
            <div className={classes.wide}>
              <dt>Key ID</dt>
              <dd className={classes.id}>
                <code>{item.key_id}</code> <CopyButton text={item.key_id} label="Copy key ID" />
              </dd>
            </div>
          )}
          <div className={classes.wide}>
            <dt>Request ID</dt>
            <dd className={classes.id}>
              <code>{item.request_id}</code> <CopyButton text={item.request_id} label="Copy request ID" />
            </dd>
          </div>
          {item.shape === null ? null : (
            <div className={classes.wide}>
              <dt>Query shape</dt>
              <dd className="rh-mono">{item.shape}</dd>
            </div>
          )}
        </dl>
      )}
    </Dialog>
  );
}
