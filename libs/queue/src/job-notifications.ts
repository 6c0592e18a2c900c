/**
 * Exports that need BullMQ. They are separate because a gateway does not use them, and loading them would
 * take a sixth of its start time.
 */
export { openQueueBoard } from './queue-board.js';
export { createJobNotificationConsumer, createJobNotificationProducer } from './job-notification-queue.js';
