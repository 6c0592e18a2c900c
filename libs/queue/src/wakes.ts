/**
 * What needs BullMQ, apart from the rest: a gateway has no use for it, and reading it would be a sixth of its start.
 */
export { openQueueBoard } from './queue-board.js';
export { createWakeConsumer, createWakeProducer } from './wake-queue.js';
