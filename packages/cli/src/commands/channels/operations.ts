import {
  createChannel,
  createChannelSubscription,
  createDivisionChannel,
  createDivisionChannelSubscription,
  deleteChannel,
  deleteChannelSubscription,
  deleteDivisionChannel,
  deleteDivisionChannelSubscription,
  getChannel,
  getChannelSubscription,
  getDivisionChannel,
  getDivisionChannelSubscription,
  listChannels,
  listChannelSubscriptions,
  listDivisionChannels,
  listDivisionChannelSubscriptions,
  listDivisionNotifications,
  listNotifications,
  testChannel,
  testDivisionChannel,
  updateChannel,
  updateDivisionChannel,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { inDivision, inTenant, type Call } from '../entries/entries.ts';

/** `division_id` is 0 for channels of the tenant, whose operations do not use it. */
export type OwnerCall = Call<{ tenant_id: number; division_id: number }>;

export async function atOwner(cli: Cli, division: string | undefined): Promise<OwnerCall> {
  if (division !== undefined) return inDivision(cli, division);
  const { path, ...call } = await inTenant(cli);
  return { ...call, path: { ...path, division_id: 0 } };
}

const ofTenant = {
  list: listChannels<true>,
  get: getChannel<true>,
  create: createChannel<true>,
  update: updateChannel<true>,
  remove: deleteChannel<true>,
  test: testChannel<true>,
  notifications: listNotifications<true>,
  subscriptions: listChannelSubscriptions<true>,
  getSubscription: getChannelSubscription<true>,
  subscribe: createChannelSubscription<true>,
  unsubscribe: deleteChannelSubscription<true>,
};

/** Channels of a division have operations of their own, which need rights in the division alone. */
const ofDivision = {
  list: listDivisionChannels<true>,
  get: getDivisionChannel<true>,
  create: createDivisionChannel<true>,
  update: updateDivisionChannel<true>,
  remove: deleteDivisionChannel<true>,
  test: testDivisionChannel<true>,
  notifications: listDivisionNotifications<true>,
  subscriptions: listDivisionChannelSubscriptions<true>,
  getSubscription: getDivisionChannelSubscription<true>,
  subscribe: createDivisionChannelSubscription<true>,
  unsubscribe: deleteDivisionChannelSubscription<true>,
};

export const operationsOf = ({ path }: OwnerCall) => (path.division_id === 0 ? ofTenant : ofDivision);
