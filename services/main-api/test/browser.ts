import { client, type Answer } from '@sluice/testing';
import type { Person, TestProvider } from './provider.ts';

/** What a person's browser keeps and sends: cookies, and the CSRF token of the session. */
export class Browser {
  readonly #url: string;
  readonly cookies = new Map<string, string>();
  csrf: string | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** The same browser, at another replica. */
  at(url: string): Browser {
    const other = new Browser(url);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    other.csrf = this.csrf;
    return other;
  }

  /** Opens a page, or sends a form of one. */
  async page(
    path: string,
    form?: Record<string, string>,
  ): Promise<{ status: number; html: string; headers: Headers }> {
    const response = await fetch(new URL(path, this.#url), {
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      headers: this.#cookieHeader(),
      redirect: 'manual',
    });
    this.#keep(response.headers);
    return { status: response.status, html: await response.text(), headers: response.headers };
  }

  #cookieHeader(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return cookie ? { cookie } : {};
  }

  #keep(headers: Headers): void {
    for (const set of headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
  }

  get = (path: string) => this.call('GET', path);
  post = (path: string, body?: unknown) => this.call('POST', path, body);
  put = (path: string, body?: unknown) => this.call('PUT', path, body);
  delete = (path: string) => this.call('DELETE', path);

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await client(this.#url).request(method, path, body, {
      ...this.#cookieHeader(),
      ...(this.csrf !== undefined && { 'x-csrf-token': this.csrf }),
      ...headers,
    });
    this.#keep(answer.headers);
    const csrf = answer.body['csrf_token'];
    if (typeof csrf === 'string') this.csrf = csrf;
    return answer;
  }

  /** Begins at `source` and lets the provider sign `person` in. @returns path and query of the callback */
  async toCallback(provider: TestProvider, person: Person, source = 'test'): Promise<string> {
    const { body } = await this.post('/account/auth/intents', { source });
    const { pathname, search } = await provider.visit(String(body['url']), person);
    return pathname + search;
  }

  /** Goes to the provider and back. */
  async vouched(provider: TestProvider, person: Person, source = 'test'): Promise<Answer> {
    return await this.get(await this.toCallback(provider, person, source));
  }

  async signUp(provider: TestProvider, person: Person, input: object = {}, source = 'test'): Promise<Answer> {
    await this.vouched(provider, person, source);
    return await this.post('/account/sign_up', { name: person.name, ...input });
  }

  async signIn(provider: TestProvider, person: Person, source = 'test'): Promise<Answer> {
    await this.vouched(provider, person, source);
    return await this.post('/account/sign_in');
  }
}
