import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '@rowhouse/errors';
import { createGate, createGateMap, type Gate, type GateMap } from '@rowhouse/admission';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { AccessCheck } from '../access/access-check.js';
import { ROUTE_SPEC, type RouteSpec, type CostClass } from './route-spec.js';

interface Bounds {
  /** The maximum number of requests that run at once, per account and in total. */
  readonly ofAccountMax: number;
  readonly ofAllMax: number;
  /** The maximum number of waiting requests of an account. */
  readonly waitingMax: number;
  readonly waitMs: number;
}

const BOUNDS: Readonly<Record<CostClass, Bounds>> = {
  // The limit for an account is low, because requests that change the same row wait for each other, and each
  // of them holds one of the ten connections to the platform database.
  light: { ofAccountMax: 6, ofAllMax: 128, waitingMax: 256, waitMs: 15_000 },
  // A page of the console sends three or four requests of this class.
  read: { ofAccountMax: 4, ofAllMax: 16, waitingMax: 32, waitMs: 10_000 },
  // The limit equals the number of worker slots of an account, which is eight.
  plan: { ofAccountMax: 8, ofAllMax: 64, waitingMax: 24, waitMs: 15_000 },
};
/** The maximum number of waiting requests in total. */
const ALL_WAITING_MAX = 256;
/**
 * The idle time of a response in milliseconds. A client that reads nothing for this long loses its slot and
 * the response.
 */
const ANSWER_IDLE_MS = 60_000;
/** If a request waited longer than this, in milliseconds, the caller's access is checked again. */
const ADMITTED_MS_MAX = 20;
const SWEEP_INTERVAL_MS = 60_000;

interface Gates {
  readonly ofAccounts: GateMap;
  readonly ofAll: Gate;
}

/**
 * Limits the requests that run at the same time, for each account and in total. A waiting request holds
 * neither schemas nor database connections. A running request holds its slot until the client has received
 * the response, which may have megabytes. Further requests get 429 `limit.concurrency` (limit of the account)
 * or 503 `limit.busy` (total limit). Each process counts separately. After a wait, the caller's access is
 * checked again, so that a removed member cannot keep requests waiting.
 */
@Injectable()
export class RequestConcurrency implements NestInterceptor, OnModuleDestroy {
  readonly #gates: Readonly<Record<CostClass, Gates>> = {
    light: openGates(BOUNDS.light),
    read: openGates(BOUNDS.read),
    plan: openGates(BOUNDS.plan),
  };
  readonly #sweeper = setInterval(() => {
    for (const { ofAccounts } of Object.values(this.#gates)) ofAccounts.sweep();
  }, SWEEP_INTERVAL_MS).unref();

  constructor(
    private readonly reflector: Reflector,
    private readonly access: AccessCheck,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const spec = this.reflector.get<RouteSpec | undefined>(ROUTE_SPEC, context.getHandler());
    const costClass = spec?.costClass === undefined ? 'light' : spec.costClass;
    const req = context.switchToHttp().getRequest<FastifyRequest>();
    const { caller } = req;
    if (spec === undefined || costClass === null || caller === null) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { raw } = reply;
    const admittedAt = performance.now();
    const { ofAccounts, ofAll } = this.#gates[costClass];
    const leaveAccount = await ofAccounts.of(caller.account.id).enter();
    const leaveAll = await ofAll.enter().catch((error: unknown) => {
      leaveAccount();
      throw error;
    });
    const leave = (): void => {
      leaveAll();
      whenTaken(raw, leaveAccount);
    };
    try {
      if (raw.destroyed)
        throw new AppError('request.timeout', { internal: 'the client has gone while its call waited' });
      if (performance.now() - admittedAt > ADMITTED_MS_MAX)
        await this.access.assertAdmitted(spec.access, req, reply);
    } catch (error) {
      leave();
      throw error;
    }
    return next.handle().pipe(finalize(leave));
  }

  onModuleDestroy(): void {
    clearInterval(this.#sweeper);
  }
}

function openGates({ ofAccountMax, ofAllMax, waitingMax, waitMs }: Bounds): Gates {
  return {
    ofAccounts: createGateMap({
      runningMax: ofAccountMax,
      waitingMax,
      waitMs,
      toError: () =>
        new AppError('limit.concurrency', {
          retryAfterSeconds: 2,
          detail:
            `An account can run at most ${ofAccountMax} requests of this kind at once, and ${waitingMax} ` +
            'more can wait.',
          hint: 'Send fewer at once.',
        }),
    }),
    ofAll: createGate({
      runningMax: ofAllMax,
      waitingMax: ALL_WAITING_MAX,
      waitMs,
      toError: () =>
        new AppError('limit.busy', {
          retryAfterSeconds: 2,
          detail: 'The control plane has more requests of this kind than it can serve in time.',
          internal: 'concurrent requests',
        }),
    }),
  };
}

/** Calls `act` once the response was sent or the client has disconnected. */
function whenTaken(raw: ServerResponse, act: () => void): void {
  if (raw.destroyed || raw.closed) return act();
  raw.once('close', act);
  // Requests of MCP tools come from this process and have no socket.
  if (raw.socket instanceof Socket) raw.setTimeout(ANSWER_IDLE_MS, () => raw.destroy());
}
