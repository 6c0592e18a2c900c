/**
 * The exports that need BullMQ. They are separate, because gateways do not use them and loading them would
 * take a sixth of a gateway's start time.
 */
export { openQueueBoard } from './queue-board.js';
export { createJobNotificationConsumer, createJobNotificationProducer } from './job-notification-queue.js';
