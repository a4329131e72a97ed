import { client } from '@sluice/testing';
import { Browser } from '#test/browser.ts';
import { itemsOf, listOf, refusal } from '#test/main-api.ts';
import { people } from '#test/people.ts';
import { Terminal } from '#test/terminal.ts';

let now = Date.now();
const p = people({ clock: () => new Date(now) });

const minute = 60_000;
const unauthenticated = '401 unauthenticated';
const pathOf = ({ userCode }: Terminal) => `/account/device/${userCode}`;
const approve = (by: Browser, terminal: Terminal) => by.put(pathOf(terminal), { decision: 'approve' });
const deny = (by: Browser, terminal: Terminal) => by.put(pathOf(terminal), { decision: 'deny' });

/** A terminal whose codes are out. */
async function begun(machine?: string): Promise<Terminal> {
  const terminal = new Terminal(p.replica.url);
  await terminal.begin(machine);
  return terminal;
}

/** A terminal that `by` has signed in. */
async function signedIn(by: Browser, machine?: string): Promise<Terminal> {
  const terminal = await begun(machine);
  expect((await approve(by, terminal)).status).toBe(204);
  expect((await terminal.poll()).status).toBe(200);
  return terminal;
}

// what waits counts for all tests of the address
afterEach(() => p.on.sql('DELETE FROM device_sign_ins'));

describe('a terminal', () => {
  test('that a person approves may do in all replicas what they may do, and is named in their sessions', async () => {
    const { owner: paula, path } = await p.founder();
    const terminal = new Terminal(p.replica.url);
    const codes = await terminal.begin('adas-laptop');
    expect(codes.body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/) as string,
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/) as string,
      verification_uri: 'http://127.0.0.1/device',
      verification_uri_complete: `http://127.0.0.1/device?user_code=${terminal.userCode}`,
      expires_in: 600,
      interval: 5,
    });
    const waiting = await terminal.poll();
    const pending = 'authorization_pending';
    expect(waiting).toMatchObject({ status: 400, body: { code: pending, error: pending } });
    // another replica, as it may be typed
    const far = paula.at(p.second.url);
    const seen = await far.get(`/account/device/${terminal.userCode.toLowerCase().replace('-', '')}`);
    expect(seen.body).toMatchObject({
      user_code: terminal.userCode,
      machine: 'adas-laptop',
      address: '127.0.0.1',
      decision: null,
    });

    const approved = await approve(far, terminal);
    expect(approved.status).toBe(204);
    const event = await p.region.event('member_signed_in', approved.headers);
    expect(event).toMatchObject({
      author: { name: 'Paula' },
      data: { source: 'test', machine: 'adas-laptop' },
    });
    const given = await terminal.poll();
    expect(given.body).toEqual({
      access_token: expect.stringMatching(/^svt_[\w-]{43}$/) as string,
      token_type: 'svc-session',
      expires_in: 8 * 60 * 60,
    });
    expect(given.headers.has('set-cookie')).toBe(false);

    for (const each of [terminal, terminal.at(p.second.url)]) {
      expect((await each.get(path)).status).toBe(200);
      // without a CSRF token
      expect(
        (await each.call('POST', `${path}/divisions`, { name: each === terminal ? 'a' : 'b' })).status,
      ).toBe(201);
    }
    const list = async (of: { get: Browser['get'] }) =>
      listOf(await of.get('/account/sessions')).map(
        ({ machine, current }) => `${String(machine)} ${String(current)}`,
      );
    expect(await list(paula)).toEqual(['adas-laptop false', 'null true']);
    expect(await list(terminal)).toEqual(['adas-laptop true', 'null false']);
    const stored = JSON.stringify(await p.on.sql('SELECT * FROM device_sign_ins, sessions'));
    const { deviceCode, userCode, token } = terminal;
    const secrets = [deviceCode, userCode, userCode.replace('-', ''), token];
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
  });

  test('that is denied, or asks for a code that there is not, gets no token', async () => {
    const paula = await p.signedUp();
    const terminal = await begun();
    expect((await deny(paula, terminal)).status).toBe(204);
    const polls = [await terminal.poll(), await terminal.poll()];
    expect(polls.map(refusal)).toEqual(['400 access_denied', '400 access_denied']);
    expect(listOf(await paula.get('/account/sessions'))).toHaveLength(1);
    terminal.deviceCode = 'x'.repeat(43);
    expect(refusal(await terminal.poll())).toBe('400 expired_token');
  });

  test('gets its token once, also where it polls twice at a time, and through a restart', async () => {
    const paula = await p.signedUp();
    const terminal = await begun();
    await approve(paula, terminal);
    const third = await p.on.start();
    const polls = [p.replica, p.second, third].map(({ url }) => terminal.at(url).poll());
    const answers = await Promise.all(polls);
    await third.stop();
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const [given] = answers.filter(({ status }) => status === 200);
    expect(refusal(await terminal.poll())).toBe('400 expired_token');
    terminal.token = String(given?.body['access_token']);
    expect((await terminal.get('/account')).status).toBe(200);
    expect(listOf(await paula.get('/account/sessions'))).toHaveLength(2);
  });

  test('that polls too early has to wait longer each time', async () => {
    const terminal = await begun();
    const polled = async (seconds: number) => {
      now += seconds * 1_000;
      return (await terminal.poll()).body['code'];
    };
    expect([
      await polled(0),
      await polled(4.5),
      await polled(2),
      await polled(6),
      await polled(14.5),
    ]).toEqual([
      'authorization_pending',
      'authorization_pending',
      'slow_down',
      'slow_down',
      'authorization_pending',
    ]);
  });

  test('has ten minutes', async () => {
    const paula = await p.signedUp();
    const [late, approved] = [await begun(), await begun()];
    await approve(paula, approved);
    now += 10 * minute;
    for (const terminal of [late, approved]) expect(refusal(await terminal.poll())).toBe('400 expired_token');
    expect(refusal(await approve(paula, late))).toBe('404 not_found');
    // the session that no terminal has asked for has ended with the code
    expect(listOf(await paula.get('/account/sessions'))).toHaveLength(1);
  });
});

