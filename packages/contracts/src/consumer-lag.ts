/**
 * The numbers of messages from each of which on a region raises an alert of a consumer that lags. A subscription names one of
 * them, so that regions need not know subscriptions.
 */
export const consumerLagThresholds = [100, 1_000, 10_000, 100_000, 1_000_000] as const;
export type ConsumerLagThreshold = (typeof consumerLagThresholds)[number];

/** of subscriptions that name none, and of channels without subscriptions */
export const defaultConsumerLag: ConsumerLagThreshold = 10_000;
