import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';
import { Provider, type Adapter, type AdapterPayload } from 'oidc-provider';

/** Whom the provider knows. */
export interface Person {
  subject: string;
  email: string;
  email_verified: boolean;
  name: string;
}

export const clientId = 'sluice';
export const clientSecret = 'a secret of the client & more';
export const redirectUri = 'http://127.0.0.1/account/auth/callback';

/** What the provider remembers: while its process lives, and through a change of its key. */
class Memory implements Adapter {
  static readonly #all = new Map<string, AdapterPayload>();
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  #key = (id: string) => `${this.#kind} ${id}`;
  #search = (wanted: (payload: AdapterPayload) => boolean) =>
    [...Memory.#all].find(([key, payload]) => key.startsWith(`${this.#kind} `) && wanted(payload))?.[1];

  async upsert(id: string, payload: AdapterPayload) {
    Memory.#all.set(this.#key(id), payload);
  }
  async find(id: string) {
    return Memory.#all.get(this.#key(id));
  }
  async findByUserCode(userCode: string) {
    return this.#search((payload) => payload.userCode === userCode);
  }
  async findByUid(uid: string) {
    return this.#search((payload) => payload.uid === uid);
  }
  async consume(id: string) {
    const payload = Memory.#all.get(this.#key(id));
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id: string) {
    Memory.#all.delete(this.#key(id));
  }
  async revokeByGrantId(grantId: string) {
    for (const [key, payload] of Memory.#all) if (payload.grantId === grantId) Memory.#all.delete(key);
  }
}

/** A real OpenID provider in this process. It signs in the person of the login hint, without asking. */
export class TestProvider {
  readonly #server = createServer();
  readonly #people = new Map<string, Person>();
  #provider: Provider | undefined;
  #key: { jwk: JWK; sign: (claims: JWTPayload) => Promise<string> } | undefined;
  /** changes the claims of id tokens, which are signed again */
  tamper: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** put in the place of id tokens */
  forge: ((claims: JWTPayload) => Promise<string>) | undefined;

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    await this.rotate();
    this.#server.on('request', (request, response) => void this.#serve(request, response));
  }

  get issuer(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The provider is not open.');
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The configuration of this provider for main-api. */
  configuration(source: string, more: object = {}): object {
    return { source, issuer: this.issuer, client_id: clientId, client_secret: clientSecret, ...more };
  }

  person(email = `${randomUUID()}@gmail.com`, more: Partial<Person> = {}): Person {
    const person = { subject: randomUUID(), email, email_verified: true, name: 'Paula', ...more };
    this.#people.set(person.subject, person);
    return person;
  }

  /** Signs with a new key from now on, and publishes no other. */
  async rotate(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const kid = randomUUID();
    this.#key = {
      jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' },
      sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey),
    };
    this.#provider = this.#create(this.#key.jwk);
  }

  /** Goes through the provider's pages as a browser does. @returns where it sends the browser in the end */
  async visit(url: string, person: Person): Promise<URL> {
    const jar = new Map<string, string>();
    let next = new URL(url);
    next.searchParams.set('login_hint', person.subject);
    for (let step = 0; step < 10 && !next.href.startsWith(redirectUri); step++) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const set of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
        jar.set(name, value);
      }
      const location = response.headers.get('location');
      if (!location) throw new Error(`the provider answers ${response.status}: ${await response.text()}`);
      next = new URL(location, next);
    }
    return next;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider;
    if (!provider) return void response.destroy();
    if (!request.url?.startsWith('/interaction/')) return void (await provider.callback()(request, response));
    const { params } = await provider.interactionDetails(request, response);
    const result = { login: { accountId: String(params['login_hint']) } };
    await provider.interactionFinished(request, response, result);
  }

  #create(jwk: JWK): Provider {
    const people = this.#people;
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
      adapter: Memory,
      jwks: { keys: [jwk] },
      ttl: {
        Interaction: 600,
        Grant: 600,
        Session: 600,
        AccessToken: 600,
        IdToken: 600,
        AuthorizationCode: 60,
      },
      cookies: { keys: ['test'] },
      conformIdTokenClaims: false,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, subject) => ({
        accountId: subject,
        claims: () => ({ ...people.get(subject), sub: subject }),
      }),
      async loadExistingGrant({ oidc }) {
        const { client, session } = oidc;
        if (!client || !session?.accountId) return undefined;
        const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (context.path !== '/token' || !body?.id_token) return;
      const claims = decodeJwt(body.id_token);
      if (this.tamper && this.#key) body.id_token = await this.#key.sign(this.tamper(claims));
      if (this.forge) body.id_token = await this.forge(claims);
    });
    return provider;
  }
}
