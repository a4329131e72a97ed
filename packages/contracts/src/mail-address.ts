import { domainToASCII } from 'node:url';
import { z } from 'zod';

/** one or more words, joined by dots (RFC 5321, `Dot-string`): no quoted text, no comments, ASCII alone */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/**
 * Whether a mail can be sent to this address: a local part without quotes, and a domain with a dot, no literal address. The one
 * check for all services: what one of them accepts, the others can mail to (interface, "email addresses").
 */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (text.length > 254 || local.length > 64 || !localPart.test(local)) return false;
  const labels = domain.split('.');
  const isNumber = /^\d+$/.test(labels.at(-1) ?? '');
  return labels.length > 1 && !isNumber && labels.every((part) => label.test(part));
}

export const mailAddressSchema = z.string().refine(isMailAddress, { error: 'has to be a mail address' });

const gmailDomains = ['gmail.com', 'googlemail.com'];

/**
 * The mailbox that an address leads to, as limits count it: the same for each case, for what follows a `+` in the local part, for each
 * spelling of the domain, and at Gmail for dots. Where a provider has different mailboxes for these, they share a limit.
 */
export function mailboxKey(address: string): string {
  const at = address.lastIndexOf('@');
  const written = address
    .slice(at + 1)
    .toLowerCase()
    .replace(/\.$/, '');
  const domain = domainToASCII(written) || written;
  const local = address
    .slice(0, Math.max(at, 0))
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=.)\+.*$/su, '');
  return gmailDomains.includes(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}
