import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  addColleague,
  addSession,
  type Answer,
  client,
  isStackGiven,
  type Stack,
  StackDatabases,
} from '@sluice/testing';
import type { Program } from './program.ts';

interface Parts {
  stack: Stack;
  sluice: Program;
}

const containing = (text: string): unknown => expect.stringContaining(text);

/** The browser of a person who is signed in. */
class OtherBrowser {
  readonly #url: string;
  readonly #cookie: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#cookie = `sluice_session=${token}`;
  }

  /** Approves a terminal as the page does that its link leads to. */
  async approve(link: string): Promise<void> {
    const code = new URL(link).searchParams.get('user_code') ?? '';
    await this.#write('PUT', `/account/device/${code}`, { decision: 'approve' });
  }

  async endOthers(): Promise<void> {
    await this.#write('DELETE', '/account/sessions');
  }

  async #write(method: string, path: string, content?: object): Promise<void> {
    const api = client(this.#url);
    const headers = { cookie: this.#cookie };
    const { body } = await api.request('GET', '/account', undefined, headers);
    const csrf = { 'x-csrf-token': String(body['csrf_token']) };
    const { status } = await api.request(method, path, content, { ...headers, ...csrf });
    expect(status).toBe(204);
  }
}

/** What each layer answers to a session. */
const statusesOf = (stack: Stack, token: string): Promise<number[]> => {
  const { tenant_id: id, base_url, audit_url, supervisors } = stack;
  const places = [
    [base_url, `/tenants/${id}`],
    [audit_url, `/audit/tenants/${id}`],
    ...supervisors.map(({ url }) => [url, `/tenants/${id}/summary`]),
  ];
  const answers = places.map(([url = '', path = '']): Promise<Answer> =>
    client(url).request('GET', path, undefined, { 'svc-session': token }),
  );
  return Promise.all(answers.map(async (answer) => (await answer).status));
};

export function testSignIn(parts: () => Parts): void {
  // the session of the other browser is put into the stack's database
  const anyTest = isStackGiven ? test.skip : test;

  anyTest(
    'signs in in another browser; a session that is ended there, or by logout, is worth nothing any more',
    async () => {
      const { stack, sluice } = parts();
      const databases = new StackDatabases(stack);
      const query = <Row extends object>(text: string, values?: unknown[]) =>
        databases.query<Row>('main_api', text, values);
      const colleague = await addColleague(query, stack.tenant_id);
      const browser = new OtherBrowser(stack.base_url, await addSession(query, stack.tenant_id, colleague));
      await databases.close();

      const env = { SLUICE_API_KEY: '', SLUICE_URL: '', SLUICE_CONTEXT: 'person' };
      let words = '';
      let approval: Promise<void> | undefined;
      const said = (text: string) => {
        words += text;
        const [link] = /http\S+user_code=\S+/.exec(words) ?? [];
        if (link !== undefined && words.includes('this code')) approval ??= browser.approve(link);
      };
      const login = await sluice.run(['login', '--device', '--url', stack.base_url, '--context', 'person'], {
        env,
        said,
      });
      await approval;
      expect(login).toMatchObject({ code: 0, stdout: '', stderr: containing('as Colleague (tenant') });
      const whoami = await sluice.run(['whoami', '-o', 'json'], { env });
      expect(JSON.parse(whoami.stdout)).toMatchObject({
        caller: { api_key: null },
        session: { machine: hostname(), current: true },
        tenant: { tenant: { id: stack.tenant_id } },
      });
      const file = join(sluice.config, 'keys/person');
      const secret = await readFile(file, 'utf8');
      const [, token = ''] = secret.split('\n');
      expect(new Set(await statusesOf(stack, token))).toEqual(new Set([200]));

      await browser.endOthers();
      expect(new Set(await statusesOf(stack, token))).toEqual(new Set([401]));
      expect(await sluice.run(['divisions', 'list'], { env })).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringMatching(/The session has ended[^]*Next: sluice login/) as string,
      });

      // a second session, in the same file
      const api = client(stack.base_url);
      const { body: codes } = await api.post('/account/device', { machine: 'second' });
      await browser.approve(String(codes['verification_uri_complete']));
      const { body: given } = await api.post('/account/device/token', { device_code: codes['device_code'] });
      const leaked = secret.replace(token, String(given['access_token']));
      await writeFile(file, leaked);
      expect(await sluice.run(['divisions', 'list'], { env })).toMatchObject({ code: 0 });
      expect(await sluice.run(['logout'], { env })).toMatchObject({
        code: 0,
        stderr: containing('is ended'),
      });
      await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
      await writeFile(file, leaked);
      expect(await sluice.run(['divisions', 'list'], { env })).toMatchObject({ code: 3 });
      expect(new Set(await statusesOf(stack, String(given['access_token'])))).toEqual(new Set([401]));
      // one that has ended can be forgotten
      expect(await sluice.run(['logout'], { env })).toMatchObject({ code: 0 });
      expect(await sluice.run(['context', 'delete', 'person'], { env })).toMatchObject({ code: 0 });
    },
    240_000,
  );
}
