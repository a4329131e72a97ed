import type { Protocol } from '@sluice/contracts';
import { shown } from '@sluice/http';
import type { components } from '../../generated/api.ts';
import type { AccessRule } from './access-rules.store.ts';

/** A rule as the interface shows it (2.11). */
export const accessRuleView = (rule: AccessRule): components['schemas']['AccessRule'] => ({
  ...shown(rule, 'id', 'name', 'remarks', 'cidr_blocks', 'valid_to', 'created_at'),
  rules: togglesOf(rule.protocols),
});

/** The four toggles of a rule that lets `chosen` in. */
export const togglesOf = (chosen: readonly Protocol[]): Record<Protocol, boolean> => ({
  broker_http: chosen.includes('broker_http'),
  broker_tcp: chosen.includes('broker_tcp'),
  broker_websocket: chosen.includes('broker_websocket'),
  broker_udp: chosen.includes('broker_udp'),
});
