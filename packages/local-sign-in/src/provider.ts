import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, interactionPolicy, type JWK } from 'oidc-provider';
import { Memory } from './memory.ts';
import { choosePage } from './page.ts';
import { people, type Person } from './people.ts';

export interface LocalSignInOptions {
  /** by default a free one */
  port?: number;
  /** an address of this machine alone; any other is refused */
  host?: string;
  clientId: string;
  clientSecret: string;
  /** where browsers may be sent back to */
  redirectUris: string[];
  /** Has an account made for who is chosen, where there is none yet. */
  prepare?: (person: Person) => Promise<void>;
}

const loopback = /^(127(\.\d{1,3}){3}|localhost|::1)$/;
const seconds = 600;

/**
 * An OpenID provider for the local stack: it asks no password, but who one wants to be. So it listens on loopback only, refuses to
 * be started elsewhere, and answers under no other name.
 */
export class LocalSignIn {
  readonly #options: LocalSignInOptions;
  readonly #host: string;
  readonly #server: Server;
  #provider: Provider | undefined;

  /** @throws Error for a host that others can reach */
  constructor(options: LocalSignInOptions) {
    this.#options = options;
    this.#host = options.host ?? '127.0.0.1';
    if (!loopback.test(this.#host))
      throw new Error(`The sign-in without a password is for this machine alone, and not for ${this.#host}.`);
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#options.port ?? 0, this.#host, resolve);
    });
    this.#provider = this.#create();
  }

  get issuer(): string {
    return `http://${this.#host}:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      // another name of this machine, which a page elsewhere may have chosen
      if (`http://${request.headers.host}` !== this.issuer) return void response.writeHead(421).end();
      const provider = this.#provider;
      if (!provider) return void response.writeHead(503).end();
      const [, uid] = /^\/interaction\/([\w-]+)$/.exec(request.url ?? '') ?? [];
      if (uid === undefined) return void (await provider.callback()(request, response));
      if (request.method === 'POST') await this.#choose(provider, request, response);
      else choosePage(response, uid);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`The sign-in has failed: ${text}. Begin again.\n`);
    }
  }

  async #choose(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request);
    const person = people.find(({ subject }) => subject === form.get('person'));
    if (!person) throw new Error('there is no such person');
    await this.#options.prepare?.(person);
    await provider.interactionFinished(request, response, { login: { accountId: person.subject } });
  }

  #create(): Provider {
    const { clientId, clientSecret, redirectUris } = this.#options;
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'local', alg: 'RS256', use: 'sig' } as JWK;
    const policy = interactionPolicy.base();
    // who was chosen before is asked again: on this machine everybody is everyone
    policy
      .get('login')
      ?.checks.add(
        new interactionPolicy.Check('choose', 'a person has to be chosen', 'login_required', ({ oidc }) =>
          oidc.result?.login
            ? interactionPolicy.Check.NO_NEED_TO_PROMPT
            : interactionPolicy.Check.REQUEST_PROMPT,
        ),
      );
    return new Provider(this.issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
      adapter: Memory.ofOneProvider(),
      jwks: { keys: [jwk] },
      ttl: {
        Interaction: seconds,
        Grant: seconds,
        Session: seconds,
        AccessToken: seconds,
        IdToken: seconds,
        AuthorizationCode: 60,
      },
      cookies: {
        keys: [randomBytes(32).toString('base64')],
        // cookies know no ports: others on this machine have theirs
        names: {
          session: 'local_sign_in',
          interaction: 'local_sign_in_step',
          resume: 'local_sign_in_resume',
        },
      },
      conformIdTokenClaims: false,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, subject) => accountOf(subject),
      async loadExistingGrant({ oidc }) {
        const { client, session } = oidc;
        if (!client || !session?.accountId) return undefined;
        const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
  }
}

function accountOf(subject: string) {
  const person = people.find((each) => each.subject === subject);
  if (!person) return undefined;
  const { name, email } = person;
  return { accountId: subject, claims: () => ({ sub: subject, name, email, email_verified: true }) };
}

const mostFormBytes = 1_000;

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > mostFormBytes) throw new Error('the form is too large');
  }
  return new URLSearchParams(text);
}
