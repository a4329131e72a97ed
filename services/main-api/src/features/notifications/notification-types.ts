import { eventTypes } from '@sluice/contracts';

/** The types that channels can subscribe to (interface, 6.1), with a label for people. */
export const notificationTypes = Object.entries(eventTypes).flatMap(([type, { notification, name }]) =>
  notification ? [{ type, name }] : [],
);

const known = new Set(notificationTypes.map(({ type }) => type));

export const isNotificationType = (type: string) => known.has(type);
