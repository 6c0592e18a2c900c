/**
 * Reads the state of a Galera node. A node without quorum, or one that is joining its cluster, accepts
 * connections but rejects nearly all statements with error 1047. Only its status shows this.
 */
export const GALERA_STATE_SQL =
  "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_local_state', 'wsrep_cluster_status', 'wsrep_cluster_state_uuid', 'wsrep_cluster_size', 'wsrep_gcomm_uuid')";

export interface GaleraState {
  /**
   * `synced`: the node is up to date, or will be soon. `donor`: it sends its data to another node and may be
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
 * Reads the node's state from status variables. Returns null if there are no rows, because the server is then
 * not a Galera node.
 * @param rows the name and value of each variable
 */
export function readGaleraState(rows: readonly (readonly [name: string, value: string])[]): GaleraState {
  const values = new Map(rows.map(([name, value]) => [name.toLowerCase(), value]));
  const identity = {
    clusterId: values.get('wsrep_cluster_state_uuid') ?? '',
    nodeId: values.get('wsrep_gcomm_uuid') ?? '',
    clusterSize: Number(values.get('wsrep_cluster_size') ?? 0),
  };
  const isServing = values.get('wsrep_ready') === 'ON' && values.get('wsrep_cluster_status') === 'Primary';
  const state = values.get('wsrep_local_state');
  if (!isServing || (state !== SYNCED_STATE && state !== DONOR_STATE)) return { kind: 'away', ...identity };
  return { kind: state === SYNCED_STATE ? 'synced' : 'donor', ...identity };
}

/**
 * Makes reads and writes wait until the node has applied everything that the cluster acknowledged before. The
 * value is a bit mask: 1 is for reads and BEGIN, 2 for UPDATE and DELETE, 4 for INSERT and REPLACE. A record
 * that was created on one node is therefore visible on all nodes.
 */
export const GALERA_WAIT = 'wsrep_sync_wait=7';
