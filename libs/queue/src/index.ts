/**
 * Owns wake-ups of workers and the change channel: typed ends over Redis.
 * Must not be relied on for delivery: rows in the platform database decide, messages only hurry.
 */
export {
  createChangePublisher, createChangeSubscriber, type ChangePublisher, type ChangeSubscriber, type ChannelSigner, type IgnoredReason,
} from './change-channel.js';
export { countIgnored } from './count-ignored.js';
export { connectRedis } from './redis.js';
export { createWakeConsumer, createWakeProducer, type WakeConsumer, type WakeProducer } from './wake-queue.js';
