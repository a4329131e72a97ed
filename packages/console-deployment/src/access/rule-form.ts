import type { AccessRule, NewAccessRule, ProtocolRules } from '@sluice/client';
import { blocksIn } from '@sluice/console-core/lib/access.ts';

/** When a rule ends, as people choose it: so many milliseconds from now, never, or as it is. */
export const ends = [
  { key: 'never', label: 'Never' },
  { key: '3600000', label: 'In an hour' },
  { key: '28800000', label: 'In 8 hours' },
  { key: '86400000', label: 'In a day' },
  { key: '604800000', label: 'In a week' },
  { key: '2592000000', label: 'In 30 days' },
] as const;

export interface RuleValues {
  name: string;
  cidr_blocks: string;
  rules: ProtocolRules;
  end: string;
  remarks: string;
}

/** What the form begins with. A new rule is for the protocol that most clients speak. */
export const valuesOf = (rule: AccessRule | undefined, address: string | null): RuleValues => ({
  name: rule?.name ?? '',
  cidr_blocks: rule?.cidr_blocks.join('\n') ?? (address === null ? '' : `${address}/32`),
  rules: rule?.rules ?? {
    broker_tcp: true,
    broker_http: false,
    broker_websocket: false,
    broker_udp: false,
  },
  end: rule === undefined || rule.valid_to === null ? 'never' : 'kept',
  remarks: rule?.remarks ?? '',
});

/** What is sent. */
export function bodyOf(values: RuleValues, rule: AccessRule | undefined, now: Date): NewAccessRule {
  const { name, cidr_blocks, rules, end, remarks } = values;
  return {
    name: name.trim(),
    cidr_blocks: blocksIn(cidr_blocks),
    rules,
    remarks: remarks.trim() === '' ? null : remarks.trim(),
    valid_to: endOf(end, rule, now),
  };
}

function endOf(end: string, rule: AccessRule | undefined, now: Date): string | null {
  if (end === 'never') return null;
  if (end === 'kept') return rule?.valid_to ?? null;
  return new Date(now.getTime() + Number(end)).toISOString();
}
