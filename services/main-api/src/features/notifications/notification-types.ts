import { eventTypes } from '@sluice/contracts';

/** What channels can be told of (interface, 6.1), with a label for people. */
export const notificationTypes = Object.entries(eventTypes).flatMap(([type, { notification, name }]) =>
  notification ? [{ type, name }] : [],
);

const known = new Set(notificationTypes.map(({ type }) => type));

export const isNotificationType = (type: string) => known.has(type);
