import { client, type Answer } from '@sluice/testing';

/** A terminal that signs in by a code. */
export class Terminal {
  readonly #url: string;
  /** its session, once it has one */
  token = '';
  deviceCode = '';
  userCode = '';

  constructor(url: string) {
    this.#url = url;
  }

  /** The same terminal, at another replica. */
  at(url: string): Terminal {
    const { token, deviceCode, userCode } = this;
    return Object.assign(new Terminal(url), { token, deviceCode, userCode });
  }

  async begin(machine = 'laptop'): Promise<Answer> {
    const answer = await client(this.#url).post('/account/device', { machine });
    this.deviceCode = String(answer.body['device_code']);
    this.userCode = String(answer.body['user_code']);
    return answer;
  }

  async poll(): Promise<Answer> {
    const answer = await client(this.#url).post('/account/device/token', { device_code: this.deviceCode });
    const { access_token: token } = answer.body;
    if (typeof token === 'string') this.token = token;
    return answer;
  }

  call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    client(this.#url).request(method, path, body, { 'svc-session': this.token, ...headers });
  get = (path: string) => this.call('GET', path);
}
