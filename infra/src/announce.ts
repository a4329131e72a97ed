import type { Home } from './home.ts';
import type { StackFile } from './stack-file.ts';

/** What a person reads when the stack is ready: where everything is, and something to try. */
export function announce(stack: StackFile, home: Home, seconds: number): string {
  const lines: [label: string, value: string][] = [
    ['Main API', stack.base_url],
    ['Audit API', stack.audit_url],
    ...stack.supervisors.map(({ cloud, region, url }): [string, string] => [
      'Supervisor API',
      `${url} (${cloud}, ${region})`,
    ]),
    ['NATS', stack.nats_url],
    ['Data folder', home.folder],
    ['API key', `${stack.api_key} (admin of tenant ${stack.tenant_id})`],
  ];
  return [
    `Sluice is ready after ${seconds.toFixed(1)} s.`,
    '',
    ...lines.map(([label, value]) => `  ${label.padEnd(16)}${value}`),
    '',
    'Try it:',
    '',
    `  curl -H 'svc-api-key: ${stack.api_key}' ${stack.base_url}/tenants/${stack.tenant_id}`,
    '',
    'The same is in stack.json in the data folder. Ctrl-C stops everything.',
  ].join('\n');
}
