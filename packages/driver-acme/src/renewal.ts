import { renewalIdOf } from '@sluice/system/authority';
import { z } from 'zod';
import type { RenewalWindow } from '@sluice/drivers';
import { parsed, type AcmeProtocol } from './protocol.ts';

const renewalSchema = z.object({
  suggestedWindow: z.object({
    start: z.iso.datetime({ offset: true }),
    end: z.iso.datetime({ offset: true }),
  }),
});

/** where the authority does not say how soon it may have changed its mind: what RFC 9773 recommends */
const usualSeconds = 6 * 60 * 60;
const askAgain = { least: 60, most: 24 * 60 * 60 };

/** Asks when a certificate is to be renewed (RFC 9773). @throws AcmeProblem, also where the authority does not know it */
export async function askRenewal(
  protocol: AcmeProtocol,
  certificate: string,
  signal: AbortSignal,
): Promise<RenewalWindow | undefined> {
  const { renewalInfo } = await protocol.directory(signal);
  const id = renewalIdOf(certificate);
  if (renewalInfo === undefined || id === undefined) return undefined;
  const { json, retryAfterSeconds = usualSeconds } = await protocol.get(
    `${renewalInfo.replace(/\/$/, '')}/${id}`,
    signal,
  );
  const { suggestedWindow } = parsed(renewalSchema, json);
  const [from, to] = [new Date(suggestedWindow.start), new Date(suggestedWindow.end)];
  const askAgainSeconds = Math.min(askAgain.most, Math.max(askAgain.least, retryAfterSeconds));
  return { from, to, askAgainSeconds };
}
