/**
 * Job notifications for workers, and messages between the processes of a cell. They are sent over typed,
 * signed channels in Redis. A message may be lost: the rows in the platform database determine what to do,
 * and messages only save time.
 */
export {
  createChangePublisher,
  createChangeSubscriber,
  type ChangePublisher,
  type ChangeSubscriber,
  type ChangeSubscriberOptions,
} from './change-channel.js';
export { countIgnored } from './signed-channel.js';
export { createRateChannel, type RateChannel } from './rate-channel.js';
export type { BoardResponse, QueueBoard } from './queue-board.js';
export { connectRedis, type RedisClient } from './redis.js';
export type { JobNotificationConsumer, JobNotificationProducer } from './job-notification-queue.js';
export type { ChannelSigner, IgnoredReason } from './signed-channel.js';
