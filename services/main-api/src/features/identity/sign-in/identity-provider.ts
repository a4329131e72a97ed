import { createHash, hkdfSync } from 'node:crypto';
import { problem, type Log } from '@sluice/service-kit';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { fetchJson, ProviderAway } from './fetch-json.ts';
import type { ProviderConfig } from './provider-config.ts';

/** What ties the provider's answer to the browser that began: all of it follows from the secret in its cookie. */
export interface SignInProof {
  state: string;
  nonce: string;
  /** of PKCE */
  verifier: string;
}

/** Whom a provider has vouched for. */
export interface VerifiedIdentity {
  source: string;
  subject: string;
  name: string | null;
  email: string | null;
  email_verified: boolean;
}

export interface IdentityProvider {
  config: ProviderConfig;
  /** Where to send the browser. @throws Problem `unavailable` */
  authorizationUrl(proof: SignInProof): Promise<string>;
  /** Takes a code in. @throws Problem `sign_in_failed`, `unavailable` */
  identify(code: string, proof: SignInProof): Promise<VerifiedIdentity>;
}

const discoverySchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url().optional(),
  jwks_uri: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
});
type Discovery = z.infer<typeof discoverySchema>;

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254).optional().catch(undefined),
  // some providers send it as text
  email_verified: z.union([z.boolean(), z.literal('true').transform(() => true)]).catch(false),
  name: z.string().trim().min(1).max(100).optional().catch(undefined),
});

const discoveryMilliseconds = 60 * 60 * 1000;
/** none that a client secret or nothing at all could make */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

export function proofOf(secret: string): SignInProof {
  const derived = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `sluice sign-in ${purpose}`, 32)).toString('base64url');
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') };
}

/** Speaks OpenID Connect with one provider: authorization code, PKCE, and an id token that is verified here. */
export function identityProvider(config: ProviderConfig, redirectUri: string, log: Log): IdentityProvider {
  let discovered: { at: number; discovery: Discovery; keys: JWTVerifyGetKey } | undefined;

  const discover = async () => {
    if (discovered && performance.now() - discovered.at < discoveryMilliseconds) return discovered;
    const address = `${config.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const discovery = discoverySchema.parse((await fetchJson(address)).body);
    if (discovery.issuer !== config.issuer) throw new Error('the provider calls itself by another issuer');
    // only what the token endpoint has answered is verified, so nobody can have the keys fetched at will
    const keys = createRemoteJWKSet(new URL(discovery.jwks_uri), { cooldownDuration: 0 });
    discovered = { at: performance.now(), discovery, keys };
    return discovered;
  };

  /** Says what went wrong to the operator; whoever signs in learns no more than that it did. */
  const failing = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      log.warn('a sign-in failed', { source: config.source, step, reason: reasonOf(error) });
      if (step === 'discovery' || isAway(error))
        throw problem('unavailable', { detail: 'The identity provider cannot be reached right now.' });
      throw problem('sign_in_failed');
    }
  };

  return {
    config,
    async authorizationUrl({ state, nonce, verifier }) {
      const { discovery } = await failing('discovery', discover);
      const url = new URL(discovery.authorization_endpoint);
      const parameters = {
        response_type: 'code',
        client_id: config.client_id,
        redirect_uri: redirectUri,
        scope: config.scopes.join(' '),
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },

    async identify(code, proof) {
      const { discovery, keys } = await failing('discovery', discover);
      const tokens = await failing('token', () => redeem(config, discovery, redirectUri, code, proof));
      const claims = await failing('id token', () => verify(config, keys, tokens.id_token, proof));
      const told = await failing('userinfo', () => claimsOf(discovery, claims, tokens.access_token));
      return {
        source: config.source,
        subject: told.sub,
        name: told.name ?? null,
        email: told.email ?? null,
        email_verified: told.email_verified,
      };
    },
  };
}

const tokensSchema = z.object({ id_token: z.string(), access_token: z.string() });

async function redeem(
  { client_id, client_secret }: ProviderConfig,
  { token_endpoint, token_endpoint_auth_methods_supported }: Discovery,
  redirectUri: string,
  code: string,
  { verifier }: SignInProof,
) {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const headers: Record<string, string> = {};
  if (client_secret !== undefined && token_endpoint_auth_methods_supported.includes('client_secret_basic')) {
    const credentials = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`;
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  } else {
    form.set('client_id', client_id);
    if (client_secret !== undefined) form.set('client_secret', client_secret);
  }
  const { status, body } = await fetchJson(token_endpoint, { method: 'POST', headers, body: form });
  if (status !== 200) throw new Error('the provider refuses the code');
  return tokensSchema.parse(body);
}

async function verify(
  { issuer, client_id }: ProviderConfig,
  keys: JWTVerifyGetKey,
  idToken: string,
  { nonce }: SignInProof,
): Promise<JWTPayload> {
  const { payload } = await jwtVerify(idToken, keys, {
    issuer,
    audience: client_id,
    algorithms,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    clockTolerance: 5,
  });
  if (payload['nonce'] !== nonce) throw new Error('the nonce is of another sign-in');
  const parties = Array.isArray(payload.aud) ? payload.aud.length : 1;
  const authorized = payload['azp'];
  if (authorized === undefined ? parties > 1 : authorized !== client_id)
    throw new Error('the token is for another client');
  return payload;
}

/** What the provider says of the person: in the id token, or where that is silent at its userinfo endpoint. */
async function claimsOf(
  { userinfo_endpoint }: Discovery,
  payload: JWTPayload,
  accessToken: string,
): Promise<z.infer<typeof claimsSchema>> {
  const claims = claimsSchema.parse(payload);
  if (claims.email !== undefined || userinfo_endpoint === undefined) return claims;
  const headers = { authorization: `Bearer ${accessToken}` };
  const { status, body } = await fetchJson(userinfo_endpoint, { headers });
  if (status !== 200) return claims;
  const told = claimsSchema.parse(body);
  if (told.sub !== claims.sub) throw new Error('userinfo is of somebody else');
  return told;
}

function isAway(error: unknown): boolean {
  return (
    error instanceof ProviderAway ||
    error instanceof errors.JWKSTimeout ||
    error instanceof TypeError ||
    (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')
  );
}

/** Without anything that the provider has sent: it may hold a token. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JOSEError) return `${error.code} ${error.message}`;
  if (error instanceof z.ZodError) return 'an answer that is none of OpenID Connect';
  return error instanceof Error ? error.message : 'unknown';
}
