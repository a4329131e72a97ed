import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';

export interface ProviderRequest {
  path: string;
  headers: IncomingHttpHeaders;
  form: URLSearchParams;
}

type Respond = (response: ServerResponse, request: ProviderRequest) => unknown;

export const respondJson = (body: unknown, status = 200): Respond => {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** A provider that gives at each of its addresses the answer that a test wants, however wrong. */
export class ScriptedProvider {
  readonly requests: ProviderRequest[] = [];
  /** claims of id tokens, over those that are needed */
  claims: JWTPayload = {};
  readonly issuer: string;
  readonly close: () => Promise<void>;
  readonly #answers: Record<string, Respond>;

  static async open(clientId: string): Promise<ScriptedProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const keys = await generateKeyPair('ES256', { extractable: true });
    const key = { sign: keys.privateKey, published: { ...(await exportJWK(keys.publicKey)), alg: 'ES256' } };
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new ScriptedProvider(issuer, clientId, key, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    server.on('request', (request, response) => void provider.#serve(request, response));
    return provider;
  }

  constructor(
    issuer: string,
    clientId: string,
    key: { sign: CryptoKey; published: object },
    close: () => Promise<void>,
  ) {
    this.issuer = issuer;
    this.close = close;
    this.#answers = {
      '/.well-known/openid-configuration': respondJson(this.metadata()),
      '/keys': respondJson({ keys: [key.published] }),
      '/token': async (response, request) => {
        const now = Math.floor(Date.now() / 1000);
        const own = { iss: issuer, aud: clientId, sub: 'paula', iat: now, exp: now + 60 };
        const claims = { ...own, ...this.claims };
        const id_token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(key.sign);
        await respondJson({ id_token, access_token: 'access', token_type: 'Bearer' })(response, request);
      },
      '/userinfo': respondJson({ sub: 'paula', email: 'paula@acme.test', email_verified: 'true' }),
    };
  }

  metadata(more: object = {}): object {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      jwks_uri: `${this.issuer}/keys`,
      ...more,
    };
  }

  /** Gives this answer at `path` from now on. */
  answer(path: string, respond: Respond): void {
    this.#answers[path] = respond;
  }

  announce(more: object): void {
    this.answer('/.well-known/openid-configuration', respondJson(this.metadata(more)));
  }

  to(path: string): ProviderRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '';
    const request = { path, headers: incoming.headers, form: new URLSearchParams(await text(incoming)) };
    this.requests.push(request);
    await (this.#answers[path] ?? respondJson({}, 404))(response, request);
  }
}
