import { ConsoleFixture, refusal } from '#test/console.ts';

const on = new ConsoleFixture();
const counted = async () => {
  const { text } = await on.ask('GET', '/metrics');
  return [...text.matchAll(/^sluice_csp_reports_total\{directive="([^"]+)"\} (\d+)$/gm)].map(
    ([, name, n]) => [name, Number(n)],
  );
};
const report = (body: string, type = 'application/csp-report') =>
  on.ask('POST', '/csp-reports', { 'content-type': type }, body);

test('reports of both forms are counted, and what a directive is called is one of a known list', async () => {
  const old = {
    'csp-report': { 'effective-directive': 'script-src-elem', 'blocked-uri': 'https://evil.example/x?y' },
  };
  const body = (effectiveDirective: string) => ({ type: 'csp-violation', body: { effectiveDirective } });
  expect((await report(JSON.stringify(old))).status).toBe(204);
  expect(
    (await report(JSON.stringify([body('style-src'), body('made-up')]), 'application/reports+json')).status,
  ).toBe(204);
  expect(await counted()).toEqual([
    ['script-src-elem', 1],
    ['style-src', 1],
    ['other', 1],
  ]);
});

test('what is no report, or a large one, is refused', async () => {
  expect(refusal(await report('nothing'))).toBe('400 malformed_request');
  expect(refusal(await report(JSON.stringify({ 'csp-report': 'x'.repeat(20_000) })))).toBe(
    '413 payload_too_large',
  );
  expect(refusal(await on.ask('GET', '/csp-reports'))).toBe('405 method_not_allowed');
});
