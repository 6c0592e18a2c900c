/**
 * Owns wake-ups of workers and what processes of a cell tell each other: typed, signed ends over Redis.
 * Must not be relied on for delivery: rows in the platform database decide, messages only hurry.
 */
export { createChangePublisher, createChangeSubscriber, type ChangePublisher, type ChangeSubscriber } from './change-channel.js';
export { countIgnored } from './count-ignored.js';
export { createRateChannel, type RateChannel } from './rate-channel.js';
export type { BoardAnswer, QueueBoard } from './queue-board.js';
export { connectRedis, type RedisClient } from './redis.js';
export type { WakeConsumer, WakeProducer } from './wake-queue.js';
export type { ChannelSigner, IgnoredReason } from './signed-channel.js';
