import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import type { ChangePublisher, RedisClient, JobNotificationProducer } from '@rowhouse/queue';
import type { Logger, Registry } from '@rowhouse/runtime';
import { AccessCheck } from './access/access-check.js';
import { AccessGuard } from './access/access-guard.js';
import { CallerAuthenticator } from './access/authenticator.js';
import { ReachFinder } from './access/reach-finder.js';
import { SessionCookie, SignInCookie } from './access/session-cookie.js';
import type { Config } from './config.js';
import { ErrorFilter } from './http/error-filter.js';
import { RequestConcurrency } from './http/request-concurrency.js';
import { CONTROLLERS } from './modules/controllers.js';
import { SERVICES } from './modules/services.js';
import { AuditOutbox } from './platform/audit-outbox.js';
import { AuditWriter } from './platform/audit-writer.js';
import { ChangeLog } from './platform/change-log.js';
import { Secrets } from './platform/secrets.js';
import { TaskRunner } from './platform/task-runner.js';
import { CHANGE_PUBLISHER, CONFIG, LOGGER, REDIS, JOB_NOTIFICATION_PRODUCER } from './platform/tokens.js';
import { PlatformDb } from './platform-db/platform-db.js';

/**
 * The configuration and the connections that are opened before Nest starts. The code that created them closes
 * them.
 */
export interface Resources {
  readonly config: Config;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly db: PlatformDb;
  readonly redis: RedisClient;
  readonly changePublisher: ChangePublisher;
  readonly notificationProducer: JobNotificationProducer;
}

@Module({})
export class AppModule {
  static create(resources: Resources): DynamicModule {
    return {
      module: AppModule,
      imports: [DiscoveryModule],
      controllers: CONTROLLERS,
      providers: [...toProviders(resources), ...PARTS, ...SERVICES],
    };
  }
}

const PARTS: Provider[] = [
  AccessCheck,
  AuditOutbox,
  AuditWriter,
  CallerAuthenticator,
  ChangeLog,
  ReachFinder,
  TaskRunner,
  { provide: APP_GUARD, useClass: AccessGuard },
  { provide: APP_INTERCEPTOR, useClass: RequestConcurrency },
];

function toProviders({
  config,
  logger,
  db,
  redis,
  changePublisher,
  notificationProducer,
}: Resources): Provider[] {
  return [
    { provide: CONFIG, useValue: config },
    { provide: LOGGER, useValue: logger },
    { provide: REDIS, useValue: redis },
    { provide: CHANGE_PUBLISHER, useValue: changePublisher },
    { provide: JOB_NOTIFICATION_PRODUCER, useValue: notificationProducer },
    { provide: PlatformDb, useValue: db },
    { provide: Secrets, useValue: new Secrets(config) },
    { provide: SessionCookie, useValue: new SessionCookie(config.publicUrl) },
    { provide: SignInCookie, useValue: new SignInCookie(config.publicUrl) },
    { provide: APP_FILTER, useValue: new ErrorFilter(logger) },
  ];
}
