import type { Action } from './action.ts';

const tenant = (permission: string) => ({ layer: 'main-api', scope: 'tenant', permission }) as const;
const sink = { layer: 'audit', scope: 'tenant', permission: 'settings:manage' } as const;
const [billing, notifications] = [tenant('billing:manage'), tenant('notifications:manage')];

/** The actions on what a tenant has once: its audit log, its bills and its notifications. */
export const billingActions = {
  setAuditSink: { label: 'Save', operation: 'putAuditSink', ...sink },
  testAuditSink: { label: 'Send a test', operation: 'testAuditSink', ...sink },
  deleteAuditSink: { label: 'Delete', operation: 'deleteAuditSink', ...sink },
  changeBillingInfo: { label: 'Save', operation: 'replaceBillingInfo', ...billing },
  createBudget: { label: 'Add a budget', operation: 'createBudget', ...billing },
  changeBudget: { label: 'Change', operation: 'updateBudget', ...billing },
  deleteBudget: { label: 'Delete', operation: 'deleteBudget', ...billing },
  saveCard: { label: 'Save a card', operation: 'createPaymentIntent', ...billing },
  deletePaymentMethod: { label: 'Delete the card', operation: 'deletePaymentMethod', ...billing },
  createChannel: { label: 'Add a channel', operation: 'createChannel', ...notifications },
  changeChannel: { label: 'Save', operation: 'updateChannel', ...notifications },
  deleteChannel: { label: 'Delete the channel', operation: 'deleteChannel', ...notifications },
  testChannel: { label: 'Send a test', operation: 'testChannel', ...notifications },
  createSubscription: {
    label: 'Add a subscription',
    operation: 'createChannelSubscription',
    ...notifications,
  },
  deleteSubscription: { label: 'Remove', operation: 'deleteChannelSubscription', ...notifications },
} as const satisfies Record<string, Action>;
