import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name under which MariaDB looks for the script: `wsrep_sst_<method>` on PATH. */
export const TRANSFER_METHOD = 'rowhouse';

/**
 * Writes the script by which nodes on one machine agree on a state transfer, for suites without rsync. A node
 * can be brought up to date by write sets; the donor then calls the script with `--bypass`. A node that needs
 * a whole data folder is rejected. The two sides share a folder that the joiner creates.
 * @param {string} folder the folder to put on PATH
 */
export function writeGaleraTransfer(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `wsrep_sst_${TRANSFER_METHOD}`), SCRIPT, { mode: 0o700 });
}

const SCRIPT = `#!/bin/sh
role= address= gtid= parent= datadir= bypass=
while [ $# -gt 0 ]; do
  case "$1" in
    --role) role=$2; shift ;;
    --address) address=$2; shift ;;
    --gtid) gtid=$2; shift ;;
    --parent) parent=$2; shift ;;
    --datadir) datadir=$2; shift ;;
    --bypass) bypass=1 ;;
  esac
  shift
done
case "$role" in
  joiner)
    meeting="\${datadir%/}/../transfer"
    rm -rf "$meeting"
    mkdir -p "$meeting"
    meeting=$(cd "$meeting" && pwd)
    echo "ready 127.0.0.1:1/$meeting"
    while [ ! -f "$meeting/gtid" ]; do
      kill -0 "$parent" 2>/dev/null || exit 1
      sleep 0.05
    done
    cat "$meeting/gtid"
    ;;
  donor)
    [ -n "$bypass" ] || exit 1
    meeting="/\${address#*//}"
    echo "$gtid" > "$meeting/gtid.new"
    mv "$meeting/gtid.new" "$meeting/gtid"
    echo "done $gtid"
    ;;
  *) exit 1 ;;
esac
`;
