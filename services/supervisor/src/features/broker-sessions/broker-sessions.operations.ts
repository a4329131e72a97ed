import type { Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { BrokerSessions } from './broker-sessions.service.ts';

export const brokerSessionsOperations = (sessions: BrokerSessions) =>
  ({
    openBrokerSession: async (call) => ({
      ...{ status: 101, body: undefined },
      takeOver: await sessions.open(call),
    }),
  }) satisfies Partial<Handlers<operations>>;
