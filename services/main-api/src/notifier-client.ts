import { notifierRequests, type NotifierRequests } from '@sluice/contracts';
import { requester, type Ask, type SecretBox, type ServiceRuntime } from '@sluice/service-kit';

/** Asks the notifier. Not to be called within a transaction. @throws Problem `unavailable` without an answer in time */
export type NotifierClient = Ask<NotifierRequests>;

export const notifierClient = ({ nats, topology }: ServiceRuntime, box: SecretBox): NotifierClient =>
  requester({ nats, subject: topology.subjects.notifierRequests, box, requests: notifierRequests });
