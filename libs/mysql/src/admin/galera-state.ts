/**
 * Reads the state of a Galera node. Only its status shows whether it serves. A node without quorum, or one
 * that is joining, accepts connections and rejects nearly every statement with 1047.
 */
export const GALERA_STATE_SQL =
  "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_local_state', 'wsrep_cluster_status', 'wsrep_cluster_state_uuid', 'wsrep_cluster_size', 'wsrep_gcomm_uuid')";

export interface GaleraState {
  /**
   * `synced`: the node is up to date or about to be. `donor`: it sends its state to another node and may be
   * blocked. `away`: it rejects statements.
   */
  readonly kind: 'synced' | 'donor' | 'away';
  /** The id shared by all nodes of a cluster. Empty without a cluster. */
  readonly clusterId: string;
  /** The id of this node since it joined. Empty if unknown. */
  readonly nodeId: string;
  /** The number of nodes in the cluster, as seen by this node. 0 if unknown. */
  readonly clusterSize: number;
}

const DONOR_STATE = '2';
const SYNCED_STATE = '4';

/**
 * Reads the state from status variables. Without rows, the server is not a Galera node.
 *
 * @param rows the name and value of each variable
 */
export function readGaleraState(rows: readonly (readonly [name: string, value: string])[]): GaleraState {
  const values = new Map(rows.map(([name, value]) => [name.toLowerCase(), value]));
  const reported = {
    clusterId: values.get('wsrep_cluster_state_uuid') ?? '',
    nodeId: values.get('wsrep_gcomm_uuid') ?? '',
    clusterSize: Number(values.get('wsrep_cluster_size') ?? 0),
  };
  const isServing = values.get('wsrep_ready') === 'ON' && values.get('wsrep_cluster_status') === 'Primary';
  const state = values.get('wsrep_local_state');
  if (!isServing || (state !== SYNCED_STATE && state !== DONOR_STATE)) return { kind: 'away', ...reported };
  return { kind: state === SYNCED_STATE ? 'synced' : 'donor', ...reported };
}

/**
 * Reads and writes wait until the node has applied everything the cluster acknowledged before. 1 covers reads
 * and BEGIN, 2 UPDATE and DELETE, 4 INSERT and REPLACE. A record created on one node is therefore visible on
 * all.
 */
export const GALERA_WAIT = 'wsrep_sync_wait=7';
