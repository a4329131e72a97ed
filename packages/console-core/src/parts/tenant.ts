import { useParams } from '@tanstack/react-router';

/** The tenant of the page, from its address. Only below `/t/$tenantId`. */
export function useTenantId(): number {
  return Number(useParams({ strict: false }).tenantId);
}
