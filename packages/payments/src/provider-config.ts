import { z } from 'zod';
import type { PaymentProvider } from './payment-provider.ts';
import type { StripeSettings } from './stripe-provider.ts';

const isLoopback = (hostname: string) => /^(127\.\d+\.\d+\.\d+|\[::1\]|([\w-]+\.)*localhost)$/.test(hostname);

/** What main-api reads from its environment about payments. */
export const paymentSettings = {
  PAYMENT_PROVIDER: z
    .enum(['none', 'stripe', 'test'])
    .default('none')
    .describe(
      'who charges cards: `test` is a server on this machine, for development; agreements need none of them',
    ),
  PAYMENT_REQUIRED: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value && value === 'true')
    .describe(
      'whether deployments of other tiers than free need a payment method; otherwise all tenants pay by agreement; true with `stripe` unless said',
    ),
  STRIPE_SECRET_KEY: z.string().min(1).max(500).optional().describe("Stripe's secret key, with `stripe`"),
  STRIPE_WEBHOOK_SECRETS: z
    .string()
    .max(2_000)
    .optional()
    .describe(
      'what Stripe signs events with, with `stripe`: the secret of the endpoint; during a rotation two, separated by a comma',
    ),
  PAYMENT_TEST_URL: z
    .url({ protocol: /^http$/ })
    .refine((url) => isLoopback(new URL(url).hostname), { error: 'has to be of this machine' })
    .optional()
    .describe('address of the test server, on this machine, with `test`'),
  PAYMENT_RETURN_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('page to which browsers return from the page for cards; otherwise CONSOLE_URL or PUBLIC_URL'),
};

const environment = z.object(paymentSettings).extend({ PUBLIC_URL: z.url() });
type PaymentEnvironment = z.infer<typeof environment>;

/** what the test server knows Sluice by: no secret */
export const testKeys = { secretKey: 'sk_test_sluice', webhookSecret: 'whsec_sluice' };

/**
 * The provider that an installation has chosen; null without one. Stripe's library is loaded only where it is used.
 * @throws Error for settings that do not go together: the test server is for this machine alone
 */
export async function paymentProviderOf(environment: PaymentEnvironment): Promise<PaymentProvider | null> {
  const settings = stripeSettingsOf(environment);
  if (settings === null) return null;
  const { stripeProvider } = await import('./stripe-provider.ts');
  return stripeProvider(settings);
}

function stripeSettingsOf(settings: PaymentEnvironment): StripeSettings | null {
  const { PAYMENT_PROVIDER: name, PAYMENT_TEST_URL: url, PUBLIC_URL } = settings;
  if (name === 'none') return null;
  if (name === 'test') {
    if (url === undefined) throw new Error('PAYMENT_PROVIDER=test needs PAYMENT_TEST_URL.');
    if (!isLoopback(new URL(PUBLIC_URL).hostname))
      throw new Error('PAYMENT_PROVIDER=test charges no card: it is for a PUBLIC_URL of this machine only.');
    const { secretKey, webhookSecret } = testKeys;
    return { name, secretKey, webhookSecrets: [webhookSecret], url };
  }
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRETS } = settings;
  const webhookSecrets = (STRIPE_WEBHOOK_SECRETS ?? '').split(',').flatMap((secret) => secret.trim() || []);
  if (secretKey === undefined || webhookSecrets.length === 0)
    throw new Error('PAYMENT_PROVIDER=stripe needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRETS.');
  return { name, secretKey, webhookSecrets };
}

/** Whether every tier but free needs a payment method. */
export const isPaymentRequired = ({ PAYMENT_REQUIRED, PAYMENT_PROVIDER }: PaymentEnvironment): boolean =>
  PAYMENT_REQUIRED ?? PAYMENT_PROVIDER === 'stripe';
