import { hkdfSync } from 'node:crypto';
import { mailAddressSchema } from '@sluice/contracts';
import { problem, type Log } from '@sluice/service';
import * as oidc from 'openid-client';
import { z } from 'zod';
import type { ProviderConfig } from './provider-config.ts';
import { providerFetch, ProviderUnavailable } from './provider-fetch.ts';

/** What ties the provider's answer to the browser that began: all of it follows from the secret in its cookie. */
export interface SignInProof {
  state: string;
  nonce: string;
  /** of PKCE */
  verifier: string;
}

/** What the provider has sent the browser back with. */
export interface ProviderAnswer {
  state?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
  iss?: string | undefined;
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
  /** Where to send the browser, and from there back to `redirectUri`. @throws Problem `unavailable` */
  authorizationUrl(proof: SignInProof, redirectUri: string): Promise<string>;
  /** Checks what the provider answers and redeems its code. @throws Problem `sign_in_failed`, `unavailable` */
  identify(answer: ProviderAnswer, proof: SignInProof, redirectUri: string): Promise<VerifiedIdentity>;
}

const metadataSchema = z.object({
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url().optional(),
  jwks_uri: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: mailAddressSchema.optional().catch(undefined),
  // some providers send it as text
  email_verified: z.union([z.boolean(), z.literal('true').transform(() => true)]).catch(false),
  name: z.string().trim().min(1).max(100).optional().catch(undefined),
});

const metadataMilliseconds = 60 * 60 * 1000;
/** none that a client secret or nothing at all could make */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

export function proofOf(secret: string): SignInProof {
  const derived = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `sluice sign-in ${purpose}`, 32)).toString('base64url');
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') };
}

/** Speaks OpenID Connect with one provider: authorization code, PKCE, and an id token that is verified here. */
export function identityProvider(config: ProviderConfig, log: Log): IdentityProvider {
  const fetchFromProvider = providerFetch();
  const extensions = [oidc.enableNonRepudiationChecks];
  // the configuration allows that on this machine only
  if (config.issuer.startsWith('http:')) extensions.push(oidc.allowInsecureRequests);
  let discovered: { at: number; metadata: oidc.ServerMetadata } | undefined;

  const metadataOf = async (): Promise<oidc.ServerMetadata> => {
    if (discovered && performance.now() - discovered.at < metadataMilliseconds) return discovered.metadata;
    const found = await oidc.discovery(new URL(config.issuer), config.client_id, undefined, undefined, {
      [oidc.customFetch]: fetchFromProvider,
      execute: extensions,
    });
    const metadata = found.serverMetadata();
    metadataSchema.parse(metadata);
    // the library takes another spelling of the same address, and at some providers any issuer
    if (metadata.issuer !== config.issuer) throw new Refused('the provider calls itself by another issuer');
    discovered = { at: performance.now(), metadata };
    return metadata;
  };

  /** A client for one sign-in: it has no keys of the provider yet, so none that are no longer valid. */
  const connect = async (): Promise<oidc.Configuration> => {
    const metadata = await metadataOf();
    const client = new oidc.Configuration(
      { ...metadata, id_token_signing_alg_values_supported: algorithms },
      config.client_id,
      { [oidc.clockTolerance]: 5 },
      authenticationOf(config, metadata),
    );
    client[oidc.customFetch] = fetchFromProvider;
    for (const extension of extensions) extension(client);
    return client;
  };

  /** Logs the cause for the operator; the person who signs in sees only that it failed. */
  const failing = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      log.warn('a sign-in failed', { source: config.source, step, reason: reasonOf(error) });
      if (step === 'discovery' || causeOf(error) instanceof ProviderUnavailable)
        throw problem('unavailable', { detail: 'The identity provider cannot be reached right now.' });
      throw problem('sign_in_failed');
    }
  };

  return {
    config,
    authorizationUrl: ({ state, nonce, verifier }, redirectUri) =>
      failing('discovery', async () => {
        const url = oidc.buildAuthorizationUrl(await connect(), {
          redirect_uri: new URL(redirectUri).href,
          scope: config.scopes.join(' '),
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return url.href;
      }),

    async identify(answer, proof, redirectUri) {
      const client = await failing('discovery', connect);
      const tokens = await failing('token', () => redeem(client, redirectUri, answer, proof));
      const claims = await failing('userinfo', () => claimsOf(client, tokens));
      return {
        source: config.source,
        subject: claims.sub,
        name: claims.name ?? null,
        email: claims.email ?? null,
        email_verified: claims.email_verified,
      };
    },
  };
}

/** The answer is not what was asked for. */
class Refused extends Error {}

/** How the client proves to the token endpoint who it is: as the provider wants it, in the header if it may. */
function authenticationOf(
  { client_secret }: ProviderConfig,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: oidc.ServerMetadata,
): oidc.ClientAuth {
  if (client_secret === undefined) return oidc.None();
  return methods.includes('client_secret_basic')
    ? oidc.ClientSecretBasic(client_secret)
    : oidc.ClientSecretPost(client_secret);
}

interface VerifiedTokens {
  claims: oidc.IDToken;
  accessToken: string;
}

async function redeem(
  client: oidc.Configuration,
  redirectUri: string,
  { code, state, iss }: ProviderAnswer,
  proof: SignInProof,
): Promise<VerifiedTokens> {
  const callback = new URL(redirectUri);
  for (const [name, value] of Object.entries({ code, state, iss }))
    if (value !== undefined) callback.searchParams.set(name, value);
  const tokens = await oidc.authorizationCodeGrant(client, callback, {
    expectedState: proof.state,
    expectedNonce: proof.nonce,
    pkceCodeVerifier: proof.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  // the library looks at the authorized party only where there are several audiences
  if (!claims || (claims.azp !== undefined && claims.azp !== client.clientMetadata().client_id))
    throw new Refused('the token is for another client');
  return { claims, accessToken: tokens.access_token };
}

/** What the provider says of the person: in the id token, or where that is silent at its userinfo endpoint. */
async function claimsOf(
  client: oidc.Configuration,
  { claims: idToken, accessToken }: VerifiedTokens,
): Promise<z.infer<typeof claimsSchema>> {
  const claims = claimsSchema.parse(idToken);
  if (claims.email !== undefined || !client.serverMetadata().userinfo_endpoint) return claims;
  try {
    return claimsSchema.parse(await oidc.fetchUserInfo(client, accessToken, claims.sub));
  } catch (error) {
    if (isRefusal(error)) return claims;
    throw error;
  }
}

/** Whether the userinfo endpoint has answered with another status than 200. */
const isRefusal = (error: unknown) =>
  error instanceof oidc.WWWAuthenticateChallengeError ||
  (error instanceof oidc.ClientError && error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM');

/** The library wraps what went wrong. */
const causeOf = (error: unknown) => (error instanceof oidc.ClientError ? error.cause : error);

/** In words of the library and of this file, which are fixed: what the provider has sent may hold a token. */
function reasonOf(error: unknown): string {
  const cause = causeOf(error);
  if (cause instanceof ProviderUnavailable || cause instanceof Refused) return cause.message;
  if (cause instanceof z.ZodError) return 'an answer that is none of OpenID Connect';
  for (const each of [cause, error])
    if (each instanceof Error && 'code' in each && String(each.code).startsWith('OAUTH_'))
      return `${String(each.code)} ${each.message}`;
  return 'unknown';
}
