import { createTerminalReport } from '@rowhouse/local/report';
import { startOtherEngine, type TestMysql } from '@rowhouse/local/start-test-servers';

export interface OtherServer {
  readonly mysql: TestMysql;
  stop(): Promise<void>;
}

/** One more private server of the same engine, beside the run's own: for what goes from server to server. */
export function startOtherServer(like: Pick<TestMysql, 'engine'>): Promise<OtherServer> {
  return startOtherEngine(like.engine, createTerminalReport()) as Promise<OtherServer>;
}
