import { Injectable } from '@nestjs/common';
import { formatSlot } from '@rowhouse/credentials';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { routePlan, type GatewayLoad } from './route-plan.js';

export interface RoutesResponse {
  /** The running gateways. */
  gateways: string[];
  /** The busiest slots in descending order. */
  items: { slot: string; requests_per_second: number; kind: 'one' | 'spread'; gateways: string[] }[];
}

/** The period over which the request rate of a slot is measured. */
const WINDOW_MINUTES = 10;
const SLOTS_MAX = 1_000;

/**
 * Plans which gateways serve the busiest slots of the cell. Nothing is stored, because any gateway can serve
 * any database.
 */
@Injectable()
export class RouteService {
  constructor(private readonly db: PlatformDb) {}

  /** @param capacityPerSecond the request rate that one gateway can serve */
  async list(capacityPerSecond: number): Promise<RoutesResponse> {
    const [gateways, slots] = await Promise.all([this.listGateways(), this.listBusySlots()]);
    if (gateways.length === 0) return { gateways, items: [] };
    const loads = new Map(gateways.map((name) => [name, 0]));
    const items = slots.map(({ slot, requestsPerSecond }) => {
      const known: GatewayLoad[] = [...loads].map(([name, load]) => ({
        name,
        requestsPerSecond: load,
        capacityPerSecond,
      }));
      const plan = routePlan({ id: slot, requestsPerSecond }, known);
      const serving = plan.kind === 'one' ? plan.gateways.slice(0, 1) : plan.gateways;
      for (const name of serving)
        loads.set(name, (loads.get(name) ?? 0) + requestsPerSecond / serving.length);
      return { slot, requests_per_second: requestsPerSecond, kind: plan.kind, gateways: [...plan.gateways] };
    });
    return { gateways, items };
  }

  private async listGateways(): Promise<string[]> {
    const rows = await this.db.cell.query<{ gateway_id: string }[]>(
      'SELECT gateway_id FROM gateway_lease WHERE cell_id = ? AND expires_at > UTC_TIMESTAMP(3) ORDER BY gateway_id',
      [this.db.cellId],
    );
    return rows.map((row) => row.gateway_id);
  }

  /** Lists the busiest slots in descending order of their rate. */
  private async listBusySlots(): Promise<{ slot: string; requestsPerSecond: number }[]> {
    const rows = await this.db.cell.query<{ slot: number; requests: string }[]>(
      `SELECT d.slot, SUM(u.requests) AS requests
         FROM usage_minute u JOIN tenant_database d ON d.id = u.database_id
        WHERE u.cell_id = ? AND u.minute >= UTC_TIMESTAMP() - INTERVAL ? MINUTE AND d.deleted_at IS NULL
        GROUP BY d.slot ORDER BY requests DESC, d.slot LIMIT ?`,
      [this.db.cellId, WINDOW_MINUTES, SLOTS_MAX],
    );
    return rows.map((row) => ({
      slot: formatSlot(row.slot),
      requestsPerSecond: Number(row.requests) / (WINDOW_MINUTES * 60),
    }));
  }
}
