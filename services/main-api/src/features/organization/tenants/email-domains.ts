import { domainToASCII } from 'node:url';
import freeEmailDomains from 'free-email-domains';
import { parse } from 'tldts';

const freeDomains: ReadonlySet<string> = new Set(freeEmailDomains);

/**
 * The registrable domain of an address, in lower case and ASCII: what a tenant claims and others are compared with.
 * Null when it has none that can be registered. Suffixes under which a company lets others have names of
 * their own count as public suffixes.
 */
export function registrableDomain(email: string): string | null {
  const host = domainToASCII(email.slice(email.lastIndexOf('@') + 1));
  const { domain, isIcann, isPrivate, isIp } = parse(host, { allowPrivateDomains: true });
  return !isIp && (isIcann || isPrivate) ? domain : null;
}

/** Whether this is a domain of a public mail provider. */
export const isFreeEmailDomain = (domain: string) => freeDomains.has(domain);
