import { TRANSFER_METHOD } from './write-galera-transfer.mjs';

/**
 * What makes a MariaDB server a node of a Galera cluster on loopback. Every port of a node is its own, so that several
 * live on one machine.
 *
 * @typedef {object} GaleraNode
 * @property {string} name
 * @property {number} groupPort where nodes talk to each other
 * @property {number} transferPort where a node that comes back is brought up to date
 *
 * @param {object} input
 * @param {string} input.provider path of the library
 * @param {string} input.cluster name of the cluster
 * @param {GaleraNode} input.node
 * @param {readonly GaleraNode[]} input.nodes all of the cluster, this one included
 * @param {boolean} input.isFirst begins the cluster instead of joining it
 * @param {string | null} input.position where this node stands, as its recovery has found: `uuid:seqno`
 * @returns {string[]}
 */
export function listGaleraFlags({ provider, cluster, node, nodes, isFirst, position }) {
  const others = nodes.filter((one) => one.name !== node.name).map((one) => `127.0.0.1:${one.groupPort}`);
  const options = [
    `gmcast.listen_addr=tcp://127.0.0.1:${node.groupPort}`,
    `ist.recv_addr=127.0.0.1:${node.transferPort}`,
    // What a node missed while it was away has to be there still when it comes back.
    'gcache.size=256M',
  ];
  return [
    '--binlog-format=ROW', '--innodb-autoinc-lock-mode=2', '--default-storage-engine=InnoDB',
    // A node keeps write sets by way of a binary log, and then lets only SUPER make triggers and functions.
    '--log-bin-trust-function-creators=ON',
    '--wsrep-on=ON', `--wsrep-provider=${provider}`, `--wsrep-provider-options=${options.join(';')}`,
    `--wsrep-cluster-name=${cluster}`, `--wsrep-cluster-address=gcomm://${others.join(',')}`,
    `--wsrep-node-name=${node.name}`, `--wsrep-node-address=127.0.0.1:${node.groupPort}`,
    // Nodes begin from one data folder and are brought up to date by write sets alone.
    `--wsrep-sst-method=${TRANSFER_METHOD}`,
    ...(isFirst ? ['--wsrep-new-cluster'] : []),
    ...(position === null ? [] : [`--wsrep-start-position=${position}`]),
  ];
}

/** The last position that `--wsrep-recover` has written into a log; null where it found none. @param {string} log */
export function readRecoveredPosition(log) {
  const found = [...log.matchAll(/WSREP: Recovered position:\s*([0-9a-f-]{36}:-?\d+)/g)].at(-1)?.[1];
  return found ?? null;
}
