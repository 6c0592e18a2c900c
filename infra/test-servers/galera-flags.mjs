import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name under which MariaDB looks for the script: `wsrep_sst_<method>` on PATH. */
const TRANSFER_METHOD = 'rowhouse';

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
/**
 * Returns the flags that make a MariaDB server a node of a Galera cluster on loopback. Every node has its own
 * ports, so that several run on one machine.
 * @typedef {object} GaleraNode
 * @property {string} name
 * @property {number} groupPort the port on which nodes communicate
 * @property {number} transferPort the port on which a returning node receives missed changes
 * @param {object} input
 * @param {string} input.provider path of the library
 * @param {string} input.cluster name of the cluster
 * @param {GaleraNode} input.node
 * @param {readonly GaleraNode[]} input.nodes all nodes of the cluster, this one included
 * @param {boolean} input.isFirst whether the node begins the cluster instead of joining it
 * @param {string | null} input.position the position of this node that its recovery has found, as
 *   `uuid:seqno`
 * @returns {string[]}
 */
export function listGaleraFlags({ provider, cluster, node, nodes, isFirst, position }) {
  const others = nodes.filter((item) => item.name !== node.name).map((item) => `127.0.0.1:${item.groupPort}`);
  const options = [
    `gmcast.listen_addr=tcp://127.0.0.1:${node.groupPort}`,
    `ist.recv_addr=127.0.0.1:${node.transferPort}`,
    // The cache must still hold the write sets that a node missed when it returns.
    'gcache.size=256M',
  ];
  return [
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--default-storage-engine=InnoDB',
    // With Galera, the binary log is on, and then only SUPER may create triggers and functions.
    '--log-bin-trust-function-creators=ON',
    '--wsrep-on=ON',
    `--wsrep-provider=${provider}`,
    `--wsrep-provider-options=${options.join(';')}`,
    `--wsrep-cluster-name=${cluster}`,
    `--wsrep-cluster-address=gcomm://${others.join(',')}`,
    `--wsrep-node-name=${node.name}`,
    `--wsrep-node-address=127.0.0.1:${node.groupPort}`,
    // All nodes start with copies of the same data folder, so they only need write sets and no full state
    // transfer.
    `--wsrep-sst-method=${TRANSFER_METHOD}`,
    ...(isFirst ? ['--wsrep-new-cluster'] : []),
    ...(position === null ? [] : [`--wsrep-start-position=${position}`]),
  ];
}

/**
 * Returns the last position that `--wsrep-recover` wrote into a log. Returns null when the log has none.
 * @param {string} log
 */
export function readRecoveredPosition(log) {
  const found = [...log.matchAll(/WSREP: Recovered position:\s*([0-9a-f-]{36}:-?\d+)/g)].at(-1)?.[1];
  return found ?? null;
}

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