describe('a decision', () => {
  test('counts once: the same again changes nothing, and another one is refused', async () => {
    const paula = await p.signedUp();
    for (const [first, second] of [
      [approve, deny],
      [deny, approve],
    ] as const) {
      const terminal = await begun();
      const decided = [await first(paula, terminal), await first(paula, terminal)];
      expect(decided.map(({ status }) => status)).toEqual([204, 204]);
      expect(refusal(await second(paula, terminal))).toBe('409 state_conflict');
    }
    expect(listOf(await paula.get('/account/sessions'))).toHaveLength(2);
  });

  test('wins alone where approval and denial come at a time', async () => {
    const paula = await p.signedUp();
    for (let round = 0; round < 5; round++) {
      const terminal = await begun();
      const both = [approve(paula, terminal), deny(paula.at(p.second.url), terminal)];
      const [approved, denied] = (await Promise.all(both)).map(({ status }) => status);
      expect([approved, denied].sort()).toEqual([204, 409]);
      expect((await terminal.poll()).status).toBe(approved === 204 ? 200 : 400);
    }
  });

  test('of another person is not seen: their terminal is not one of others', async () => {
    const [paula, quentin] = [await p.signedUp(), await p.signedUp()];
    const terminal = await begun();
    await approve(paula, terminal);
    for (const answer of [await deny(quentin, terminal), await quentin.get(pathOf(terminal))])
      expect(refusal(answer)).toBe('404 not_found');
    expect((await paula.get(pathOf(terminal))).body['decision']).toBe('approve');
  });

  test('needs a browser with its CSRF token: no key, and no terminal', async () => {
    const { owner: paula } = await p.founder();
    const acme = await p.a.tenant();
    const terminal = await begun();
    expect(refusal(await acme.admin.put(pathOf(terminal), { decision: 'approve' }))).toBe(
      '403 session_required',
    );
    const first = await signedIn(paula);
    const byTerminal = await first.call('PUT', pathOf(terminal), { decision: 'approve' });
    expect(refusal(byTerminal)).toBe('403 session_required');
    paula.csrf = undefined;
    expect(refusal(await approve(paula, terminal))).toBe('403 csrf_token_invalid');
    expect(refusal(await terminal.poll())).toBe('400 authorization_pending');
  });
});

