import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Subject = 'owner' | 'developer' | 'viewer' | 'billing';

export interface ConsoleAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** the parsed JSON; `{}` when the answer has none */
  body: Record<string, unknown>;
}

/** What a page of the console asks for with. */
const fromOwnPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
/** What a browser asks for a page with. */
const forTab = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** What a person's browser keeps of the console and of the provider, and sends. */
export class ConsoleBrowser {
  readonly url: string;
  /** by origin */
  readonly #jars = new Map<string, Map<string, string>>();
  /** as they were set, by name */
  readonly set = new Map<string, string>();
  csrf: string | undefined;
  /** the address that the tab is at */
  #at: string;

  constructor(url: string) {
    this.url = url;
    this.#at = url;
  }

  get cookie(): string {
    return [...this.#jarOf(this.url)].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  keep(name: string, value: string): void {
    this.#jarOf(this.url).set(name, value);
  }

  #jarOf(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    return jar;
  }

  /** Sends one request, as a page of the console does unless `headers` say otherwise. */
  async call(
    method: string,
    path: string,
    body?: object | string,
    headers: Record<string, string> = fromOwnPage,
  ): Promise<ConsoleAnswer> {
    const url = new URL(path, this.url);
    const jar = this.#jarOf(url.href);
    const isForm = typeof body === 'string';
    const sent = {
      ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
      ...(this.csrf !== undefined && { 'x-csrf-token': this.csrf }),
      ...(body !== undefined && {
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      }),
      ...headers,
    };
    const response = await exchange(method, url, sent, isForm ? body : body && JSON.stringify(body));
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (url.origin === new URL(this.url).origin) this.set.set(name, set);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const { text } = response;
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    const parsed = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
    if (typeof parsed['csrf_token'] === 'string') this.csrf = parsed['csrf_token'];
    return { status: response.status, headers: response.headers, text, body: parsed };
  }

  get = (path: string) => this.call('GET', path);

  /** Opens a page in a tab. @param site where the person has come from */
  open = (path: string, site = 'none') =>
    this.call('GET', path, undefined, { ...forTab, 'sec-fetch-site': site, accept: 'text/html' });

  /**
   * Signs in by one click at the local provider.
   * @returns where the console leads in the end
   */
  async signIn(subject: Subject, returnTo = '/'): Promise<string> {
    const query = new URLSearchParams({ source: 'local', return_to: returnTo }).toString();
    let answer = await this.open(`/sign-in?${query}`, 'same-origin');
    for (let step = 0; step < 10; step++) {
      const location = answer.headers.get('location');
      if (
        location?.startsWith('/') &&
        !location.startsWith('/interaction/') &&
        !location.startsWith('/auth/')
      )
        return location;
      if (location === null) {
        const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(answer.text) ?? [];
        if (action === '') throw new Error(`no way on from ${answer.status}: ${answer.text}`);
        answer = await this.call('POST', new URL(action, this.#at).href, `person=${subject}`);
      } else {
        this.#at = new URL(location, this.#at).href;
        answer = await this.open(this.#at, 'cross-site');
      }
    }
    throw new Error('the sign-in does not end');
  }
}

/** As it is: `fetch` sets the headers by which a browser says what it does itself. */
async function exchange(
  method: string,
  url: URL,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Omit<ConsoleAnswer, 'body'>> {
  const sent = request(url, { method, headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const entries = Object.entries(answer.headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
  return {
    status: answer.statusCode ?? 0,
    headers: new Headers(entries),
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Files as a build of the web app has them, which do nothing. */
export async function webAppFiles(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-console-files-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script type="module" src="/assets/app-0a1b2c3d.js"></script>',
  );
  await writeFile(join(folder, 'assets/app-0a1b2c3d.js'), 'document.title = "Console";\n');
  return folder;
}
