import { TRANSFER_METHOD } from './write-galera-transfer.mjs';

/**
 * Returns the flags that make a MariaDB server a node of a Galera cluster on loopback. Every node has its own
 * ports, so that several run on one machine.
 * @typedef {object} GaleraNode
 * @property {string} name
 * @property {number} groupPort on which nodes communicate
 * @property {number} transferPort on which a returning node is brought up to date
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
    // Nodes begin with copies of one data folder, so write sets alone bring them up to date.
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
