import { Counter, type Registry } from '@prometheus-io/client';

/** What became of attempts to deliver notifications, by the kind of their channel. */
export interface NotificationCounts {
  attempts: Counter<'channel' | 'outcome'>;
  throttled: Counter;
}

export function countNotifications(metrics: Registry): NotificationCounts {
  const registers = [metrics];
  return {
    attempts: new Counter({
      name: 'sluice_notification_attempts_total',
      help: 'Attempts to deliver a notification: delivered, to be tried later, or failed for good',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
    throttled: new Counter({
      name: 'sluice_notifications_throttled_total',
      help: 'Notifications that were not delivered since another one of their kind had just been',
      registers,
    }),
  };
}
