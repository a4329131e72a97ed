import type { StackFile } from './stack-file.ts';

/**
 * What a person reads when the stack is ready: where everything is, and something to try.
 * @param title the first line
 * @param folder where its data is, for a stack that keeps it in one
 */
export function announce(stack: StackFile, title: string, folder?: string): string {
  const lines: [label: string, value: string | undefined][] = [
    ['Console', stack.console_url],
    ['Main API', stack.base_url],
    ['Audit API', stack.audit_url],
    ...stack.supervisors.map(({ cloud, region, url }): [string, string] => [
      'Supervisor API',
      `${url} (${cloud}, ${region})`,
    ]),
    ['NATS', stack.nats_url],
    ['Data folder', folder],
    ['API key', `${stack.api_key} (admin of tenant ${stack.tenant_id})`],
  ];
  return [
    title,
    '',
    ...lines.flatMap(([label, value]) => (value === undefined ? [] : [`  ${label.padEnd(16)}${value}`])),
    '',
    'Try it:',
    '',
    ...(folder === undefined ? [] : ['  npm run --silent sluice -- whoami']),
    `  curl -H 'svc-api-key: ${stack.api_key}' ${stack.base_url}/tenants/${stack.tenant_id}`,
    ...(folder === undefined
      ? []
      : ['', 'The same is in stack.json in the data folder. Ctrl-C stops everything.']),
  ].join('\n');
}
