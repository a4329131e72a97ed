import { notifierRequests, type NotifierRequests } from '@sluice/contracts';
import { requester, type Ask } from '@sluice/messaging';
import type { ServiceRuntime } from '@sluice/runtime';
import type { SecretBox } from '@sluice/system/secrets';

/** Asks the notifier. Not to be called within a transaction. @throws Problem `unavailable` without an answer in time */
export type NotifierClient = Ask<NotifierRequests>;

export const notifierClient = ({ nats, topology }: ServiceRuntime, box: SecretBox): NotifierClient =>
  requester({ nats, subject: topology.subjects.notifierRequests, box, requests: notifierRequests });