describe("a terminal's session", () => {
  test('is taken from its header alone, and a browser’s from its cookie', async () => {
    const { owner: paula, path } = await p.founder();
    const terminal = await signedIn(paula);
    const other = new Browser(p.replica.url);
    other.cookies.set('sluice_session', terminal.token);
    expect(refusal(await other.get(path))).toBe(unauthenticated);
    const cookie = paula.cookies.get('sluice_session') ?? '';
    const headers = { 'svc-session': cookie };
    expect(refusal(await client(p.replica.url).request('GET', path, undefined, headers))).toBe(
      unauthenticated,
    );
    // a header that is wrong leaves no cookie to speak, which would then need no CSRF token
    for (const header of ['', 'x', `${terminal.token}x`])
      expect(
        refusal(await paula.call('POST', `${path}/divisions`, { name: 'x' }, { 'svc-session': header })),
      ).toBe(unauthenticated);
  });

  test('ends everywhere with a sign-out, by itself or by its user in a browser', async () => {
    const { owner: paula, path } = await p.founder();
    const [one, two, three] = [await signedIn(paula), await signedIn(paula), await signedIn(paula)];
    expect((await one.call('DELETE', '/account/sign_out')).status).toBe(204);
    const [{ id } = { id: 0 }] = listOf<{ id: number }>(await paula.get('/account/sessions'));
    expect((await paula.delete(`/account/sessions/${id}`)).status).toBe(204);
    for (const ended of [one, three])
      for (const { url } of [p.replica, p.second])
        for (const place of ['/account', path])
          expect(refusal(await ended.at(url).get(place))).toBe(unauthenticated);
    expect((await two.get(path)).status).toBe(200);
    expect((await paula.delete('/account/sessions')).status).toBe(204);
    expect(refusal(await two.get(path))).toBe(unauthenticated);
  });

  test('that its user ends before the terminal has its token is never given', async () => {
    const paula = await p.signedUp();
    const terminal = await begun();
    await approve(paula, terminal);
    await paula.delete('/account/sessions');
    expect(refusal(await terminal.poll())).toBe('400 access_denied');
  });

  test('is not opened by a session that ends meanwhile, nor left over by the end of all others', async () => {
    const paula = await p.signedUp();
    const { id } = (await paula.get('/account')).body;
    const lock: [string, unknown[]] = ['SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [id]];
    const terminal = await begun();
    // what an approval does, and holds until it is committed
    const opening = `INSERT INTO sessions (user_id, source, token_sha256, created_at, last_used_at, idle_expires_at, expires_at)
      SELECT user_id, source, repeat('a', 64), created_at, last_used_at, idle_expires_at, expires_at FROM sessions WHERE user_id = $1`;
    const ended = await p.a.whileLocked([lock, [opening, [id]]], () => paula.delete('/account/sessions'));
    expect(ended.status).toBe(204);
    expect(listOf(await paula.get('/account/sessions'))).toHaveLength(1);
    const ending: [string, unknown[]] = ['DELETE FROM sessions WHERE user_id = $1', [id]];
    const approved = await p.a.whileLocked([lock, ending], () => approve(paula, terminal));
    expect(refusal(approved)).toBe(unauthenticated);
    expect(await p.on.sql('SELECT 1 FROM sessions WHERE user_id = $1', [id])).toEqual([]);
  });

  test('loses a tenant with the membership, and not the account', async () => {
    const acme = await p.a.tenant();
    const member = await p.joined(acme, [acme.roles.viewer]);
    const waiting = await begun();
    const terminal = await signedIn(member);
    await approve(member, waiting);
    const path = `${acme.path}/members/${String((await member.get('/account')).body['id'])}`;
    expect((await acme.admin.put(path, { active: false })).status).toBe(204);
    await waiting.poll();
    for (const each of [terminal, waiting]) expect(refusal(await each.get(acme.path))).toBe('403 forbidden');
    expect((await acme.admin.put(path, { active: true })).status).toBe(204);
    for (const each of [terminal, waiting]) expect((await each.get(acme.path)).status).toBe(200);
    await acme.admin.delete(path);
    for (const each of [terminal, waiting]) {
      expect(refusal(await each.at(p.second.url).get(acme.path))).toBe('403 forbidden');
      expect((await each.get('/account')).status).toBe(200);
    }
  });
});

describe('bounds', () => {
  test('twenty terminals of a network wait at a time; a decision makes room', async () => {
    const paula = await p.signedUp();
    const all = await Promise.all(Array.from({ length: 25 }, () => new Terminal(p.replica.url).begin()));
    const refused = all.filter(({ status }) => status !== 200);
    expect(refused.map(refusal)).toEqual(Array.from({ length: 5 }, () => '429 rate_limited'));
    const [first] = all.filter(({ status }) => status === 200);
    await paula.put(`/account/device/${String(first?.body['user_code'])}`, { decision: 'deny' });
    expect((await new Terminal(p.second.url).begin()).status).toBe(200);
    expect((await new Terminal(p.second.url).begin()).status).toBe(429);
    now += 10 * minute;
    expect((await new Terminal(p.second.url).begin()).status).toBe(200);
  });

  test('ten wrong codes of a person are looked up, and then not the right one either', async () => {
    const third = await p.on.start();
    const paula = (await p.signedUp()).at(third.url);
    const terminal = await begun();
    const wrong = ['BBBBBBBB', 'not a code', 'AEIOUAEI', '%20'];
    for (let attempt = 0; attempt < 10; attempt++)
      expect(refusal(await paula.get(`/account/device/${wrong[attempt % wrong.length]}`))).toBe(
        '404 not_found',
      );
    const limited = await approve(paula, terminal);
    expect([refusal(limited), Number(limited.headers.get('retry-after')) > 0]).toEqual([
      '429 rate_limited',
      true,
    ]);
    await third.stop();
    expect(itemsOf(await paula.at(p.replica.url).get('/tenants'))).toEqual([]);
    expect((await approve(paula.at(p.replica.url), terminal)).status).toBe(204);
  });
});
