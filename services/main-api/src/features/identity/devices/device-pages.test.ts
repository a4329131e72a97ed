import { createHash } from 'node:crypto';
import { refusal } from '#test/main-api.ts';
import { Browser } from '#test/browser.ts';
import { people } from '#test/people.ts';
import { Terminal } from '#test/terminal.ts';

const p = people({ replicas: 1 });

/** What a form of a page would send. */
const fieldsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)" \/>/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

async function begun(machine: string): Promise<Terminal> {
  const terminal = new Terminal(p.replica.url);
  await terminal.begin(machine);
  return terminal;
}

/** Follows the page of a visitor without a session to the provider and back. @returns the page where they are then */
async function signInOnPage(browser: Browser, path: string, person = p.provider.person()) {
  await new Browser(p.replica.url).signUp(p.provider, person);
  const asked = await browser.page(path);
  expect(asked.html).toContain('<form method="post" action="/device/sign_in">');
  const leaving = await browser.page('/device/sign_in', { ...fieldsOf(asked.html), source: 'test' });
  const [, provider = ''] = /<a href="([^"]+)"/.exec(leaving.html) ?? [];
  const { pathname, search } = await p.provider.visit(provider.replaceAll('&amp;', '&'), person);
  const back = await browser.page(pathname + search);
  expect([back.status, back.headers.get('location')]).toEqual([303, 'http://127.0.0.1/device']);
  const known = await browser.page('/device');
  expect(known.html).toContain(`Continue as Paula, ${person.email}`);
  return await browser.page('/device/continue', {});
}

test('a person who is not signed in signs in, comes back, sees the terminal and approves it', async () => {
  const terminal = await begun('<b>adas & "laptop"');
  const browser = new Browser(p.replica.url);
  const link = `/device?user_code=${terminal.userCode}`;
  const signedIn = await signInOnPage(browser, link);
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, link]);

  const shown = await browser.page(link);
  for (const text of [terminal.userCode, '&lt;b&gt;adas &amp; &quot;laptop&quot;', '127.0.0.1', 'Paula'])
    expect(shown.html).toContain(text);
  const fields = fieldsOf(shown.html);
  expect(Object.keys(fields)).toEqual(['user_code', 'csrf_token']);
  const approved = await browser.page('/device', { ...fields, decision: 'approve' });
  expect([approved.status, approved.html]).toEqual([
    200,
    expect.stringContaining('The terminal is signed in'),
  ]);
  expect((await terminal.poll()).status).toBe(200);
  expect((await terminal.get('/account')).status).toBe(200);
  // looking again asks nothing any more
  expect((await browser.page(link)).html).toContain('The terminal is signed in');
});

test('without a code the page asks for it; another sign-in does not lead to it', async () => {
  const terminal = await begun('laptop');
  const person = p.provider.person();
  const browser = new Browser(p.replica.url);
  const signedIn = await signInOnPage(browser, '/device', person);
  expect(signedIn.headers.get('location')).toBe('/device');
  expect((await browser.page('/device')).html).toContain('name="user_code"');
  const typed = terminal.userCode.toLowerCase().replace('-', ' ');
  const shown = await browser.page(`/device?user_code=${encodeURIComponent(typed)}`);
  const denied = await browser.page('/device', { ...fieldsOf(shown.html), decision: 'deny' });
  expect(denied.html).toContain('The terminal was refused');
  expect(refusal(await terminal.poll())).toBe('400 access_denied');

  // one that was begun here, and then elsewhere
  const other = new Browser(p.replica.url);
  await other.page('/device/sign_in', { user_code: terminal.userCode, source: 'test' });
  const answer = await other.vouched(p.provider, person);
  expect([answer.status, answer.body['next']]).toEqual([200, 'sign_in']);
});

test('a form without the CSRF token of the session decides nothing', async () => {
  const terminal = await begun('laptop');
  const [paula, quentin] = [await p.signedUp(), await p.signedUp()];
  const user_code = terminal.userCode;
  for (const csrf_token of ['', quentin.csrf ?? '']) {
    const forged = await paula.page('/device', { user_code, decision: 'approve', csrf_token });
    expect([forged.status, forged.html]).toEqual([403, expect.stringContaining('another session')]);
  }
  const stranger = await new Browser(p.replica.url).page('/device', { user_code, decision: 'approve' });
  expect([stranger.status, stranger.headers.get('location')]).toEqual([
    303,
    `/device?user_code=${user_code}`,
  ]);
  const unclear = await paula.page('/device', { user_code, csrf_token: paula.csrf ?? '' });
  expect(unclear.status).toBe(400);
  expect(refusal(await terminal.poll())).toBe('400 authorization_pending');
});

test('the pages run no script, stand in no frame, and lead only where this service says', async () => {
  const paula = await p.signedUp();
  const terminal = await begun('laptop');
  const evil = 'https://evil.example/"><script>';
  const answers = [
    await paula.page(`/device?user_code=${terminal.userCode}&next=${encodeURIComponent(evil)}`),
    await paula.page(`/device?user_code=${encodeURIComponent(evil)}`),
    await new Browser(p.replica.url).page(`/device?user_code=${encodeURIComponent(evil)}`),
    await new Browser(p.replica.url).page('/device/sign_in', { user_code: evil, source: 'none' }),
    await new Browser(p.replica.url).page('/device/continue', {}),
    await paula.page('/device', { user_code: evil, decision: 'approve', csrf_token: paula.csrf ?? '' }),
    await paula.page('/device', { user_code: 'x'.repeat(5_000) }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 400, 401, 404, 413]);
  for (const { headers, html } of answers) {
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; frame-ancestors 'none'/,
    );
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    expect(policy).toContain(createHash('sha256').update(style).digest('base64'));
    expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
    expect(html).not.toMatch(/<script|href="https:\/\/evil/);
  }
  const put = await paula.call('PUT', '/device');
  expect([refusal(put), put.headers.get('allow')]).toEqual(['405 method_not_allowed', 'GET, POST']);
});
