/**
 * What a Galera node says of itself. Only its status tells whether it serves: a node outside of the quorum, or one that
 * is being filled, takes connections and refuses nearly every statement (1047).
 */
export const GALERA_STATE_SQL = "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_local_state', 'wsrep_cluster_status', 'wsrep_cluster_state_uuid', 'wsrep_cluster_size', 'wsrep_gcomm_uuid')";

export interface GaleraState {
  /** `synced`: it has all that the cluster has, or is about to; `donor`: it fills another node meanwhile, and may stand still; `away`: it refuses statements. */
  readonly kind: 'synced' | 'donor' | 'away';
  /** The same on all nodes of a cluster; '' where there is none. */
  readonly clusterId: string;
  /** Of this node since it joined; '' where it is not told. */
  readonly nodeId: string;
  /** How many nodes take part, as this one sees it; 0 where it is not told. */
  readonly clusterSize: number;
}

const DONOR_STATE = '2';
const SYNCED_STATE = '4';

/** `rows`: name and value of each variable. No row at all is a server that is no node. */
export function readGaleraState(rows: readonly (readonly [name: string, value: string])[]): GaleraState {
  const values = new Map(rows.map(([name, value]) => [name.toLowerCase(), value]));
  const told = {
    clusterId: values.get('wsrep_cluster_state_uuid') ?? '', nodeId: values.get('wsrep_gcomm_uuid') ?? '', clusterSize: Number(values.get('wsrep_cluster_size') ?? 0),
  };
  const isServing = values.get('wsrep_ready') === 'ON' && values.get('wsrep_cluster_status') === 'Primary';
  const state = values.get('wsrep_local_state');
  if (!isServing || (state !== SYNCED_STATE && state !== DONOR_STATE)) return { kind: 'away', ...told };
  return { kind: state === SYNCED_STATE ? 'synced' : 'donor', ...told };
}

/**
 * Reads and writes wait until the node has applied what the cluster had acknowledged before (1: reads and BEGIN, 2: UPDATE
 * and DELETE, 4: INSERT and REPLACE): a record made by way of one node is found by way of each.
 */
export const GALERA_WAIT = 'wsrep_sync_wait=7';
