export { acmeSettings, requireAcme } from '../src/acme-settings.ts';
export { createPublicAuthority } from '../src/public-authority.ts';
