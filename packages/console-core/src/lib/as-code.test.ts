import { execFileSync } from 'node:child_process';
import { commandText, quoted, requestText } from './as-code.ts';

test('a shell reads what was meant', () => {
  const words = ['plain', "it's", '$(id)', '`id`', '"', 'a b', String.raw`\n`, ''];
  const said = execFileSync('sh', ['-c', `printf '%s\\n' ${words.map(quoted).join(' ')}`], {
    encoding: 'utf8',
  });
  expect(said).toBe(`${words.join('\n')}\n`);
});

test('commands leave out what is not chosen', () => {
  expect(commandText(['deployments', 'list', false, '--search', 'my orders', undefined])).toBe(
    "sluice deployments list --search 'my orders'",
  );
});

test('requests', () => {
  const query = { q: 'a&b', cloud: undefined };
  expect(requestText({ method: 'GET', path: '/tenants/3/deployments', query })).toBe(
    'curl "$SLUICE_URL/tenants/3/deployments?q=a%26b" \\\n  -H "svc-api-key: $SLUICE_API_KEY"',
  );
  expect(requestText({ method: 'POST', path: '/tenants', body: { name: "it's" } })).toContain(
    String.raw`-d '{"name":"it'\''s"}'`,
  );
});
