import { z } from 'zod';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

function isSafe(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(hostname));
}

const providerSchema = z.strictObject({
  /** what clients call it */
  source: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,49}$/),
  /** what people read on the button that leads to it; default: the source */
  title: z.string().trim().min(1).max(100).optional(),
  issuer: z.url({ protocol: /^https?$/ }).refine(isSafe),
  client_id: z.string().min(1),
  /** absent for a public client, which PKCE alone protects */
  client_secret: z.string().min(1).optional(),
  scopes: z
    .array(z.string().min(1))
    .refine((scopes) => scopes.includes('openid'))
    .default(['openid', 'email', 'profile']),
  /** a public mail provider: its addresses claim no domain */
  public_email: z.boolean().default(false),
  /** domains of which the installation takes its word: it signs in to accounts that have such an address */
  authority_for: z.array(z.hostname().toLowerCase()).default([]),
});
export type ProviderConfig = z.infer<typeof providerSchema>;

const providerList = z
  .array(providerSchema)
  .refine((providers) => new Set(providers.map(({ source }) => source)).size === providers.length);
const form = '{source, title?, issuer, client_id, client_secret?, scopes?, public_email?, authority_for?}';

/** The identity providers that people may sign in with, as the JSON list that `OIDC_PROVIDERS` is. */
export const providersSchema = z
  .string()
  .default('[]')
  .transform((text, context): ProviderConfig[] => {
    const result = providerList.safeParse(parsed(text));
    if (result.success) return result.data;
    const places = result.error.issues.map(({ path }) => path.join('.')).filter(Boolean);
    context.addIssue({
      code: 'custom',
      message: `has to be a JSON list of ${form}, each source once${places.length > 0 ? `; look at ${places.join(', ')}` : ''}`,
    });
    return z.NEVER;
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
