import type { Protocol } from '@sluice/contracts';
import type { components } from '../../generated/api.ts';
import type { AccessRule } from './access-rules.store.ts';

/** A rule as the interface shows it (2.11). */
export function accessRuleView(rule: AccessRule): components['schemas']['AccessRule'] {
  const { id, name, remarks, protocols, cidr_blocks, valid_to, created_at } = rule;
  return {
    id,
    name,
    remarks,
    rules: togglesOf(protocols),
    cidr_blocks,
    valid_to: valid_to?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}

/** The four toggles of a rule that lets `chosen` in. */
export const togglesOf = (chosen: readonly Protocol[]): Record<Protocol, boolean> => ({
  broker_http: chosen.includes('broker_http'),
  broker_tcp: chosen.includes('broker_tcp'),
  broker_websocket: chosen.includes('broker_websocket'),
  broker_udp: chosen.includes('broker_udp'),
});
