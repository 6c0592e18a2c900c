/** Injection tokens for interfaces. */
export const CONFIG = Symbol('config');
export const LOGGER = Symbol('logger');
export const REDIS = Symbol('redis');
export const CHANGE_PUBLISHER = Symbol('change publisher');
export const JOB_NOTIFICATION_PRODUCER = Symbol('job notification producer');
