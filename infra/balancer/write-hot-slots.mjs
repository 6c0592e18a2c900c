/**
 * Writes the map of hot slots for haproxy.cfg, from the control plane's plan of routes. Run it once a minute:
 *
 * - CONTROL_URL=… ROWHOUSE_TOKEN=<token of the operator> node write-hot-slots.mjs /etc/haproxy/hot-slots.map
 *   [requests/s of one gateway]
 *
 * The exit code is 0 when the map has changed; then run `systemctl reload haproxy`. The exit code is 3 when
 * the map is unchanged.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const [file, capacity = '5000'] = process.argv.slice(2);
const { CONTROL_URL: control, ROWHOUSE_TOKEN: token } = process.env;
if (file === undefined || control === undefined || token === undefined) {
  console.error('CONTROL_URL=… ROWHOUSE_TOKEN=… node write-hot-slots.mjs FILE [CAPACITY]');
  process.exit(2);
}
const response = await fetch(new URL(`/api/admin/routes?capacity=${encodeURIComponent(capacity)}`, control), {
  headers: { Authorization: `Bearer ${token}` },
  signal: AbortSignal.timeout(10_000),
});
if (!response.ok) {
  console.error(`The control plane answered ${response.status}: ${await response.text()}`);
  process.exit(1);
}
/** @type {{ items: { slot: string, kind: 'one' | 'spread', gateways: string[] }[] }} */
const { items } = /** @type {any} */ (await response.json());
const map = items
  .filter(({ kind }) => kind === 'spread')
  .map(({ slot, gateways }) => `${slot} ${gateways.length}\n`)
  .sort()
  .join('');
if (existsSync(file) && readFileSync(file, 'utf8') === map) process.exit(3);
writeFileSync(`${file}.new`, map);
renameSync(`${file}.new`, file);
console.log(`${file}: ${map.split('\n').length - 1} hot slots`);
