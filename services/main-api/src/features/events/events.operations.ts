import type { ChangeFeeds, Handlers, Kinds } from '@sluice/http';
import type { operations } from '../../generated/api.ts';

/** The kinds of resources whose changes are in the feed, and by which operations it is read. */
export const kinds: Kinds = {
  tenant: { tenant: ['getTenant', 'getTenantConfig'] },
  plan: { tenant: ['getSubscription'] },
  division: { division: ['getDivision'] },
  environment: { division: ['getEnvironment'] },
  deployment: { division: ['getDeployment'] },
  connector: { division: ['listConnectors'] },
  member: { tenant: ['listMembers'] },
  role: { tenant: ['getRole'] },
  invitation: { tenant: ['getInvitation'] },
  join_request: { tenant: ['listJoinRequests'] },
  // the tenant's list has those of divisions as well
  api_key: { tenant: ['getApiKey'], division: ['getApiKey', 'getDivisionApiKey'] },
  cloud_account: { tenant: ['getCloudAccount'] },
  channel: { tenant: ['getChannel'], division: ['getDivisionChannel'] },
};

export const eventsOperations = (feeds: ChangeFeeds) =>
  ({ streamEvents: (call) => feeds.answer(call) }) satisfies Partial<Handlers<operations>>;
