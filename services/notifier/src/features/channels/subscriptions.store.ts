import { scopeLevels, type ChannelId, type ChannelState, type ScopeIds } from '@sluice/contracts';
import type { Database } from '../../database/tables.ts';

type Subscription = ChannelState['subscriptions'][number];

/** Puts these in the place of the subscriptions of a channel; without any it gets all events of its owner. */
export async function replaceSubscriptions(
  db: Database,
  channelId: ChannelId,
  { tenant_id, division_id, subscriptions }: ChannelState,
): Promise<void> {
  await db.deleteFrom('routes').where('channel_id', '=', channelId).execute();
  await db.deleteFrom('subscriptions').where('channel_id', '=', channelId).execute();
  for (const { id, message_types, scopes, consumer_lag_threshold = null } of subscriptions)
    await db
      .insertInto('subscriptions')
      .values({
        ...{ id, channel_id: channelId, message_types, consumer_lag_threshold },
        tenant_ids: scopes.tenants,
        division_ids: scopes.divisions,
        environment_ids: scopes.environments,
        deployment_ids: scopes.deployments,
      })
      .execute();
  const owner = [division_id === null ? 'tenant' : `division ${division_id}`];
  const route = (places: readonly string[], subscription_id: Subscription['id'] | null) =>
    db
      .insertInto('routes')
      .values(places.map((place) => ({ channel_id: channelId, tenant_id, place, subscription_id })))
      .execute();
  for (const { id, scopes } of subscriptions) await route(placesOf(scopes) ?? owner, id);
  if (subscriptions.length === 0) await route(owner, null);
}

/** The narrowest places at which an event has to be to match, of the levels that are named; undefined for none below the tenant. */
function placesOf(scopes: ScopeIds): string[] | undefined {
  const level = scopeLevels.findLast((each) => each !== 'tenants' && scopes[each].length > 0);
  return level && [...new Set(scopes[level].map((id) => `${level.slice(0, -1)} ${id}`))];
}
